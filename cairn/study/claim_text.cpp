#include "cairn/study/claim_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::study {

namespace {

struct Unit {
  std::string_view ending;
  Dimension dimension;
};

constexpr std::array<Unit, 5> kUnits{{{", s", Seconds::kDimension},
                                      {", B", Bytes::kDimension},
                                      {", B/s", BytesPerSecond::kDimension},
                                      {", J", Joules::kDimension},
                                      {", W", Watts::kDimension}}};

// nullptr: a ratio, a count or a statement.
const Unit* unit_of(const Claim& claim) {
  const auto found = std::ranges::find_if(
      kUnits, [&](const Unit& unit) { return claim.what.ends_with(unit.ending); });
  return found == kUnits.end() ? nullptr : &*found;
}

}  // namespace

std::string text_without_unit(const Claim& claim) {
  const Unit* unit = unit_of(claim);
  return claim.what.substr(0, claim.what.size() - (unit == nullptr ? 0 : unit->ending.size()));
}

std::string number_text(const Claim& claim, const std::optional<double>& value) {
  if (!value) {
    return "";
  }
  const Unit* unit = unit_of(claim);
  return unit == nullptr ? many(*value) : quantity_to_text(*value, unit->dimension);
}

}  // namespace cairn::study
