// Placement of shards on devices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/comm/realize.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::plan {

// The device rank of each shard of the mesh.
using Placement = std::vector<std::uint32_t>;

// The order in which axes are laid out; shards along the first are neighbours. It has all axes of a
// mesh that are larger than 1.
using AxisOrder = std::vector<Axis>;

// Shard i on device i.
Placement first_devices(const Mesh& mesh);

// How an axis continues from one dimension of the platform to the next.
enum class Turns : std::uint8_t {
  kBack,   // snake order: consecutive shards are neighbours, which suits rings
  kNever,  // rank order, which suits hierarchical collectives
};

// Dimension by dimension (Ardalani et al., DeepFlow, section 5.2): shards along the first axis take
// neighbouring devices along the platform's first dimension; an axis longer than the rest of a
// dimension continues in the next one.
Placement place_in_order(const Mesh& mesh,
                         const AxisOrder& order,
                         const std::vector<std::uint32_t>& dims,
                         Turns turns = Turns::kBack);

// All orders of the axes of a mesh.
std::vector<AxisOrder> axis_orders(const Mesh& mesh);

// Strategy::placement, or the placement with the lowest communication time, every exchange alone
// and realized as in the step (comm::Realizer), over all orders of axes (or Strategy::order), with
// turns and without. Ties: the first, with turns before without. Infeasible: the strategy's
// placement or order does not fit this mesh and platform.
Feasible<Placement> place(const Plan& plan, const Strategy& strategy, comm::Realizer& realizer);

}  // namespace cairn::plan
