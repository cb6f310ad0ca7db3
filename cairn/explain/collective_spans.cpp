#include "cairn/explain/collective_spans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "cairn/sim/program.hpp"

namespace cairn::explain {

namespace {

const sim::PhaseProgram& phases_of(const comm::CollectiveProgram& program, const sim::Span& span) {
  return std::get<sim::PhaseProgram>(program.program.tasks[span.task].what);
}

// Name of a sender or receiver: "device 3", "device class 1", "each of 64 devices".
std::string rank_name(std::uint32_t rank, std::uint32_t ranks, std::uint32_t devices) {
  if (ranks == devices) {
    return fmt::format("device {}", rank);
  }
  return ranks == 1 ? fmt::format("each of {} devices", devices)
                    : fmt::format("device class {}", rank);
}

std::uint32_t phase_of(const sim::PhaseProgram& phases, std::uint32_t lane) {
  const auto holds = [&](const sim::Phase& phase) {
    return phase.first_lane <= lane && lane < phase.end_lane;
  };
  return static_cast<std::uint32_t>(std::ranges::find_if(phases.phases, holds) -
                                    phases.phases.begin());
}

// Bytes of one step, or of all steps of a collapsed phase.
double work_of(const sim::PhaseProgram& phases, const sim::Phase& phase, const sim::Span& span) {
  return phases.lanes[span.lane].work * phases.chunk_bytes(span.chunk) *
         (phase.collapsed ? phase.steps : 1.0);
}

}  // namespace

std::vector<CollectiveSpan> collective_spans(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline,
                                             std::uint32_t devices) {
  std::vector<CollectiveSpan> spans;
  for (const sim::Span& span : timeline.spans) {
    const sim::PhaseProgram& phases = phases_of(program, span);
    const sim::Lane& lane = phases.lanes[span.lane];
    const std::uint32_t phase = phase_of(phases, span.lane);
    const double work = work_of(phases, phases.phases[phase], span);
    const std::string to = program.ranks < devices && lane.from == lane.to
                               ? "another device"
                               : rank_name(lane.to, program.ranks, devices);
    CollectiveSpan named{.track = rank_name(lane.from, program.ranks, devices),
                         .name = fmt::format("{} to {}", phases.name, to),
                         .part = span.task,
                         .phase = phase,
                         .chunk = span.chunk,
                         .submitted = span.submitted.since(SimTime{}),
                         .begin = span.admitted.since(SimTime{}),
                         .end = span.finished.since(SimTime{})};
    for (const sim::Draw& draw : program.program.demands[lane.demand.index()].draws) {
      const comm::Traffic& traffic = program.traffic[draw.resource.index()];
      if (traffic.kind == comm::ResourceKind::kLink) {
        named.links.push_back(draw.resource.value);
        named.drawn.emplace_back(work * draw.amount * draw.count * traffic.payload);
      }
    }
    spans.push_back(std::move(named));
  }
  return spans;
}

std::vector<CollectiveFlow> collective_flows(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline) {
  // By task, chunk and rank: messages from or to it, in order of arrival.
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Place, std::vector<std::uint32_t>> at;
  const auto ends_of = [&](const sim::Span& span) {
    const sim::Lane& lane = phases_of(program, span).lanes[span.lane];
    return std::pair(Place{span.task, span.chunk, lane.from},
                     Place{span.task, span.chunk, lane.to});
  };
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const auto [from, to] = ends_of(timeline.spans[i]);
    at[from].push_back(i);
    if (to != from) {
      at[to].push_back(i);
    }
  }
  const auto finished = [&](std::uint32_t i) { return timeline.spans[i].finished; };
  const auto last_before = [&](const Place& place, SimTime time) -> std::optional<std::uint32_t> {
    const std::vector<std::uint32_t>& messages = at.at(place);
    const auto after = std::ranges::upper_bound(messages, time, {}, finished);
    return after == messages.begin() ? std::nullopt : std::optional(*(after - 1));
  };
  std::vector<CollectiveFlow> flows;
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const sim::Span& span = timeline.spans[i];
    const auto [from, to] = ends_of(span);
    // Spans are in the order in which they finished.
    const auto last = std::max(last_before(from, span.submitted), last_before(to, span.submitted));
    if (last && *last != i) {
      flows.push_back({.from = *last, .to = i});
    }
  }
  return flows;
}

}  // namespace cairn::explain
