#include "cairn/comm/estimate.hpp"

#include <algorithm>
#include <variant>

namespace cairn::comm {

namespace {

using Parts = std::vector<const sim::PhaseProgram*>;

// True if all parts have the same phases.
bool have_same_phases(const Parts& parts) {
  return std::ranges::all_of(parts, [&](const sim::PhaseProgram* part) {
    return std::ranges::equal(
        part->phases, parts.front()->phases, {}, &sim::Phase::steps, &sim::Phase::steps);
  });
}

// One line of all parts if they have the same phases; otherwise one line for each part.
std::vector<Parts> lines_of(const sim::Program& program) {
  Parts all;
  for (const sim::Task& task : program.tasks) {
    all.push_back(&std::get<sim::PhaseProgram>(task.what));
  }
  if (all.empty() || have_same_phases(all)) {
    return {all};
  }
  std::vector<Parts> lines;
  for (const sim::PhaseProgram* part : all) {
    lines.push_back({part});
  }
  return lines;
}

}  // namespace

Estimate::Estimate(const sim::Program& program, Bytes size) {
  std::vector<double> in_all(program.resources.size(), 0.0);
  for (const Parts& parts : lines_of(program)) {
    if (parts.empty()) {
      continue;
    }
    Line& line = lines_.emplace_back();
    const std::size_t phases = parts.front()->phases.size();
    std::vector<double> loads(program.resources.size() * phases, 0.0);
    const auto load_of = [&](std::size_t resource, std::size_t phase) -> double& {
      return loads[resource * phases + phase];
    };
    for (std::size_t p = 0; p < phases; ++p) {
      const auto for_lanes = [&](const auto& visit) {
        for (const sim::PhaseProgram* part : parts) {
          for (std::uint32_t l = part->phases[p].first_lane; l < part->phases[p].end_lane; ++l) {
            visit(*part, part->lanes[l], program.demands[part->lanes[l].demand.index()]);
          }
        }
      };
      for_lanes(
          [&](const sim::PhaseProgram& part, const sim::Lane& lane, const sim::Demand& demand) {
            const double share = part.payload * lane.work / size.si();
            for (const sim::Draw& draw : demand.draws) {
              load_of(draw.resource.index(), p) +=
                  share * draw.amount * draw.count /
                  program.resources[draw.resource.index()].capacity;
            }
          });
      Phase& phase = line.phases.emplace_back(
          Phase{.steps = static_cast<double>(parts.front()->phases[p].steps)});
      for_lanes([&](const sim::PhaseProgram&, const sim::Lane&, const sim::Demand& demand) {
        Message message{.latency = demand.latency.si()};
        for (const sim::Draw& draw : demand.draws) {
          message.shared = std::max(message.shared, load_of(draw.resource.index(), p));
        }
        add(message, phase);
      });
    }
    std::span<const double> before{};  // consecutive resources often have equal loads
    for (std::size_t r = 0; r < program.resources.size(); ++r) {
      const auto mine = std::span(loads).subspan(r * phases, phases);
      for (std::size_t p = 0; p < phases; ++p) {
        mine[p] *= line.phases[p].steps;
        in_all[r] += mine[p];
      }
      if (!std::ranges::equal(mine, before) &&
          std::ranges::any_of(mine, [](double load) { return load > 0.0; })) {
        line.loads.insert(std::vector(mine.begin(), mine.end()));
        before = mine;
      }
    }
  }
  busiest_ = in_all.empty() ? 0.0 : *std::ranges::max_element(in_all);
}

namespace {

// Time of a chunk in the phases from `first` to `last` that do not use the resource.
double time_elsewhere(const std::vector<double>& load,
                      const std::vector<double>& until,
                      std::size_t first,
                      std::size_t last) {
  double sum = 0.0;
  for (std::size_t p = first; p < last; ++p) {
    sum += load[p] > 0.0 ? 0.0 : until[p + 1] - until[p];
  }
  return sum;
}

}  // namespace

void Estimate::add(const Message& message, Phase& phase) {
  const auto at_least = [](const Message& a, const Message& b) {
    return a.latency >= b.latency && a.shared >= b.shared;
  };
  const auto slower = [&](const Message& other) { return at_least(other, message); };
  if (std::ranges::none_of(phase.slowest, slower)) {
    std::erase_if(phase.slowest, [&](const Message& other) { return at_least(message, other); });
    phase.slowest.push_back(message);
  }
}

double Estimate::time_of(const Line& line,
                         double chunk,
                         std::uint32_t chunks,
                         std::uint32_t window) {
  const double others = chunks - 1.0;
  std::vector<double> until{0.0};  // by phase: when one chunk reaches it
  for (const Phase& phase : line.phases) {
    double slowest = 0.0;
    for (const Message& message : phase.slowest) {
      slowest = std::max(slowest, message.latency + message.shared * chunk);
    }
    until.push_back(until.back() + phase.steps * slowest);
  }
  const double through = until.back();
  double longest = through * (1.0 + others / window);
  for (const std::vector<double>& load : line.loads) {
    std::size_t first = load.size();
    std::size_t last = 0;
    double most = 0.0;
    double sum = 0.0;
    for (std::size_t p = 0; p < load.size(); ++p) {
      if (load[p] > 0.0) {
        first = std::min(first, p);
        last = p;
        most = std::max(most, load[p] * chunk);
        sum += load[p] * chunk;
      }
    }
    double in_use = until[last + 1] - until[first] + others * most;
    if (chunks * load[first] * chunk > until[last] - until[first]) {
      in_use = std::max(in_use, chunks * sum + time_elsewhere(load, until, first, last));
    }
    longest = std::max(longest, until[first] + in_use + through - until[last + 1]);
  }
  return longest;
}

Seconds Estimate::time(Bytes size, std::uint32_t chunks, std::uint32_t window) const {
  double longest = busiest_ * size.si();
  for (const Line& line : lines_) {
    longest = std::max(longest, time_of(line, size.si() / chunks, chunks, window));
  }
  return Seconds(longest);
}

Estimate estimate(const Collective& collective,
                  const GroupLayout& layout,
                  const CollectiveSchedule& schedule,
                  std::span<const Buffers> buffers,
                  platform::Router& router,
                  const Endpoint& endpoint) {
  ProgramBuilder builder(
      router, layout.first_position_only ? View::kOnePerClass : View::kEveryMember, endpoint);
  builder.leave_unnamed();
  builder.add(collective, layout, schedule, {.chunks = 1, .window = 1}, buffers);
  return {builder.take().program, collective.size};
}

}  // namespace cairn::comm
