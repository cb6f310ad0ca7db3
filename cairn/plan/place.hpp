// Which device has which shard.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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

// Dimension by dimension (Ardalani et al., DeepFlow, section 5.2): shards along the first axis take
// neighbouring devices along the platform's first dimension; an axis that is longer than what is
// left of a dimension goes on in the next one, turning back where that keeps neighbours together.
Placement place_in_order(const Mesh& mesh,
                         const AxisOrder& order,
                         const std::vector<std::uint32_t>& dims);

// All orders of axes that differ: axes of one shard do not count.
std::vector<AxisOrder> axis_orders(const Mesh& mesh);

// Where the strategy says, or in the order of axes whose exchanges take least time when each is
// alone; of equal ones, the first of axis_orders. Infeasible: what the strategy says is no
// placement of this mesh on this platform.
Feasible<Placement> place(const Plan& plan,
                          const Strategy& strategy,
                          const platform::Platform& platform);

}  // namespace cairn::plan
