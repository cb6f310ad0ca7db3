// The algorithm, protocols and chunks of each exchange of a plan.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/realize.hpp"
#include "cairn/lower/machine.hpp"

namespace cairn::lower {

struct ExchangeChoice {
  CollectiveKey key{};
  comm::Request request{};
  comm::Choice choice{};
};

// `all`: the layout of the placement; must outlive the result.
Feasible<std::vector<ExchangeChoice>> choose_exchanges(std::span<const CollectiveKey> keys,
                                                       const plan::Mesh& mesh,
                                                       const comm::GroupLayout& all,
                                                       comm::Realizer& realizer);

}  // namespace cairn::lower
