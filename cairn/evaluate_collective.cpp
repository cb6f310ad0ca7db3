#include "cairn/evaluate_collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/check.hpp"
#include "cairn/comm/choose.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/lower_bound.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/sim/collapse.hpp"
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

// What trying all algorithms may cost, about two seconds. One that crowds links so much that it
// takes longer to simulate is seldom fast.
constexpr std::uint64_t kMostEffortOfTrials = 200'000'000;

comm::Chunking chunking_of(const Algorithm& algorithm,
                           const Collective& collective,
                           const Layout& layout,
                           const comm::Schedule& schedule,
                           const CollectiveOptions& options) {
  comm::Chunking chunking{.window = options.window.value_or(comm::window_at(options.endpoint)),
                          .through_engines = true};
  if (options.chunks) {
    chunking.chunks = *options.chunks;
  } else if (comm::cuts_by_itself(options.endpoint)) {
    chunking.chunks = comm::chunks_of(collective.size, schedule, *options.endpoint.engine.chunk);
  } else {
    chunking.chunks =
        comm::chunks_at(options.endpoint, collective.size, algorithm.chunks(collective, layout));
  }
  return chunking;
}

// One algorithm and protocol, from its schedule to what the simulation tells.
Feasible<CollectiveResult> run_protocol(const Algorithm& algorithm,
                                        const Collective& collective,
                                        Layout layout,
                                        const platform::Protocol* protocol,
                                        const CollectiveOptions& options) {
  layout.first_position_only =
      options.fold && layout.whole && algorithm.shift_invariant(collective.op, layout);
  if (!layout.first_position_only && algorithm.messages(collective.op, layout) > kMostMessages) {
    return Infeasible{
        "memory",
        fmt::format("{} among {} devices has {} messages and would need about {}",
                    algorithm.name,
                    layout.positions,
                    many(algorithm.messages(collective.op, layout), 3),
                    to_text(Bytes(algorithm.messages(collective.op, layout) * kBytesPerMessage)))};
  }
  const comm::Schedule schedule = algorithm.schedule(collective, layout);
  const comm::Chunking chunking = chunking_of(algorithm, collective, layout, schedule, options);
  comm::ProgramBuilder builder(
      *layout.platform,
      layout.first_position_only ? comm::View::kOnePerClass : comm::View::kEveryMember,
      options.endpoint);
  builder.add(collective, layout, schedule, chunking, protocol);
  if (const auto lack = builder.engines_lack()) {
    return *lack;
  }
  CollectiveProgram program = builder.take();
  if (options.locate_links) {
    program.of_link = builder.locate_links();
  }
  if (const auto misfit = comm::chunks_that_do_not_fit(program.program)) {
    return *misfit;
  }
  if (!options.steps) {
    sim::collapse_steps(program.program);
  }
  if (options.fold && !layout.first_position_only) {
    program = comm::fold_by_refinement(std::move(program));
  }
  if (const auto too_many = comm::too_many_chunks(program.program, options.endpoint)) {
    return *too_many;
  }
  const auto simulated =
      sim::simulate_within(program.program,
                           options.record_spans ? sim::Record::kSpans : sim::Record::kTotals,
                           options.most_effort);
  if (!simulated) {
    return Infeasible{comm::kTooCostly,
                      fmt::format("{} takes too long to simulate", algorithm.name)};
  }
  const sim::Timeline& timeline = *simulated;
  if (timeline.end == SimTime::never()) {
    return Infeasible{"simulated time", "it takes longer than the 106 days that can be simulated"};
  }

  CollectiveResult result{.platform = layout.platform->name,
                          .op = collective.op,
                          .size = collective.size,
                          .devices = layout.positions,
                          .algorithm = std::string(algorithm.name),
                          .protocol = protocol == nullptr ? std::string() : protocol->name,
                          .efficiency = protocol == nullptr ? 1.0 : protocol->efficiency,
                          .chunks = chunking.chunks,
                          .lower_bound = comm::lower_bound(collective, layout),
                          .endpoint = options.endpoint};
  result.sent_per_device = collective.size * (comm::total_share(schedule) / layout.senders());
  explain::explain_timeline(program, timeline, result);
  return result;
}

// With the protocol that is fastest, if the platform has any for it.
Feasible<CollectiveResult> run_algorithm(const Algorithm& algorithm,
                                         const Collective& collective,
                                         const Layout& layout,
                                         const CollectiveOptions& options) {
  const auto protocols = comm::protocols_for(collective.op, {&layout, 1}, algorithm.name);
  auto best = run_protocol(
      algorithm, collective, layout, protocols.empty() ? nullptr : protocols.front(), options);
  for (std::size_t p = 1; p < protocols.size(); ++p) {
    auto other = run_protocol(algorithm, collective, layout, protocols[p], options);
    if (other && (!best || other->time < best->time)) {
      best = std::move(other);
    }
  }
  return best;
}

Feasible<CollectiveResult> run_fastest(const Collective& collective,
                                       const Layout& layout,
                                       CollectiveOptions options) {
  Infeasible why_not{comm::kTooCostly,
                     "trying any algorithm would cost too much; name one with --algorithm"};
  // Each candidate has its part of what those before it have left.
  std::uint64_t left = kMostEffortOfTrials;
  std::uint64_t candidates = comm::candidates_for(collective, layout);
  const Algorithm* tried = nullptr;
  std::uint64_t effort = 0;
  const auto time_of = [&](const Algorithm& algorithm,
                           std::optional<std::uint32_t> chunks) -> Feasible<Seconds> {
    if (tried != &algorithm) {
      tried = &algorithm;
      effort = left / std::max<std::uint64_t>(candidates, 1);
      --candidates;
    }
    const CollectiveOptions trial{.chunks = chunks,
                                  .window = options.window,
                                  .endpoint = options.endpoint,
                                  .most_effort = effort};
    const auto result = run_algorithm(algorithm, collective, layout, trial);
    if (!result) {
      const bool cost = comm::is_too_costly(result.reason());
      why_not = cost ? why_not : result.reason();
      left -= cost ? effort : 0;
      return result.reason();
    }
    effort -= std::min(effort, result->effort);
    left -= std::min(left, result->effort);
    return result->time;
  };
  const auto choice =
      comm::choose_algorithm(collective, layout, options.chunks, time_of, options.endpoint);
  if (!choice) {
    return why_not;
  }
  options.chunks = choice->chunks;
  auto result = run_algorithm(*choice->algorithm, collective, layout, options);
  if (!result) {
    return result;
  }
  CollectiveResult chosen = std::move(result).value();
  chosen.chosen_because = "fastest of: " + choice->tried;
  if (!choice->infeasible.empty()) {
    chosen.chosen_because += "; infeasible: " + choice->infeasible;
  }
  if (!choice->too_costly.empty()) {
    chosen.chosen_because += "; too costly to try: " + choice->too_costly;
  }
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
