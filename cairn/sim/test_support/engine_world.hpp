// Builders for the input of an engine, and readers of its results, for tests. Times are in
// nanoseconds: on a link of 1 GB/s a byte takes one.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cairn/sim/engine.hpp"

namespace cairn::sim::test {

inline constexpr double kGigabyte = 1e9;  // per second
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

inline SimTime ns(double nanoseconds) {
  return after(SimTime(), Seconds(nanoseconds * 1e-9));
}

inline Resource link(std::string name, double capacity = kGigabyte) {
  return {std::move(name), ResourceKind::kShared, capacity, GrantOrder::kFirstIn};
}

inline Resource pool(std::string name, double amount, GrantOrder order = GrantOrder::kFirstIn) {
  return {std::move(name), ResourceKind::kHeld, amount, order};
}

inline Demand drawing(std::vector<Draw> draws, double latency_ns = 0.0, double limit = kNoLimit) {
  return {std::move(draws), {}, Seconds(latency_ns * 1e-9), limit};
}

inline Demand drawing(Id<Resource> on, double latency_ns = 0.0, double limit = kNoLimit) {
  return drawing({{on, 1.0, 1.0}}, latency_ns, limit);
}

// Holds, and otherwise runs at 1 GB/s by itself.
inline Demand holding(std::vector<Hold> holds) {
  return {{}, std::move(holds), Seconds(0.0), kGigabyte};
}

inline Activity activity(Id<Demand> demand, Id<Issuer> issuer, double work, std::uint64_t tag) {
  Activity a;
  a.demand = demand;
  a.issuer = issuer;
  a.work = work;
  a.tag = tag;
  return a;
}

// Completions by tag, until the engine is idle.
inline std::map<std::uint64_t, Completion> run(Engine& engine) {
  std::map<std::uint64_t, Completion> done;
  while (true) {
    const auto completions = engine.advance();
    if (completions.empty()) {
      return done;
    }
    for (const Completion& completion : completions) {
      done[completion.tag] = completion;
    }
  }
}

// In picoseconds; for tolerances.
inline double distance_ps(SimTime a, SimTime b) {
  const std::int64_t d = a.picoseconds() - b.picoseconds();
  return static_cast<double>(d < 0 ? -d : d);
}

}  // namespace cairn::sim::test
