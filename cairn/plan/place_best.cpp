#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "cairn/base/cancellation.hpp"
#include "cairn/comm/estimate.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/plan/place.hpp"

namespace cairn::plan {

namespace {

// Exchanges of one kind, together.
struct Demand {
  double count = 0.0;
  double elements = 0.0;
};

using Kind = std::tuple<comm::Op, Axes, std::uint32_t, std::uint32_t>;

std::map<Kind, Demand> demands_of(const Plan& plan) {
  std::map<Kind, Demand> demands;
  for (const Exchange& exchange : plan.exchanges) {
    Demand& demand = demands[{exchange.op, exchange.axes, exchange.stage, exchange.to_stage}];
    demand.count += 1.0;
    demand.elements += exchange.elements;
  }
  return demands;
}

comm::Schedule schedule_of(const Kind& kind, const Mesh& mesh, const comm::Layout& layout) {
  const auto& [op, axes, stage, to_stage] = kind;
  if (op == comm::Op::kSendReceive) {
    const std::uint32_t count = mesh.shards_of_stage();
    std::vector<comm::Transfer> transfers;
    for (std::uint32_t i = 0; i < count; ++i) {
      transfers.push_back({stage * count + i, to_stage * count + i});
    }
    return comm::schedule_of_transfers(transfers);
  }
  const auto groups = mesh.groups(axes, stage);
  const comm::Algorithm& algorithm = op == comm::Op::kAllToAll ? comm::kDirect : comm::kRing;
  return comm::schedule_in_groups({.op = op, .size = Bytes(1.0)}, layout, groups, algorithm);
}

// Whichever device a shard is on, it is as near to all others: all devices hang on one node.
bool is_star(const platform::Graph& graph) {
  std::set<Id<platform::Node>> neighbours;
  for (const Id<platform::Node> device : graph.devices()) {
    for (const Id<platform::Link> link : graph.links_out(device)) {
      neighbours.insert(graph.link(link).to);
    }
  }
  return neighbours.size() == 1;
}

Seconds communication_time(const Plan& plan,
                           Bytes element,
                           const std::map<Kind, Demand>& demands,
                           const comm::Layout& layout) {
  Seconds sum(0.0);
  for (const auto& [kind, demand] : demands) {
    check_cancelled();
    const comm::Estimate one = comm::estimate(schedule_of(kind, plan.mesh, layout), layout);
    sum += one.latency * demand.count +
           Seconds((element * demand.elements).si() * one.seconds_per_byte);
  }
  return sum;
}

// Nothing if it is one.
std::optional<Infeasible> not_a_placement(const Placement& placement,
                                          const Mesh& mesh,
                                          std::uint32_t devices) {
  if (placement.size() != mesh.shards()) {
    return Infeasible{"placement",
                      fmt::format("{} devices for {} shards", placement.size(), mesh.shards())};
  }
  std::vector<bool> taken(devices, false);
  for (const std::uint32_t device : placement) {
    if (device >= devices || taken[device]) {
      return Infeasible{"placement",
                        device >= devices
                            ? fmt::format("there is no device {} among {}", device, devices)
                            : fmt::format("device {} has two shards", device)};
    }
    taken[device] = true;
  }
  return std::nullopt;
}

Feasible<AxisOrder> order_of(const std::vector<Axis>& said, const Mesh& mesh) {
  AxisOrder order{};
  std::size_t next = 0;
  for (const Axis axis : said) {
    if (next == kAxes || std::ranges::count(said, axis) > 1) {
      return Infeasible{"order", fmt::format("axis {} is said twice", enum_name(axis))};
    }
    order[next++] = axis;
  }
  for (const Axis axis : kMeshOrder) {
    if (std::ranges::find(said, axis) == said.end()) {
      if (mesh.size(axis) > 1) {
        return Infeasible{"order", fmt::format("does not say where {} comes", enum_name(axis))};
      }
      order[next++] = axis;
    }
  }
  return order;
}

}  // namespace

Feasible<Placement> place(const Plan& plan,
                          const Strategy& strategy,
                          const platform::Platform& platform) {
  const Mesh& mesh = plan.mesh;
  if (!strategy.placement.empty() && !strategy.order.empty()) {
    return Infeasible{"placement", "both an order of axes and the device of each shard"};
  }
  if (!strategy.placement.empty()) {
    if (auto why_not = not_a_placement(strategy.placement, mesh, platform.device_count())) {
      return *why_not;
    }
    return strategy.placement;
  }
  if (!strategy.order.empty()) {
    const auto order = order_of(strategy.order, mesh);
    if (!order) {
      return order.reason();
    }
    return place_in_order(mesh, *order, platform.dims);
  }
  const std::vector<AxisOrder> orders = axis_orders(mesh);
  Placement best = place_in_order(mesh, orders.front(), platform.dims);
  if (orders.size() == 1 || is_star(platform.graph)) {
    return best;
  }
  const Bytes element = chip::element_bytes(strategy.precision);
  const std::map<Kind, Demand> demands = demands_of(plan);
  Seconds least = Seconds::infinity();
  for (const AxisOrder& order : orders) {
    Placement placement = place_in_order(mesh, order, platform.dims);
    const Seconds time =
        communication_time(plan, element, demands, comm::make_layout(platform, placement));
    if (time < least) {
      least = time;
      best = std::move(placement);
    }
  }
  return best;
}

}  // namespace cairn::plan
