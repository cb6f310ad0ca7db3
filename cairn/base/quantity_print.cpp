#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "cairn/base/article.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn {

namespace {

// A dimension with a name. Its unit takes the prefixes of 10^smallest to 10^largest, in steps of
// 10^step (10^6 for areas, whose prefix is squared).
struct Named {
  Dimension dimension;
  const char* name;
  const char* unit;
  const char* example;
  int smallest;
  int largest;
  int step = 3;
};

constexpr std::array<Named, 14> kNamed{{
    {Seconds::kDimension, "time", "s", "350 ns", -15, 0},
    {Hertz::kDimension, "frequency", "Hz", "1.245 GHz", 0, 24},
    {Bytes::kDimension, "size", "B", "80 GiB", 0, 24},
    {BytesPerSecond::kDimension, "bandwidth", "B/s", "25 GB/s", 0, 24},
    {Flops::kDimension, "work", "flop", "2 Tflop", 0, 24},
    {FlopsPerSecond::kDimension, "throughput", "flop/s", "312 Tflop/s", 0, 24},
    {Joules::kDimension, "energy", "J", "5 mJ", -15, 24},
    {JoulesPerByte::kDimension, "energy per byte", "J/B", "13 pJ/bit", -15, 24},
    {JoulesPerFlop::kDimension, "energy per flop", "J/flop", "0.5 pJ/flop", -15, 24},
    {Watts::kDimension, "power", "W", "700 W", -15, 24},
    {Metres::kDimension, "length", "m", "5 mm", -15, 3},
    {SquareMetres::kDimension, "area", "m2", "814 mm2", -18, 0, 6},
    {Volts::kDimension, "voltage", "V", "0.75 V", -15, 3},
    {Dollars::kDimension, "price", "USD", "25000 USD", 0, 0},
}};

const Named* find_named(Dimension dimension) {
  const auto* found = std::ranges::find(kNamed, dimension, &Named::dimension);
  return found == kNamed.end() ? nullptr : found;
}

// "B*m/s2"
std::string base_units(Dimension d) {
  struct Power {
    int exponent;
    const char* symbol;
  };

  const std::array<Power, 7> powers{{{d.data, "B"},
                                     {d.work, "flop"},
                                     {d.energy, "J"},
                                     {d.length, "m"},
                                     {d.voltage, "V"},
                                     {d.money, "USD"},
                                     {d.time, "s"}}};
  std::string text;
  for (const int sign : {1, -1}) {
    for (const auto& [exponent, symbol] : powers) {
      if (exponent * sign > 0) {
        text += sign < 0 ? "/" : (text.empty() ? "" : "*");
        text += symbol;
        text += exponent * sign == 1 ? "" : std::to_string(exponent * sign);
      }
    }
  }
  return text;
}

// The prefix of 10^ten, from "f" to "Y".
char prefix_letter(int ten) {
  const int position = ten / 3 + 5;
  return std::string_view("fpnum kMGTPEZY").at(static_cast<std::size_t>(position));
}

// d1.d2d3... * 10^exponent without trailing zeros: "100", "0.05", "1.25e+30".
std::string decimal_text(std::string digits, int exponent) {
  constexpr int kMaxWholeDigits = 9;
  constexpr int kMaxLeadingZeros = 4;
  digits.erase(digits.find_last_not_of('0') + 1);
  const bool scientific = exponent >= kMaxWholeDigits || exponent < -kMaxLeadingZeros;
  const int whole = scientific ? 1 : exponent + 1;
  if (whole <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
  }
  const auto point = static_cast<std::size_t>(whole);
  digits.resize(std::max(digits.size(), point), '0');
  if (digits.size() > point) {
    digits.insert(point, ".");
  }
  return scientific ? fmt::format("{}e{}", digits, exponent) : digits;
}

}  // namespace

DimensionText dimension_text(Dimension dimension) {
  if (const Named* named = find_named(dimension)) {
    return {named->name, named->unit, named->example};
  }
  const std::string unit = base_units(dimension);
  return {"quantity", unit, "2.5 " + unit};
}

std::string expected_text(Dimension dimension) {
  const DimensionText text = dimension_text(dimension);
  return fmt::format("{} (expected e.g. \"{}\")", with_article(text.name), text.example);
}

std::string quantity_to_text(double si, Dimension dimension, int digits) {
  const std::string unit = dimension_text(dimension).unit;
  if (si == 0.0 || !std::isfinite(si)) {
    return fmt::format("{} {}", si == 0.0 ? 0.0 : si, unit);
  }
  const std::string scientific =
      fmt::format("{:.{}e}", std::fabs(si), std::clamp(digits, 1, kExactDigits) - 1);
  const std::size_t e = scientific.find('e');
  std::string significant = scientific.substr(0, e);
  std::erase(significant, '.');
  const int exponent = std::stoi(scientific.substr(e + 1));

  int ten = 0;
  int step = 3;
  if (const Named* named = find_named(dimension)) {
    step = named->step;
    const int below = exponent >= 0 ? 0 : step - 1;  // rounds the division down
    ten = std::clamp((exponent - below) / step * step, named->smallest, named->largest);
  }
  const std::string prefix = ten == 0 ? "" : std::string(1, prefix_letter(ten * 3 / step));
  return fmt::format(
      "{}{} {}{}", si < 0.0 ? "-" : "", decimal_text(significant, exponent - ten), prefix, unit);
}

}  // namespace cairn
