// The result of one collective: its time, its bottleneck, and the traffic on links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/comm/collective.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/explain/bound.hpp"
#include "cairn/explain/collective_spans.hpp"
#include "cairn/explain/engine_use.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

struct LinkLoad {
  std::string name{};
  std::uint32_t members = 1;  // links in the class, with identical traffic
  BytesPerSecond bandwidth{};
  Bytes traffic{};           // payload on one member
  double payload = 1.0;      // payload over traffic; the rest is protocol overhead
  double utilization = 0.0;  // traffic over (bandwidth x time), with protocol overhead
  ResourceKind kind = ResourceKind::kLink;
};

struct CollectiveResult {
  std::string platform{};
  comm::Op op = comm::Op::kAllReduce;
  Bytes size{};
  std::uint32_t devices = 0;  // participants
  std::string algorithm{};
  std::string protocol{};        // "LL + Simple"; empty: the platform has none for this
  std::string chosen_because{};  // empty unless the algorithm was chosen by auto
  std::uint32_t chunks = 1;

  Seconds time{};
  Seconds lower_bound{};                 // comm::lower_bound
  BytesPerSecond algorithm_bandwidth{};  // size / time
  BytesPerSecond bus_bandwidth{};        // NCCL's definition, comm::bus_factor
  Bytes sent_per_device{};               // average; without forwarding for other devices
  BytesPerSecond driven_bandwidth{};     // sent_per_device / time
  Bound bound{};
  comm::Endpoint endpoint{};
  // Average main memory traffic of endpoints, including forwarding by other devices.
  Bytes read_per_device{};
  Bytes written_per_device{};
  EngineUse engine{};

  std::uint64_t events = 0;
  std::uint32_t simulated_ranks = 0;          // fewer than devices if folded
  std::vector<LinkLoad> links{};              // busiest first
  std::vector<CollectiveSpan> spans{};        // if recorded
  std::vector<CollectiveFlow> flows{};        // if recorded
  std::vector<std::string> recorded_links{};  // if recorded
  // By link of the platform, if located: LinkLoad::traffic and LinkLoad::utilization.
  std::vector<Bytes> traffic_by_link{};
  std::vector<double> link_utilization{};
};

// Fills in the fields that follow from the timeline; `result` already has those of the request.
void explain_timeline(const comm::CollectiveProgram& program,
                      const sim::Timeline& timeline,
                      CollectiveResult& result);

}  // namespace cairn::explain
