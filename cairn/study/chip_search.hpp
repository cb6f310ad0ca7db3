// The best shares of a chip by gradient descent, starting from its template (DeepFlow, section 7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/search/gradient_descent.hpp"
#include "cairn/study/chip_shares.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

struct ChipSearch {
  std::uint32_t starts = 1;  // the first is the template's shares
  std::uint32_t steps = 20;  // per start
  std::uint32_t rounds = 2;  // of alternating chip and strategy, until the strategy is stable
  double difference = 0.2;   // relative change of a share, for finite differences
  search::Norm norm = search::Norm::kSum;
  std::uint64_t seed = 1;
};

const Schema<ChipSearch>& schema_of(const ChipSearch*);

// Step time, to be minimized; nullopt: the chip is infeasible.
using TimeOf = std::function<std::optional<Seconds>(const chip::Template& design)>;

struct FoundChip {
  search::Point shares{};
  Seconds time{};
  std::size_t tried = 0;
};

// The best chip of all that were tried. `from` must be feasible.
FoundChip search_chip(const ChipShares& shares,
                      const search::Point& from,
                      const ChipSearch& how,
                      const TimeOf& time_of,
                      const Tick& tick);

}  // namespace cairn::study
