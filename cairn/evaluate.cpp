#include "cairn/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/check.hpp"
#include "cairn/comm/lower_bound.hpp"
#include "cairn/platform/route.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/fold.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

namespace {

using comm::Algorithm;
using comm::Collective;
using comm::CollectiveProgram;
using comm::Layout;
using explain::CollectiveResult;

// Schedules are written down message by message unless symmetry is stated; beyond this it is
// refused.
constexpr double kMostMessages = 2e8;
constexpr double kBytesPerMessage = 250.0;  // message, lane, demand with a few draws

// What `auto` spends on trying one algorithm, in draws looked at.
constexpr double kMostTried = 2e6;

bool folds_by_statement(const Algorithm& algorithm,
                        const Collective& collective,
                        const Layout& layout,
                        const CollectiveOptions& options) {
  return options.fold && algorithm.shift_invariant(collective.op, layout);
}

// Into how many chunks `auto` cuts: as many as suit the algorithm, unless simulating them would
// cost more than kMostTried. A trial looks at about one draw per message, link on the way and
// chunk, and, where every device is simulated, as many again for every other chunk on its way. 0:
// not even one.
std::uint32_t affordable_chunks(const Algorithm& algorithm,
                                const Collective& collective,
                                const Layout& layout,
                                const CollectiveOptions& options) {
  const auto devices = layout.platform->graph.devices();
  const platform::Route far =
      platform::Router(*layout.platform)
          .route(devices[layout.device(0)], devices[layout.device(layout.positions / 2)]);
  const bool stated = folds_by_statement(algorithm, collective, layout, options);
  const double draws = algorithm.messages(layout) * static_cast<double>(far.hops.size()) /
                       (stated ? layout.positions : 1.0);
  const double affordable = kMostTried / draws;
  const double in_flight =
      stated ? 1.0 : std::clamp(std::sqrt(affordable), 1.0, 1.0 * options.window);
  return std::min(options.chunks.value_or(algorithm.chunks(collective, layout)),
                  static_cast<std::uint32_t>(std::min(affordable / in_flight, 1e9)));
}

CollectiveProgram fold_by_refinement(CollectiveProgram program) {
  std::optional<sim::FoldedProgram> folded = sim::fold(program.program);
  if (!folded) {
    return program;
  }
  CollectiveProgram result{.program = std::move(folded->program), .traffic = {}, .ranks = 0};
  for (const sim::Task& task : result.program.tasks) {
    result.ranks = std::max(result.ranks, std::get<sim::PhaseProgram>(task.what).ranks);
  }
  for (std::size_t r = 0; r < folded->resource.size(); ++r) {
    comm::Traffic traffic = program.traffic[folded->resource[r]];
    traffic.members = folded->resource_members[r];
    result.traffic.push_back(std::move(traffic));
  }
  return result;
}

Feasible<CollectiveResult> run_algorithm(const Algorithm& algorithm,
                                         const Collective& collective,
                                         Layout layout,
                                         const CollectiveOptions& options) {
  layout.first_position_only = folds_by_statement(algorithm, collective, layout, options);
  if (!layout.first_position_only && algorithm.messages(layout) > kMostMessages) {
    return Infeasible{"memory",
                      fmt::format("{} among {} devices has {:.3g} messages and would need about {}",
                                  algorithm.name,
                                  layout.positions,
                                  algorithm.messages(layout),
                                  to_text(Bytes(algorithm.messages(layout) * kBytesPerMessage)))};
  }
  const comm::Schedule schedule = algorithm.schedule(collective, layout);
  const comm::Chunking chunking{
      .chunks = options.chunks.value_or(algorithm.chunks(collective, layout)),
      .window = options.window};
  comm::ProgramBuilder builder(
      *layout.platform,
      layout.first_position_only ? comm::View::kOnePerClass : comm::View::kEveryMember);
  builder.add(collective, layout, schedule, chunking);
  CollectiveProgram program = builder.take();
  if (!options.steps) {
    sim::collapse_steps(program.program);
  }
  if (options.fold && !layout.first_position_only) {
    program = fold_by_refinement(std::move(program));
  }
  const sim::Timeline timeline = sim::simulate(
      program.program, options.record_spans ? sim::Record::kSpans : sim::Record::kTotals);
  if (timeline.end == SimTime::never()) {
    return Infeasible{"simulated time", "it takes longer than the 106 days that can be simulated"};
  }

  CollectiveResult result{.platform = layout.platform->name,
                          .op = collective.op,
                          .size = collective.size,
                          .devices = layout.positions,
                          .algorithm = std::string(algorithm.name),
                          .chunks = chunking.chunks,
                          .lower_bound = comm::lower_bound(collective, layout)};
  result.sent_per_device = collective.size * (comm::total_share(schedule) / layout.senders());
  explain::explain_timeline(program, timeline, result);
  return result;
}

struct Trial {
  const Algorithm* algorithm = nullptr;
  std::uint32_t chunks = 1;
  Seconds time = Seconds::infinity();
};

// The best time of one algorithm: with the chunks it asks for, with fewer, and in one piece,
// because many small chunks fill a pipeline but each meets all latencies.
Trial try_algorithm(const Algorithm& algorithm,
                    const Collective& collective,
                    const Layout& layout,
                    CollectiveOptions options) {
  options.fold = true;
  options.steps = false;
  options.record_spans = false;
  const std::uint32_t most = affordable_chunks(algorithm, collective, layout, options);
  const std::uint32_t least = options.chunks.value_or(1);
  Trial best;
  const auto fewer = [](std::uint32_t chunks) {
    return chunks > 8 ? chunks / 8 : chunks > 1 ? 1 : 0;
  };
  for (std::uint32_t chunks = most; chunks >= least && chunks > 0; chunks = fewer(chunks)) {
    options.chunks = chunks;
    const auto result = run_algorithm(algorithm, collective, layout, options);
    if (result && result->time < best.time) {
      best = {&algorithm, chunks, result->time};
    }
  }
  return best;
}

// Tries every algorithm that can do it, but for those that are too expensive even to try, and keeps
// the fastest.
Feasible<CollectiveResult> run_fastest(const Collective& collective,
                                       const Layout& layout,
                                       CollectiveOptions options) {
  Trial best;
  std::string tried;
  for (const Algorithm* algorithm : comm::algorithms()) {
    if (!algorithm->supports(collective.op, layout)) {
      continue;
    }
    const Trial trial = try_algorithm(*algorithm, collective, layout, options);
    if (trial.algorithm == nullptr) {
      continue;
    }
    tried +=
        fmt::format("{}{} {}", tried.empty() ? "" : ", ", algorithm->name, to_text(trial.time));
    if (trial.time < best.time) {
      best = trial;
    }
  }
  if (best.algorithm == nullptr) {
    return Infeasible{"memory",
                      "trying any algorithm would cost too much; name one with --algorithm"};
  }
  options.chunks = best.chunks;
  auto result = run_algorithm(*best.algorithm, collective, layout, options);
  if (!result) {
    return result;
  }
  CollectiveResult chosen = std::move(result).value();
  chosen.chosen_because = "fastest of: " + tried;
  return chosen;
}

}  // namespace

Feasible<CollectiveResult> evaluate_collective(const platform::Platform& platform,
                                               const Collective& collective,
                                               const CollectiveOptions& options) {
  comm::check(platform, collective);
  const Layout layout = comm::make_layout(platform, collective.group);
  if (layout.positions < 2 || collective.size <= Bytes(0.0)) {
    return CollectiveResult{.platform = platform.name,
                            .op = collective.op,
                            .size = collective.size,
                            .devices = layout.positions,
                            .algorithm = "none",
                            .bound_by = "nothing"};
  }
  if (options.algorithm == "auto") {
    return run_fastest(collective, layout, options);
  }
  const Algorithm& algorithm = comm::require_algorithm(options.algorithm, collective, layout);
  return run_algorithm(algorithm, collective, layout, options);
}

}  // namespace cairn
