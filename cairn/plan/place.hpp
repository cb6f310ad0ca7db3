// Which device has which shard.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/comm/realize.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::plan {

// By shard of the mesh: the rank of its device.
using Placement = std::vector<std::uint32_t>;

// The order in which axes are laid out, from the one whose shards are neighbours.
using AxisOrder = std::array<Axis, kAxes>;

inline constexpr AxisOrder kMeshOrder{Axis::kKernel1, Axis::kKernel2, Axis::kData, Axis::kStage};

// The first devices, in their order.
Placement first_devices(const Mesh& mesh);

// How an axis goes on from one dimension of the platform to the next.
enum class Turns : std::uint8_t {
  kBack,   // every other run goes backwards, so that consecutive shards are neighbours: good rings
  kNever,  // in rank order: rows of one dimension stay in step, as hierarchical collectives have it
};

// Dimension by dimension (Ardalani et al., DeepFlow, section 5.2): shards along the first axis take
// neighbouring devices along the platform's first dimension; an axis that is longer than what is
// left of a dimension goes on in the next one.
Placement place_in_order(const Mesh& mesh,
                         const AxisOrder& order,
                         const std::vector<std::uint32_t>& dims,
                         Turns turns = Turns::kBack);

// All orders of axes that differ: axes of one shard do not count.
std::vector<AxisOrder> axis_orders(const Mesh& mesh);

// Where the strategy says, or where exchanges take least time when each is alone and done as it
// will be (comm::Realizer), over all orders of axes, or the strategy's, with turns and without; of
// equal ones, the first, those with turns before those without. Infeasible: what the strategy says
// is no placement of this mesh on this platform.
Feasible<Placement> place(const Plan& plan, const Strategy& strategy, comm::Realizer& realizer);

}  // namespace cairn::plan
