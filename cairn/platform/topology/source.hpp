// Errors about parameters that are valid individually but inconsistent. A topology receives the
// Config its parameters were read from; from C++ it may be empty.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::platform::topology {

// Throws ConfigError at `key` of `source`, or at `source` when it has no such key.
[[noreturn]] void reject_key(const Config& source,
                             std::string_view key,
                             const std::string& problem);

// One value for all of `count` dimensions (or levels), or one each; anything else is rejected.
template <class Q>
std::vector<Q> one_each(const Config& source,
                        std::string_view key,
                        const std::vector<Q>& values,
                        std::size_t count) {
  if (values.size() == 1) {
    return std::vector<Q>(count, values.front());
  }
  if (values.size() != count) {
    reject_key(source,
               key,
               std::to_string(values.size()) + " values (expected one, or one for each of " +
                   std::to_string(count) + ")");
  }
  return values;
}

}  // namespace cairn::platform::topology
