// Device memory as an RAII object, mapped into the program as a span.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "cairn/remote/error.hpp"
#include "cairn/remote/runtime.hpp"

namespace cairn::remote {

template <class T>
class Array {
 public:
  Array(Runtime& runtime, Kind kind, std::size_t count)
      : runtime_(&runtime), kind_(kind), count_(count) {
    require(count <= UINT64_MAX / sizeof(T), CAIRN_ERROR_OUT_OF_MEMORY);
    address_ = runtime.malloc(kind, bytes());
  }

  Array(Array&& other) noexcept
      : runtime_(std::exchange(other.runtime_, nullptr)),
        kind_(other.kind_),
        count_(other.count_),
        address_(other.address_) {}

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array& operator=(Array&&) = delete;

  // Waits for copies in flight that use it. Past the end of simulated time it stays allocated.
  ~Array() {
    if (runtime_ != nullptr) {
      try {
        runtime_->free(kind_, address_);
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
      }
    }
  }

  [[nodiscard]] Kind kind() const { return kind_; }

  [[nodiscard]] Address address() const { return address_; }

  [[nodiscard]] std::uint64_t bytes() const { return count_ * sizeof(T); }

  [[nodiscard]] std::span<T> view() const {
    return {reinterpret_cast<T*>(runtime_->map(address_, bytes())), count_};
  }

  // Copies the whole array from one of the same size.
  void copy_from(const Array& source, StreamId stream = kDefaultStream) const {
    require(source.count_ == count_, CAIRN_ERROR_OUT_OF_RANGE);
    require(kind_ == Kind::kLocal || source.kind_ == Kind::kLocal, CAIRN_ERROR_INVALID_DIRECTION);
    const Direction direction = kind_ == Kind::kRemote          ? Direction::kLocalToRemote
                                : source.kind_ == Kind::kRemote ? Direction::kRemoteToLocal
                                                                : Direction::kLocalToLocal;
    runtime_->copy(address_, source.address_, bytes(), direction, stream);
  }

 private:
  Runtime* runtime_;
  Kind kind_;
  std::size_t count_;
  Address address_ = 0;
};

}  // namespace cairn::remote
