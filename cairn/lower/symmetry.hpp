// Whether one device of each stage represents all, by the platform's stated symmetry.
#pragma once

#include <span>

#include "cairn/lower/exchange_choice.hpp"
#include "cairn/lower/machine.hpp"

namespace cairn::lower {

// True if all devices of the platform do the same, and exchange among all of them by
// shift-invariant algorithms: then the platform's stated symmetry gives the classes that folding
// would find. Neighbours must be the platform's: shards are placed in its order, or the algorithm
// follows its dimensions. On an exchange-symmetric platform the same holds for groups of devices,
// and for pipeline stages whose endpoints take no device resources.
bool is_fully_symmetric(const platform::Platform& platform,
                        const plan::Mesh& mesh,
                        std::span<const ExchangeChoice> exchanges,
                        const MachineOptions& options);

}  // namespace cairn::lower
