// How long a schedule takes on a platform when nothing else runs, in closed form: what the engine
// would find, without running it.
//
// A phase of k steps takes, for a chunk, t = k max over messages of (l + c), with l the latency and
// c the time of the busiest resource on its way when all messages of the step share it. C chunks
// follow each other. A resource that is busy for b_p in phase p, first in f, last in g, is in use
//
//   sum of t from f to g + (C - 1) max b                    if all pass f before one is at g
//   C sum of b + sum of t over phases between, with b = 0   else, since older chunks go first
//
// and what comes before f and after g is added. The time is the largest over all resources; a
// window of W chunks takes at least (1 + (C - 1) / W) sum of t. Parts run side by side and share
// resources phase by phase. Exact where all ranks are in step and chunks do not overlap, as
// closed_form.hpp has it. Parts that do not go through the same phases are bounded by what the
// busiest resource carries of all of them.
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
  // Of the tasks of `program`, which are one collective of `size` bytes in one chunk.
  Estimate(const sim::Program& program, Bytes size);

  // For any size of the same schedule, as far as latencies do not depend on it
  // (platform::Route::stops). What comes before the first message is not included.
  [[nodiscard]] Seconds time(Bytes size, std::uint32_t chunks = 1, std::uint32_t window = 1) const;

 private:
  struct Message {
    double latency = 0.0;
    double shared = 0.0;  // seconds per byte of the collective's size, with all others of the step
  };

  struct Phase {
    double steps = 1.0;
    std::vector<Message> slowest{};  // those that another is not slower than in both
  };

  // Parts that go through the same phases at the same time.
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
  double busiest_ = 0.0;  // a resource over all lines, seconds per byte
};

// Of what ProgramBuilder::add makes of the same, in one chunk.
Estimate estimate(const Collective& collective,
                  const Layout& layout,
                  const Schedule& schedule,
                  std::span<const Buffers> buffers,
                  platform::Router& router,
                  const Endpoint& endpoint);

}  // namespace cairn::comm
