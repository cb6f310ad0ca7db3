#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cairn/base/cancellation.hpp"
#include "cairn/plan/exchange_request.hpp"
#include "cairn/plan/place.hpp"

namespace cairn::plan {

namespace {

// Times that differ by less are equal.
constexpr double kTie = 1e-9;

// Totals of the exchanges of one kind.
struct Demand {
  double count = 0.0;
  double elements = 0.0;
};

std::map<ExchangeKind, Demand> demands_of(const Plan& plan) {
  std::map<ExchangeKind, Demand> demands;
  for (const Exchange& exchange : plan.exchanges) {
    Demand& demand = demands[{exchange.op, exchange.axes, exchange.stage, exchange.to_stage}];
    demand.count += 1.0;
    demand.elements += exchange.elements;
  }
  return demands;
}

// All devices are connected to one node, so every placement is equivalent.
bool is_star(const platform::Graph& graph) {
  std::set<Id<platform::Node>> neighbours;
  for (const Id<platform::Node> device : graph.devices()) {
    for (const Id<platform::Link> link : graph.links_out(device)) {
      neighbours.insert(graph.link(link).to);
    }
  }
  return neighbours.size() == 1;
}

// Time of all exchanges, each alone, with the mean size of its kind and realized as in the step.
// Infinite if an exchange is infeasible.
Seconds communication_time(const Mesh& mesh,
                           Bytes element,
                           const std::map<ExchangeKind, Demand>& demands,
                           const comm::GroupLayout& layout,
                           comm::Realizer& realizer) {
  Seconds sum(0.0);
  for (const auto& [kind, demand] : demands) {
    check_cancelled();
    const Bytes size = element * (demand.elements / demand.count);
    const auto choice = realizer.estimate(request_of(kind, size, mesh, layout));
    sum += choice ? choice->estimate * demand.count : Seconds::infinity();
  }
  return sum;
}

std::optional<Infeasible> check_placement(const Placement& placement,
                                          const Mesh& mesh,
                                          std::uint32_t devices) {
  if (placement.size() != mesh.shards()) {
    return Infeasible{Lack::kPlacement,
                      fmt::format("{} devices for {} shards", placement.size(), mesh.shards())};
  }
  std::vector<bool> taken(devices, false);
  for (const std::uint32_t device : placement) {
    if (device >= devices || taken[device]) {
      return Infeasible{
          Lack::kPlacement,
          device >= devices
              ? fmt::format("device {} does not exist, the platform has {}", device, devices)
              : fmt::format("device {} has two shards", device)};
    }
    taken[device] = true;
  }
  return std::nullopt;
}

// The distinct placements of each order, with turns and in rank order.
std::vector<Placement> placements_of(const Mesh& mesh,
                                     const std::vector<AxisOrder>& orders,
                                     const std::vector<std::uint32_t>& dims) {
  std::vector<Placement> placements;
  for (const Turns turns : {Turns::kBack, Turns::kNever}) {
    for (const AxisOrder& order : orders) {
      Placement placement = place_in_order(mesh, order, dims, turns);
      if (std::ranges::find(placements, placement) == placements.end()) {
        placements.push_back(std::move(placement));
      }
    }
  }
  return placements;
}

Feasible<AxisOrder> order_of(const std::vector<Axis>& given, const Mesh& mesh) {
  AxisOrder order{};
  std::size_t next = 0;
  for (const Axis axis : given) {
    if (next == kAxes || std::ranges::count(given, axis) > 1) {
      return Infeasible{Lack::kAxisOrder, fmt::format("axis {} is given twice", enum_name(axis))};
    }
    order[next++] = axis;
  }
  for (const Axis axis : kMeshOrder) {
    if (std::ranges::find(given, axis) == given.end()) {
      if (mesh.size(axis) > 1) {
        return Infeasible{Lack::kAxisOrder, fmt::format("axis {} is missing", enum_name(axis))};
      }
      order[next++] = axis;
    }
  }
  return order;
}

}  // namespace

Feasible<Placement> place(const Plan& plan, const Strategy& strategy, comm::Realizer& realizer) {
  const Mesh& mesh = plan.mesh;
  const platform::Platform& platform = realizer.router().platform();
  if (!strategy.placement.empty() && !strategy.order.empty()) {
    return Infeasible{Lack::kPlacement, "cannot be combined with order"};
  }
  if (!strategy.placement.empty()) {
    if (auto reason = check_placement(strategy.placement, mesh, platform.device_count())) {
      return *reason;
    }
    return strategy.placement;
  }
  std::vector<AxisOrder> orders;
  if (strategy.order.empty()) {
    orders = axis_orders(mesh);
  } else {
    const auto order = order_of(strategy.order, mesh);
    if (!order) {
      return order.reason();
    }
    orders = {*order};
  }
  const std::vector<Placement> placements = placements_of(mesh, orders, platform.dims);
  if (placements.size() == 1 || is_star(platform.graph)) {
    return placements.front();
  }
  const Bytes element = chip::element_bytes(strategy.precision);
  const std::map<ExchangeKind, Demand> demands = demands_of(plan);
  const Placement* best = &placements.front();
  Seconds least = Seconds::infinity();
  for (const Placement& placement : placements) {
    const Seconds time = communication_time(
        mesh, element, demands, comm::make_group_layout(platform, placement), realizer);
    if (time < least * (1.0 - kTie)) {
      least = time;
      best = &placement;
    }
  }
  return *best;
}

}  // namespace cairn::plan
