// When one device of each stage stands for all, by what the platform states.
#pragma once

#include <span>

#include "cairn/lower/exchange_choice.hpp"
#include "cairn/lower/machine.hpp"

namespace cairn::lower {

// All devices of the platform do the same, and exchange among all of them by algorithms in which
// each sends what the first sends, shifted: the platform's symmetry, where it states one, then says
// what folding would find out. Neighbours must be the platform's: shards are placed in its order,
// or the algorithm goes by its dimensions, wherever they are. Where any device is like any other,
// the same goes for groups of devices, and for stages whose endpoints take nothing of devices.
bool all_alike(const platform::Platform& platform,
               const plan::Mesh& mesh,
               std::span<const ExchangeChoice> exchanges,
               const MachineOptions& options);

}  // namespace cairn::lower
