#include "cairn/base/count_text.hpp"

#include <fmt/format.h>

namespace cairn {

std::string count_text(std::uint64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace cairn
