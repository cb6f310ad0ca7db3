// Small phase programs, for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/sim/program.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim::test {

struct Ring {
  std::vector<double> bandwidths;  // by link; link i goes from rank i to the next
  double latency_ns = 0.0;
  double payload = 0.0;
  double chunk_size = 0.0;  // 0: one chunk
  std::uint32_t window = 1;

  [[nodiscard]] std::uint32_t ranks() const {
    return static_cast<std::uint32_t>(bandwidths.size());
  }

  // All-reduce: reduce-scatter and all-gather.
  [[nodiscard]] std::uint32_t steps() const { return 2 * (ranks() - 1); }

  [[nodiscard]] double bytes_per_step() const { return payload / ranks(); }
};

inline PhaseProgram phases(std::uint32_t ranks, double payload, Id<Issuer> issuer) {
  PhaseProgram p;
  p.issuer = issuer;
  p.ranks = ranks;
  p.payload = payload;
  p.chunk_size = payload;
  return p;
}

inline Lane lane(std::uint32_t from, std::uint32_t to, double work, Id<Demand> demand) {
  Lane l;
  l.from = from;
  l.to = to;
  l.work = work;
  l.demand = demand;
  return l;
}

inline void add_phase(PhaseProgram& program, std::uint32_t steps, const std::vector<Lane>& lanes) {
  Phase phase;
  phase.steps = steps;
  phase.first_lane = static_cast<std::uint32_t>(program.lanes.size());
  program.lanes.insert(program.lanes.end(), lanes.begin(), lanes.end());
  phase.end_lane = static_cast<std::uint32_t>(program.lanes.size());
  program.phases.push_back(phase);
}

// A ring all-reduce on links of its own, the last resources of the program.
inline Id<Task> add_ring(Program& program, const Ring& ring, Id<Issuer> issuer) {
  PhaseProgram p = phases(ring.ranks(), ring.payload, issuer);
  p.chunk_size = ring.chunk_size > 0.0 ? ring.chunk_size : ring.payload;
  p.window = ring.window;
  std::vector<Lane> lanes;
  for (std::uint32_t r = 0; r < ring.ranks(); ++r) {
    const Id<Resource> wire = program.add(link("link", ring.bandwidths[r]));
    lanes.push_back(lane(r,
                         (r + 1) % ring.ranks(),
                         1.0 / ring.ranks(),
                         program.add(drawing(wire, ring.latency_ns))));
  }
  add_phase(p, ring.steps(), lanes);
  return program.add(Task{std::move(p), {}});
}

}  // namespace cairn::sim::test
