// Why micro-batches are not simulated as a loop.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace cairn::plan {

// Micro-batches differ in more than their number, so each is planned and simulated by itself.
struct NotRepeated {
  std::string why{};
};

// A value for micro-batches as a loop, or why there is none.
template <class T>
class OrNotRepeated {
 public:
  OrNotRepeated(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  OrNotRepeated(NotRepeated reason)  // NOLINT(google-explicit-constructor)
      : reason_(std::move(reason)) {}

  [[nodiscard]] bool repeats() const { return value_.has_value(); }

  // Precondition of both: repeats().
  [[nodiscard]] const T& value() const& { return *value_; }

  [[nodiscard]] T&& value() && { return *std::move(value_); }

  // Precondition: !repeats().
  [[nodiscard]] const NotRepeated& reason() const { return reason_; }

 private:
  std::optional<T> value_{};
  NotRepeated reason_{};
};

}  // namespace cairn::plan
