// What a user learns about one collective: how long, what bounds it, where the traffic went.
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
  std::uint32_t members = 1;  // links of a class that all carry the same
  BytesPerSecond bandwidth{};
  Bytes carried{};       // by one member
  double payload = 1.0;  // part of its bandwidth that protocols leave for that
  double utilization =
      0.0;  // part of its capacity over the whole time; what a protocol adds counts
  ResourceKind kind = ResourceKind::kLink;
};

struct CollectiveResult {
  std::string platform{};
  comm::Op op = comm::Op::kAllReduce;
  Bytes size{};
  std::uint32_t devices = 0;  // that take part
  std::string algorithm{};
  std::string protocol{};        // of the platform's, "LL + Simple"; empty: it has none for this
  std::string chosen_because{};  // empty unless the algorithm was chosen for the user
  std::uint32_t chunks = 1;

  Seconds time{};
  Seconds lower_bound{};                 // comm::lower_bound
  BytesPerSecond algorithm_bandwidth{};  // size / time
  BytesPerSecond bus_bandwidth{};        // NCCL's definition, comm::bus_factor
  Bytes sent_per_device{};               // on average; what others forward is not counted
  BytesPerSecond driven_bandwidth{};     // sent_per_device / time
  std::string bound_by{};                // in words
  BoundKind bound_by_kind = BoundKind::kNothing;
  std::string bound_by_resource{};  // empty: none
  comm::Endpoint endpoint{};
  // On average, by endpoints; what others forward for a device counts.
  Bytes read_per_device{};
  Bytes written_per_device{};
  EngineUse engine{};

  std::uint64_t events = 0;
  std::uint32_t simulated_ranks = 0;          // fewer than devices if folded
  std::vector<LinkLoad> links{};              // busiest first
  std::vector<CollectiveSpan> spans{};        // if recorded
  std::vector<CollectiveFlow> flows{};        // likewise
  std::vector<std::string> recorded_links{};  // likewise
  std::vector<Bytes>
      carried_by_link{};  // by link of the platform, if located; as LinkLoad::carried
  std::vector<double> link_utilization{};  // likewise; as LinkLoad::utilization
};

// Fills in what follows from the timeline; `result` already says what was asked.
void explain_timeline(const comm::CollectiveProgram& program,
                      const sim::Timeline& timeline,
                      CollectiveResult& result);

}  // namespace cairn::explain
