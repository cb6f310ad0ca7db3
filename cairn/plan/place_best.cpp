#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

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

// Exchanges of a kind, with their time in the placement that was tried first.
struct TimedKind {
  ExchangeKind kind{};
  Demand demand{};
  Seconds time{0.0};
};

std::vector<TimedKind> kinds_of(const Plan& plan) {
  std::map<ExchangeKind, Demand> demands;
  for (const Exchange& exchange : plan.exchanges) {
    Demand& demand = demands[{exchange.op, exchange.axes, exchange.stage, exchange.to_stage}];
    demand.count += plan.times(exchange.pass);
    demand.elements += exchange.elements * plan.times(exchange.pass);
  }
  std::vector<TimedKind> kinds;
  for (const auto& [kind, demand] : demands) {
    kinds.push_back({kind, demand});
  }
  return kinds;
}

// Time of all exchanges of a kind, each alone, with the mean size of the kind and realized as in
// the step. Infinite if an exchange is infeasible.
Seconds time_of(const TimedKind& each,
                const Mesh& mesh,
                Bytes element,
                const comm::GroupLayout& layout,
                comm::Realizer& realizer) {
  check_cancelled();
  const Bytes size = element * (each.demand.elements / each.demand.count);
  const auto choice = realizer.estimate(request_of(each.kind, size, mesh, layout));
  return choice ? choice->estimate * each.demand.count : Seconds::infinity();
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
  for (const Axis axis : given) {
    if (std::ranges::count(given, axis) > 1) {
      return Infeasible{Lack::kAxisOrder, fmt::format("axis {} is given twice", enum_name(axis))};
    }
  }
  for (const MeshAxis& each : mesh.axes()) {
    if (std::ranges::find(given, each.axis) == given.end()) {
      return Infeasible{Lack::kAxisOrder, fmt::format("axis {} is missing", enum_name(each.axis))};
    }
  }
  return given;
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
  std::vector<TimedKind> kinds = kinds_of(plan);
  const Placement* best = &placements.front();
  Seconds least(0.0);
  const comm::GroupLayout first = comm::make_group_layout(platform, placements.front());
  for (TimedKind& each : kinds) {
    each.time = time_of(each, mesh, element, first, realizer);
    least += each.time;
  }
  // The longest first: most placements are then known to be worse after a few of them.
  std::ranges::stable_sort(kinds, std::greater<>(), &TimedKind::time);
  for (const Placement& placement : std::span(placements).subspan(1)) {
    const comm::GroupLayout layout = comm::make_group_layout(platform, placement);
    Seconds time(0.0);
    for (const TimedKind& each : kinds) {
      if (time >= least * (1.0 - kTie)) {
        break;
      }
      time += time_of(each, mesh, element, layout, realizer);
    }
    if (time < least * (1.0 - kTie)) {
      least = time;
      best = &placement;
    }
  }
  return *best;
}

}  // namespace cairn::plan
