// A value that cannot be missing unless we are wrong.
#pragma once

#include <optional>

#include "cairn/base/failure.hpp"

namespace cairn {

// What `value` holds; throws Bug with `what` if it holds nothing.
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

// It would be gone when it is read.
template <class T>
const T& must_have(const std::optional<T>&& value, const char* what) = delete;

}  // namespace cairn
