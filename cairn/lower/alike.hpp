// Which algorithm and protocol a collective of a step takes, and when one device stands for all by
// what the platform states.
#pragma once

#include <span>
#include <vector>

#include "cairn/comm/algorithm.hpp"
#include "cairn/lower/machine.hpp"

namespace cairn::lower {

// nullptr if the one that is asked for cannot do it in all groups.
const comm::Algorithm* choose_algorithm(const MachineOptions& options,
                                        comm::Op op,
                                        const std::vector<comm::Layout>& groups);

// The platform's protocol that is fastest for the first group when that is alone: libraries know no
// more than the group they are called in. nullptr if the platform has none for it.
const platform::Protocol* choose_protocol(const comm::Collective& collective,
                                          const std::vector<comm::Layout>& groups,
                                          const comm::Algorithm& algorithm);

// All devices of the platform do the same, and exchange among all of them by algorithms in which
// each sends what the first sends, shifted: the platform's symmetry, where it states one, then says
// what folding would find out. Neighbours must be the platform's: shards are placed in its order,
// or the algorithm goes by its dimensions, wherever they are. Where any device is like any other,
// the same goes for groups of devices, and for stages whose endpoints take nothing of devices.
bool all_alike(const platform::Platform& platform,
               const plan::Mesh& mesh,
               const plan::Placement& placement,
               std::span<const CollectiveKey> collectives,
               const MachineOptions& options);

}  // namespace cairn::lower
