#include "cairn/explore/written_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "cairn/base/any_quantity.hpp"
#include "cairn/base/config_reader.hpp"

namespace cairn::explore {

namespace {

// Nullopt if the dimensions differ.
std::optional<double> number_in(const Figure& figure, const std::string& unit) {
  if (figure.unit == unit) {
    return figure.number;
  }
  const auto value = any_quantity_in(to_text(figure));
  const auto one = any_quantity_in("1 " + unit);
  return value && one && value->dimension == one->dimension ? std::optional(value->si / one->si)
                                                            : std::nullopt;
}

}  // namespace

Figure read_figure(const Config& config) {
  auto figure = figure_in(scalar_text(config, "a number, with its unit if it has one"));
  if (!figure) {
    reject(config, "is not a number, with its unit if it has one (expected e.g. \"25 GB/s\")");
  }
  if (!std::isfinite(figure->number)) {
    reject(config, "must be finite");
  }
  return *std::move(figure);
}

double read_number_in(const Config& config, const std::string& unit) {
  const auto number = number_in(read_figure(config), unit);
  if (!number) {
    reject(config,
           unit.empty() ? "has a unit, but this key has none"
                        : fmt::format("cannot be converted to {}", in_quotes(unit)));
  }
  return *number;
}

bool means_the_same(const Config& a, const Config& b) {
  if (to_text(a) == to_text(b)) {
    return true;
  }
  if (a.kind != Config::Kind::kScalar || b.kind != Config::Kind::kScalar) {
    return false;
  }
  const auto one = figure_in(a.text);
  const auto other = figure_in(b.text);
  return one && other && number_in(*one, other->unit) == other->number;
}

}  // namespace cairn::explore
