// The time of a schedule on an otherwise idle platform, in closed form: an estimate of the
// simulated time.
//
// For one chunk, a phase of k steps takes t = k max over messages of (l + c), with l the latency
// and c the time of the busiest resource on the route when all messages of the step share it. C
// chunks follow each other. A resource that is busy for b_p in phase p, first in f, last in g, is
// in use
//
//   sum of t from f to g + (C - 1) max b                    if all pass f before one is at g
//   C sum of b + sum of t over phases between, with b = 0   otherwise: older chunks go first
//
// plus the time before f and after g. The estimate is the maximum over all resources; with a window
// of W chunks it is at least (1 + (C - 1) / W) sum of t. Parts run concurrently and share resources
// phase by phase. Exact where ranks are in lockstep and chunks do not overlap (docs/comm.md).
// Parts with different phases are bounded by the total load of the busiest resource.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

class Estimate {
 public:
  // Precondition: the tasks of `program` are one collective of `size` bytes in one chunk.
  Estimate(const sim::Program& program, Bytes size);

  // For any size of the same schedule, as long as latencies do not depend on the size
  // (platform::Route::stops). Start-up time before the first message is not included.
  [[nodiscard]] Seconds time(Bytes size, std::uint32_t chunks = 1, std::uint32_t window = 1) const;

 private:
  struct Message {
    double latency = 0.0;
    double shared = 0.0;  // seconds per byte of the collective, shared with the step's messages
  };

  struct Phase {
    double steps = 1.0;
    std::vector<Message> slowest{};  // Pareto front of latency and shared time
  };

  // Parts that pass the same phases at the same time.
  struct Line {
    std::vector<Phase> phases{};
    std::set<std::vector<double>> loads{};  // of resources, by phase: seconds per byte, all steps
  };

  static void add(const Message& message, Phase& phase);
  [[nodiscard]] static double time_of(const Line& line,
                                      double chunk,
                                      std::uint32_t chunks,
                                      std::uint32_t window);

  std::vector<Line> lines_;
  double busiest_ = 0.0;  // load of the busiest resource over all lines, seconds per byte
};

// Estimate of the program that ProgramBuilder::add builds in one chunk.
Estimate estimate(const Collective& collective,
                  const GroupLayout& layout,
                  const CollectiveSchedule& schedule,
                  std::span<const Buffers> buffers,
                  platform::Router& router,
                  const Endpoint& endpoint);

}  // namespace cairn::comm
