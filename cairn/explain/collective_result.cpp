#include "cairn/explain/collective_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cairn/sim/program.hpp"

namespace cairn::explain {

namespace {

// Busiest first. Loads that differ only by rounding, which depends on folding, are equal; then
// links come before injection limits, in order of first use.
void sort_by_use(std::vector<LinkLoad>& loads) {
  double highest = 0.0;
  for (const LinkLoad& load : loads) {
    highest = std::max(highest, load.utilization);
  }
  std::ranges::stable_sort(loads, std::greater<>{}, [highest](const LinkLoad& load) {
    const double relative = highest > 0.0 ? load.utilization / highest : 0.0;
    return std::pair(std::llround(relative * 1e9), load.kind == ResourceKind::kLink);
  });
}

std::vector<LinkLoad> link_loads(const comm::CollectiveProgram& program,
                                 const sim::Timeline& timeline,
                                 Seconds time) {
  std::vector<LinkLoad> loads;
  for (std::size_t r = 0; r < program.traffic.size(); ++r) {
    const comm::Traffic& traffic = program.traffic[r];
    LinkLoad load{.name = traffic.name,
                  .members = traffic.members,
                  .bandwidth = traffic.bandwidth,
                  .traffic = Bytes(timeline.use[r].drawn * traffic.payload),
                  .payload = traffic.payload,
                  .kind = traffic.kind};
    if (time > Seconds(0.0)) {
      load.utilization = Bytes(timeline.use[r].drawn) / (load.bandwidth * time);
    }
    loads.push_back(std::move(load));
  }
  sort_by_use(loads);
  return loads;
}

// Traffic and utilization of each link of the platform, if the program has located them.
void locate(const comm::CollectiveProgram& program,
            const sim::Timeline& timeline,
            CollectiveResult& result) {
  std::vector<double> traffic;
  std::vector<double> utilization;
  for (std::size_t r = 0; r < program.traffic.size(); ++r) {
    const Bytes drawn(timeline.use[r].drawn);
    traffic.push_back(drawn.si() * program.traffic[r].payload);
    utilization.push_back(
        result.time > Seconds(0.0) ? drawn / (program.traffic[r].bandwidth * result.time) : 0.0);
  }
  for (const double bytes : comm::by_link(program.of_link, traffic)) {
    result.traffic_by_link.emplace_back(bytes);
  }
  result.link_utilization = comm::by_link(program.of_link, utilization);
}

bool has_latency(const sim::Program& program) {
  const auto late = [](const auto& latency) { return latency > Seconds(0.0); };
  return std::ranges::any_of(program.demands, late, &sim::Demand::latency) ||
         std::ranges::any_of(program.tasks, [&](const sim::Task& task) {
           const auto& part = std::get<sim::PhaseProgram>(task.what);
           return late(part.start) ||
                  std::ranges::any_of(part.lanes, late, &sim::Lane::step_latency);
         });
}

// The bottleneck is a resource with a utilization of at least kNearlyAlways, or else an engine's
// memory or state machines. Otherwise it is a resource with a utilization of at least one half;
// otherwise latency; without any latency, devices wait for each other.
Bound bound_by(const comm::CollectiveProgram& program, const CollectiveResult& result) {
  constexpr double kNearlyAlways = 0.9;
  const std::vector<LinkLoad>& loads = result.links;
  const auto set = [](BoundKind kind, const char* text, const std::string& resource = {}) {
    return Bound{kind, text + resource, resource};
  };
  if (result.time <= Seconds(0.0) || loads.empty()) {
    return set(BoundKind::kNothing, "nothing");
  }
  if (const std::string held = engine_bound(result.engine);
      !held.empty() && loads.front().utilization < kNearlyAlways) {
    return set(BoundKind::kEndpoint, "endpoint: ", held);
  }
  if (loads.front().utilization < 0.5) {
    return has_latency(program.program)
               ? set(BoundKind::kLatency, "latency")
               : set(BoundKind::kWaiting, "devices waiting for each other");
  }
  const LinkLoad& busiest = loads.front();
  return busiest.kind == ResourceKind::kEndpoint
             ? set(BoundKind::kEndpoint, "endpoint: ", busiest.name)
         : busiest.kind == ResourceKind::kLink
             ? set(BoundKind::kLink, "link bandwidth: ", busiest.name)
             : set(BoundKind::kInjection, "injection limit: ", busiest.name);
}

}  // namespace

void explain_timeline(const comm::CollectiveProgram& program,
                      const sim::Timeline& timeline,
                      CollectiveResult& result) {
  result.time = timeline.end.since(SimTime{});
  result.events = timeline.events;
  result.simulated_ranks = program.ranks;
  result.links = link_loads(program, timeline, result.time);
  locate(program, timeline, result);
  result.engine = engine_use(program.program, timeline);
  result.bound = bound_by(program, result);
  result.read_per_device = Bytes(program.moved.read / result.devices);
  result.written_per_device = Bytes(program.moved.written / result.devices);
  if (result.time > Seconds(0.0)) {
    result.algorithm_bandwidth = result.size / result.time;
    result.bus_bandwidth = result.algorithm_bandwidth * comm::bus_factor(result.op, result.devices);
    result.driven_bandwidth = result.sent_per_device / result.time;
  }
  result.spans = collective_spans(program, timeline, result.devices);
  result.flows = collective_flows(program, timeline);
  if (!result.spans.empty()) {
    for (const comm::Traffic& traffic : program.traffic) {
      result.recorded_links.push_back(traffic.name);
    }
  }
}

}  // namespace cairn::explain
