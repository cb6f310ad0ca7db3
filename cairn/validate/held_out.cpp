#include "cairn/validate/held_out.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

std::vector<bool> held_out(const Comparison& comparison) {
  constexpr std::size_t kEvery = 3;
  const auto kind = std::ranges::find(kinds(), comparison.kind, &Kind::name);
  const bool is_fitted = kind != kinds().end() && kind->fitted;
  std::map<std::string, std::size_t> order;
  std::vector<bool> held;
  held.reserve(comparison.cases.size());
  for (const ComparedRow& each : comparison.cases) {
    const std::size_t place = order.emplace(each.shape, order.size()).first->second;
    held.push_back(each.held_out ? *each.held_out
                   : is_fitted   ? place % kEvery == kEvery - 1
                                 : each.group.find("(fitted)") == std::string::npos);
  }
  return held;
}

void keep_held_out(Comparison& comparison) {
  const std::vector<bool> held = held_out(comparison);
  std::vector<ComparedRow> kept;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i]) {
      kept.push_back(std::move(comparison.cases[i]));
    }
  }
  comparison.cases = std::move(kept);
  std::erase_if(comparison.skipped,
                [](const SkippedRow& row) { return row.held_out && !*row.held_out; });
}

}  // namespace cairn::validate
