// Backing store of the frames: an anonymous file as large as the physical memory. It is sparse, so
// a terabyte costs the host only the pages touched.
//
// A HostView shows scattered frames as consecutive bytes: the host's page table mirrors the
// device's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "cairn/remote/free_ranges.hpp"

namespace cairn::remote {

// A mapped range of host addresses (RAII).
class HostView {
 public:
  HostView(std::byte* begin, std::uint64_t size) : begin_(begin), size_(size) {}

  HostView(HostView&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

  HostView& operator=(HostView&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(size_, other.size_);
    return *this;
  }

  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  ~HostView();

  [[nodiscard]] std::byte* begin() const { return begin_; }

 private:
  std::byte* begin_;
  std::uint64_t size_;
};

class Arena {
 public:
  // Throws Error (HOST_MEMORY) if the host runs out of addresses.
  Arena(std::uint64_t frames, std::uint64_t page_size);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // The bytes of a frame.
  [[nodiscard]] std::byte* frame(std::uint64_t number) const {
    return whole_.begin() + number * page_size_;
  }

  // The frames in this order as consecutive bytes; takes one mapping of the host (Linux: 65,530 per
  // process unless set otherwise) for each run of consecutive frames. Throws Error (HOST_MEMORY).
  [[nodiscard]] HostView view(std::span<const std::uint64_t> frames) const;

  // Returns the pages to the host; they read as zeros afterwards.
  void clear(PageRange frames);

 private:
  std::uint64_t page_size_;
  int file_ = -1;
  HostView whole_;
};

}  // namespace cairn::remote
