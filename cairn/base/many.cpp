#include "cairn/base/many.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn {

namespace {

constexpr double kSmallest = 1e-4;  // {:g} writes no exponent from here on
constexpr double kLong = 1e5;       // thousands separators from here on

std::string without_trailing_zeros(std::string text) {
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

// "-1234567" is "-1,234,567".
std::string with_separators(std::string whole) {
  constexpr std::size_t kGroup = 3;
  const std::size_t first = whole.starts_with('-') ? 1 : 0;
  for (std::size_t at = whole.size(); at > first + kGroup;) {
    at -= kGroup;
    whole.insert(at, 1, ',');
  }
  return whole;
}

}  // namespace

std::string many(double number, int digits) {
  const double size = std::abs(number);
  if (!std::isfinite(number) || number == 0.0) {
    return fmt::format("{:g}", number);
  }
  if (size >= std::pow(10.0, digits) - 0.5) {
    const std::string whole = fmt::format("{:.0f}", number);
    return size < kLong ? whole : with_separators(whole);
  }
  if (size >= kSmallest) {
    return fmt::format("{:.{}g}", number, digits);
  }
  const int zeros = static_cast<int>(-std::floor(std::log10(size))) - 1;
  return without_trailing_zeros(fmt::format("{:.{}f}", number, zeros + digits));
}

}  // namespace cairn
