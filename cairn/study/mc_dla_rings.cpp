#include <fmt/format.h>

#include <array>

#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/backing_store.hpp"
#include "cairn/platform/facts.hpp"
#include "cairn/platform/topology/grid.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

const Bytes kSync(8.0 * 1024 * 1024);  // Fig. 9
const Bytes kMessage(4.0 * 1024);

Seconds time_of(const platform::Platform& platform, comm::Op op, std::uint32_t chunks) {
  const auto result = evaluate_collective(
      platform, {.op = op, .size = kSync}, {.algorithm = "ring", .chunks = chunks});
  return result->time;
}

// Figure 9: one ring of n nodes, over one of two nodes.
void ring_sizes(const McDla& study) {
  struct Line {
    comm::Op op;
    const char* name;
    std::uint32_t chunks;
  };

  const auto messages = static_cast<std::uint32_t>(kSync / kMessage);
  const std::array lines{Line{comm::Op::kAllGather, "all-gather", 1},
                         Line{comm::Op::kAllReduce, "all-reduce", 1},
                         Line{comm::Op::kBroadcast, "broadcast", messages}};
  report::Chart chart{.name = "fig09",
                      .title = "Fig. 9: 8 MiB on a ring, messages of 4 KiB",
                      .kind = report::ChartKind::kLines,
                      .x = {.title = "nodes on the ring"},
                      .y = {.title = "time over that of two nodes"}};
  for (const Line& line : lines) {
    report::Series series{.name = line.name};
    Seconds of_two(0.0);
    for (const std::uint64_t nodes : {2U, 4U, 8U, 12U, 16U, 20U, 24U, 28U, 32U, 36U}) {
      const auto ring = platform::topology::make_ring(
          {.devices = nodes, .bandwidth = kLink, .latency = study.runs.assumptions().hop_latency});
      const Seconds time = time_of(ring, line.op, line.chunks);
      of_two = nodes == 2 ? time : of_two;
      series.x.push_back(static_cast<double>(nodes));
      series.y.push_back(time / of_two);
    }
    chart.series.push_back(std::move(series));
  }
  study.result.charts.push_back(std::move(chart));
}

// Aggregate bandwidth of a device to its neighbouring memory-nodes.
double bandwidth_to_memory_nodes(const platform::Platform& platform,
                                 platform::PagePlacement placement) {
  double least = INFINITY;
  for (const platform::StorePart& part : platform::backing_store(platform, 0, placement)) {
    for (const platform::Hop& hop : part.out.hops) {
      least = std::min(least,
                       platform.graph.class_of(hop.link).bandwidth.si() / (part.share * hop.share));
    }
  }
  return least;
}

}  // namespace

void study_rings(const McDla& study) {
  namespace topology = platform::topology;
  ring_sizes(study);
  const McDlaAssumptions& a = study.runs.assumptions();
  const auto star_a = topology::make_mc_dla_star_a({.bandwidth = kLink});
  const auto star_b = topology::make_mc_dla_star_b({.bandwidth = kLink});
  const auto ring = topology::make_mc_dla_ring(
      {.bandwidth = kLink, .latency = a.hop_latency, .store_and_forward = a.store_and_forward});
  const auto alone =
      topology::make_ring({.devices = 8, .bandwidth = kLink, .latency = a.hop_latency});
  const auto with_memory_nodes =
      topology::make_mc_dla_ring({.rings = 1,
                                  .bandwidth = kLink,
                                  .latency = a.hop_latency,
                                  .store_and_forward = a.store_and_forward});
  study.find("ring.longest.star_a", static_cast<double>(star_a.rings.back().links.size()));
  study.find("ring.longest.star_b", static_cast<double>(star_b.rings.back().links.size()));
  study.find("ring.longest.ring", static_cast<double>(ring.rings.back().links.size()));
  study.find("ring.overhead_of_memory_nodes",
             time_of(with_memory_nodes, comm::Op::kAllReduce, 1) /
                     time_of(alone, comm::Op::kAllReduce, 1) -
                 1.0);
  const double aware = bandwidth_to_memory_nodes(ring, platform::PagePlacement::kBandwidthAware);
  const double local = bandwidth_to_memory_nodes(ring, platform::PagePlacement::kLocal);
  const double star = bandwidth_to_memory_nodes(star_b, platform::PagePlacement::kBandwidthAware);
  study.find("memory_node_bandwidth.mc_b", aware);
  study.find("memory_node_bandwidth.mc_b_of_mc_s", aware / star);
  study.find("memory_node_bandwidth.mc_b_of_mc_l", aware / local);
  study.find("memory_node_bandwidth.all", aware * kDevices);
  study.find("link_bandwidth_of_pcie", aware / (a.pcie_bandwidth.si() / a.devices_per_uplink));
}

}  // namespace cairn::study
