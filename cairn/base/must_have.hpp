// An optional whose absence is a bug.
#pragma once

#include <optional>

#include "cairn/base/failure.hpp"

namespace cairn {

// The value; throws Bug with `what` if there is none.
template <class T>
T& must_have(std::optional<T>& value, const char* what) {
  if (!value) [[unlikely]] {
    throw Bug(what);
  }
  return *value;
}

template <class T>
const T& must_have(const std::optional<T>& value, const char* what) {
  if (!value) [[unlikely]] {
    throw Bug(what);
  }
  return *value;
}

// The reference would dangle.
template <class T>
const T& must_have(const std::optional<T>&& value, const char* what) = delete;

}  // namespace cairn
