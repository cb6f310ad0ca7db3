// The best shares of a chip by gradient descent, begun at those of its template (DeepFlow,
// section 7).
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
  std::uint32_t starts = 1;  // the first at the template's shares
  std::uint32_t steps = 20;  // of each
  std::uint32_t rounds = 2;  // chip and strategy by turns, until the strategy stays
  double difference = 0.2;   // by which part of itself a share is changed for its slope
  search::Norm norm = search::Norm::kSum;
  std::uint64_t seed = 1;
};

const Schema<ChipSearch>& schema_of(const ChipSearch*);

// Step time, to be small; nothing: there is no such chip.
using TimeOf = std::function<std::optional<Seconds>(const chip::Template& design)>;

struct FoundChip {
  search::Point shares{};
  Seconds time{};
  std::size_t tried = 0;
};

// The best of all that was tried. `from`: must be possible.
FoundChip search_chip(const ChipShares& shares,
                      const search::Point& from,
                      const ChipSearch& how,
                      const TimeOf& time_of,
                      const Tick& tick);

}  // namespace cairn::study
