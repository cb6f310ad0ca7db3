#include "cairn/plan/nearest_divisors.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn::plan {

std::string nearest_divisors(double whole, std::uint32_t parts, std::uint32_t max_parts) {
  const auto divides = [&](std::uint32_t part) { return std::fmod(whole, part) == 0.0; };
  std::uint32_t fewer = parts - 1;
  while (!divides(fewer)) {
    --fewer;
  }
  std::uint32_t more = parts + 1;
  while (more <= max_parts && !divides(more)) {
    ++more;
  }
  return more <= max_parts ? fmt::format("{} or {}", fewer, more) : fmt::format("{}", fewer);
}

}  // namespace cairn::plan
