// Errors of the runtime. The codes are those of the C interface.
#pragma once

#include <stdexcept>
#include <string>

#include "cairn/remote/cairn_remote.h"

namespace cairn::remote {

class Error : public std::runtime_error {
 public:
  explicit Error(cairn_status code) : std::runtime_error(cairn_status_text(code)), code_(code) {}

  Error(cairn_status code, const std::string& detail) : std::runtime_error(detail), code_(code) {}

  [[nodiscard]] cairn_status code() const { return code_; }

 private:
  cairn_status code_;
};

// Throws Error with `code` unless `condition` holds.
inline void require(bool condition, cairn_status code) {
  if (!condition) {
    throw Error(code);
  }
}

}  // namespace cairn::remote
