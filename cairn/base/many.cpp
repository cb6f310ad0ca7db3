#include "cairn/base/many.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn {

namespace {

constexpr double kSmallest = 1e-4;  // that {:g} writes without a power of ten

std::string without_zeros_behind(std::string text) {
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

std::string many(double number, int digits) {
  const double size = std::abs(number);
  if (!std::isfinite(number) || number == 0.0) {
    return fmt::format("{:g}", number);
  }
  if (size >= std::pow(10.0, digits) - 0.5) {
    return fmt::format("{:.0f}", number);
  }
  if (size >= kSmallest) {
    return fmt::format("{:.{}g}", number, digits);
  }
  const int zeros = static_cast<int>(-std::floor(std::log10(size))) - 1;
  return without_zeros_behind(fmt::format("{:.{}f}", number, zeros + digits));
}

}  // namespace cairn
