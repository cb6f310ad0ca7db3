#include "cairn/comm/realize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/protocol_selection.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::comm {

namespace {

// Estimates of one collective that differ by less are equal: summed in another order.
constexpr double kTie = 1e-9;

// Estimates with several chunks are as good as others up to this factor.
constexpr double kAbout = 1.01;
constexpr std::uint32_t kFewChunks = 128;

// Messages of all groups that `auto` still estimates; more only if there is no other algorithm.
constexpr double kMaxMessages = 4e5;

// Of a simulation through engines, about a tenth of a second.
constexpr std::uint64_t kMaxEffort = 10'000'000;

// Messages that fit in memory.
constexpr double kMaxWritten = 2e8;
constexpr double kBytesPerMessage = 250.0;  // message, lane, demand with a few draws

bool is_less(Seconds a, Seconds b) {
  return a < b * (1.0 - kTie);
}

std::uint32_t group_size(const Request& request) {
  return static_cast<std::uint32_t>(request.groups.front().size());
}

// A transfer is what `direct` does between two devices, unless the policy names it.
AlgorithmChoice asked_for(const Request& request, const CollectivePolicy& policy) {
  const Op op = request.collective.op;
  const bool transfer = op == Op::kSendReceive && !policy.operations.contains(op);
  return transfer ? AlgorithmChoice{.algorithm = &kDirect} : policy.algorithm_for(op);
}

// Why the algorithm cannot do it in one of the groups; nullptr if it can.
const char* unsupported(const Request& request, const AlgorithmChoice& choice) {
  for (const Group& group : request.groups) {
    const Layout layout = layout_for(choice, *request.all, group);
    if (const char* why = choice.algorithm->unsupported(request.collective.op, layout)) {
      return why;
    }
  }
  return nullptr;
}

// Those that can do it, in the order of the table.
std::vector<AlgorithmChoice> able(const Request& request) {
  std::vector<AlgorithmChoice> result;
  for (const Algorithm* algorithm : algorithms()) {
    AlgorithmChoice choice{.algorithm = algorithm};
    if (unsupported(request, choice) == nullptr) {
      result.push_back(std::move(choice));
    }
  }
  return result;
}

std::optional<Infeasible> check_named(const Request& request, const AlgorithmChoice& choice) {
  const platform::Platform& platform = *request.all->platform;
  const std::size_t dims = platform.dims.size();
  if (!choice.dimensions.empty() && choice.dimensions.size() != dims) {
    return Infeasible{Lack::kCollective,
                      fmt::format("{} names {} dimensions, {} has {}",
                                  name_of(choice),
                                  choice.dimensions.size(),
                                  platform.name,
                                  dims)};
  }
  const char* why = unsupported(request, choice);
  if (why == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const AlgorithmChoice& other : able(request)) {
    names.push_back(name_of(other));
  }
  return Infeasible{
      Lack::kCollective,
      fmt::format("{} cannot do {} among {} of the {} devices of {}: it {} (use {})",
                  name_of(choice),
                  info(request.collective.op).name,
                  group_size(request),
                  platform.device_count(),
                  platform.name,
                  why,
                  names.empty() ? "auto" : fmt::format("{}", fmt::join(names, ", ")))};
}

double messages(const Request& request, const AlgorithmChoice& choice, bool fold) {
  const Layout layout = layout_for(choice, *request.all, request.groups.front());
  const double of_group = choice.algorithm->messages(request.collective.op, layout);
  return fold ? of_group / layout.positions : of_group * static_cast<double>(request.groups.size());
}

double messages(const Request& request, const AlgorithmChoice& choice) {
  return messages(request, choice, folds_by_statement(request, choice));
}

Realized realize_first(const Request& request, const AlgorithmChoice& choice, bool fold) {
  Realized realized{.layout = layout_for(choice, *request.all, request.groups.front())};
  realized.layout.first_position_only = fold;
  realized.schedule = choice.algorithm->schedule(request.collective, realized.layout);
  return realized;
}

Realized realize_all(const Request& request, const AlgorithmChoice& choice) {
  if (request.groups.size() == 1 && group_size(request) == request.all->positions) {
    return realize_first(request, choice, false);
  }
  std::vector<Group> groups;
  for (const Group& group : request.groups) {
    groups.push_back(ordered_for(choice, *request.all, group));
  }
  return {.layout = *request.all,
          .schedule = schedule_in_groups(request.collective, *request.all, groups, choice),
          .buffers = buffers_in_groups(request.collective, request.all->positions, groups)};
}

// Groups of a platform on which all pairs of devices are alike do not meet.
bool first_stands_for_all(const Request& request) {
  return request.groups.size() == 1 || request.all->platform->exchange_symmetric;
}

// Estimates of pipelines are less certain, and cost more to simulate.
Seconds with_margin(const Choice& choice) {
  return choice.chunks > 1 ? choice.estimate * kAbout : choice.estimate;
}

// Many small chunks fill a pipeline, but each meets all latencies: fewer are tried as well.
std::vector<std::uint32_t> fewer_too(std::uint32_t most) {
  std::vector<std::uint32_t> chunks{most};
  while (chunks.back() > 1) {
    chunks.push_back(chunks.back() / 2);
  }
  std::ranges::reverse(chunks);
  return chunks;
}

}  // namespace

bool folds_by_statement(const Request& request, const AlgorithmChoice& algorithm) {
  const platform::Platform& platform = *request.all->platform;
  if (!platform.shift_symmetric) {
    return false;
  }
  const Layout first = layout_for(algorithm, *request.all, request.groups.front());
  return (first.whole || platform.exchange_symmetric) &&
         algorithm.algorithm->shift_invariant(request.collective.op, first);
}

std::optional<Infeasible> check_messages(const Request& request,
                                         const AlgorithmChoice& algorithm,
                                         bool fold) {
  const double written = messages(request, algorithm, fold);
  if (written <= kMaxWritten) {
    return std::nullopt;
  }
  return Infeasible{Lack::kHostMemory,
                    fmt::format("{} among {} devices has {} messages and would need about {}",
                                name_of(algorithm),
                                group_size(request),
                                many(written, 3),
                                to_text(Bytes(written * kBytesPerMessage)))};
}

std::string to_text(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates) {
    text += fmt::format("{}{} {}",
                        text.empty() ? "" : ", ",
                        name_of(candidate.algorithm),
                        to_text(candidate.estimate));
  }
  return text;
}

Realizer::Realizer(platform::Router& router,
                   const Endpoint& endpoint,
                   const CollectivePolicy& policy)
    : router_(router),
      endpoint_(endpoint),
      policy_(policy),
      stores_messages_(std::ranges::any_of(
          router.platform().graph.node_classes(),
          [](const platform::NodeClass& node) { return node.store_and_forward > Bytes(0.0); })) {}

Feasible<Choice> Realizer::choose(const Request& request) {
  return choose(request, false);
}

Feasible<Choice> Realizer::estimate(const Request& request) {
  return choose(request, true);
}

Feasible<Choice> Realizer::choose(const Request& request, bool estimated) {
  Groups& groups = groups_of(request);
  const AlgorithmChoice named = asked_for(request, policy_);
  if (!named.is_auto()) {
    if (!groups.known.contains(name_of(named))) {
      if (auto why_not = check_named(request, named)) {
        return *std::move(why_not);
      }
      if (auto why_not = check_messages(request, named, folds_by_statement(request, named))) {
        return *std::move(why_not);
      }
    }
    return best_of(request, groups, named, estimated);
  }
  if (groups.candidates.empty()) {
    groups.candidates = candidates(request, groups);
  }
  if (groups.candidates.empty()) {
    return Infeasible{Lack::kCollective,
                      fmt::format("no algorithm can do {} among {} devices",
                                  info(request.collective.op).name,
                                  group_size(request))};
  }
  if (groups.candidates.size() == 1) {
    return best_of(request, groups, groups.candidates.front(), estimated);
  }
  std::optional<Choice> best;
  std::vector<Candidate> compared;
  std::string infeasible;
  std::optional<Infeasible> why_not;
  for (const AlgorithmChoice& candidate : groups.candidates) {
    Choice choice = best_of(request, groups, candidate, true);
    if (candidate.algorithm->by_dimension) {
      choice = best_by_dimension(request, groups, choice);
    }
    if (endpoint_.executor == Executor::kEngine) {
      const Realized& first = known(request, groups, choice.algorithm).first;
      const auto time = time_through_engines(request, first, choice);
      if (!time) {
        why_not = time.reason();
        infeasible += fmt::format("{}{} ({})",
                                  infeasible.empty() ? "" : ", ",
                                  name_of(choice.algorithm),
                                  why_not->limit());
        continue;
      }
      choice.estimate = *time;
    }
    compared.push_back({choice.algorithm, choice.estimate});
    if (!best || is_less(with_margin(choice), with_margin(*best))) {
      best = std::move(choice);
    }
  }
  if (!best) {
    return *std::move(why_not);
  }
  best->candidates = std::move(compared);
  best->infeasible = std::move(infeasible);
  return *std::move(best);
}

std::vector<AlgorithmChoice> Realizer::candidates(const Request& request, Groups& groups) {
  std::vector<AlgorithmChoice> all = able(request);
  std::erase_if(all, [&](const AlgorithmChoice& candidate) {
    return messages(request, candidate) > kMaxWritten;
  });
  // If nothing is left, as if there had been no such condition.
  const auto only = [](const std::vector<AlgorithmChoice>& some, const auto& wanted) {
    std::vector<AlgorithmChoice> result;
    std::ranges::copy_if(some, std::back_inserter(result), wanted);
    return result.empty() ? some : result;
  };
  const auto cheap = only(all, [&](const AlgorithmChoice& candidate) {
    return messages(request, candidate) <= kMaxMessages;
  });
  return only(cheap, [&](const AlgorithmChoice& candidate) {
    return is_in_library(request, groups, candidate);
  });
}

// Dimensions hardly meet, so that each is decided by itself.
Choice Realizer::best_by_dimension(const Request& request, Groups& groups, const Choice& rings) {
  Choice best = rings;
  const Layout layout = layout_for(rings.algorithm, *request.all, request.groups.front());
  if (layout.grid.size() < 2) {
    return best;  // flat algorithms do the same
  }
  for (const GridDimension& dimension : layout.grid) {
    if (dimension.width < 3) {
      continue;  // neighbours are all others
    }
    for (const DimensionAlgorithm other :
         {DimensionAlgorithm::kDirect, DimensionAlgorithm::kHalvingDoubling}) {
      AlgorithmChoice algorithm = best.algorithm;
      algorithm.dimensions.resize(request.all->platform->dims.size(), DimensionAlgorithm::kRing);
      algorithm.dimensions[dimension.platform_dim] = other;
      if (messages(request, algorithm) > kMaxMessages ||
          !is_in_library(request, groups, algorithm)) {
        continue;
      }
      Choice choice = best_of(request, groups, algorithm, true);
      if (is_less(choice.estimate, best.estimate)) {
        best = std::move(choice);
      }
    }
  }
  return best;
}

Choice Realizer::best_of(const Request& request,
                         Groups& groups,
                         const AlgorithmChoice& algorithm,
                         bool estimated) {
  Known& known = Realizer::known(request, groups, algorithm);
  const std::vector<std::uint32_t> chunks = chunks_to_try(request, algorithm, known.first);
  Choice best{.algorithm = algorithm,
              .protocols = known.selections.front(),
              .chunks = chunks.front(),
              .estimate = Seconds::infinity()};
  if (!estimated && known.selections.size() == 1 && chunks.size() == 1) {
    return best;
  }
  std::size_t selected = 0;
  for (std::size_t s = 0; s < known.selections.size(); ++s) {
    for (const std::uint32_t count : chunks) {
      const Seconds time = this->time(request, known, GroupsAtOnce::kFirst, s, count);
      // Of few chunks that are about as fast, the most: latencies are hidden best. Many cost
      // events.
      const bool few = count <= kFewChunks;
      const bool more = s == selected && few && time < best.estimate * kAbout;
      if ((few ? is_less(time, best.estimate) : time * kAbout < best.estimate) || more) {
        best.chunks = count;
        best.estimate = std::min(time, best.estimate);
        selected = s;
      }
    }
  }
  best.protocols = known.selections[selected];
  if (!first_stands_for_all(request)) {
    best.estimate = time(request, known, GroupsAtOnce::kAll, selected, best.chunks);
  }
  return best;
}

Seconds Realizer::time(const Request& request,
                       Known& known,
                       GroupsAtOnce which,
                       std::size_t selection,
                       std::uint32_t chunks) {
  const ProtocolSelection& protocols = known.selections[selection];
  std::optional<Estimate>& estimate =
      known.estimates.at(static_cast<std::size_t>(which))[selection];
  if (!estimate) {
    Realized realized =
        which == GroupsAtOnce::kFirst ? known.first : realize_all(request, known.algorithm);
    take_protocols(protocols,
                   known.algorithm,
                   request.collective,
                   group_size(request),
                   realized.layout,
                   realized.schedule);
    estimate = comm::estimate(request.collective,
                              realized.layout,
                              realized.schedule,
                              realized.buffers,
                              router_,
                              endpoint_);
  }
  return policy_.start +
         start_of(protocols, request.collective.op, request.collective.size, group_size(request)) +
         estimate->time(request.collective.size, chunks, chunking(chunks).window);
}

Feasible<Seconds> Realizer::time_through_engines(const Request& request,
                                                 const Realized& first,
                                                 const Choice& choice) const {
  const bool folded = first.layout.first_position_only;
  ProgramBuilder builder(router_, folded ? View::kOnePerClass : View::kEveryMember, endpoint_);
  builder.add(request.collective, first.layout, first.schedule, chunking(choice.chunks));
  if (auto lack = builder.engines_lack()) {
    return *std::move(lack);
  }
  sim::Program program = builder.take().program;
  if (auto misfit = chunks_that_do_not_fit(program)) {
    return *std::move(misfit);
  }
  sim::collapse_steps(program);
  const auto simulated = sim::simulate_within(program, sim::Record::kTotals, kMaxEffort);
  return simulated ? simulated->end.since(SimTime{}) : choice.estimate;
}

bool Realizer::is_in_library(const Request& request,
                             Groups& groups,
                             const AlgorithmChoice& algorithm) {
  const Realized& first = known(request, groups, algorithm).first;
  return comm::is_in_library(request.collective.op, first.layout, first.schedule, algorithm);
}

Realizer::Groups& Realizer::groups_of(const Request& request) {
  const Collective& collective = request.collective;
  const bool by_size = stores_messages_ || !collective.weights.empty();
  Key key{
      collective.op, collective.root, {}, by_size ? collective.size.si() : 0.0, collective.weights};
  auto& devices = std::get<2>(key);
  for (const Group& group : request.groups) {
    auto& members = devices.emplace_back();
    for (const std::uint32_t position : group) {
      members.push_back(request.all->device(position));
    }
  }
  return known_[std::move(key)];
}

Realizer::Known& Realizer::known(const Request& request,
                                 Groups& groups,
                                 const AlgorithmChoice& algorithm) {
  const auto [found, is_new] = groups.known.try_emplace(name_of(algorithm));
  Known& known = found->second;
  if (is_new) {
    known.algorithm = algorithm;
    known.first = realize_first(request, algorithm, folds_by_statement(request, algorithm));
    known.selections =
        selections_of(request.collective.op, known.first.layout, known.first.schedule, algorithm);
    known.estimates.fill(std::vector<std::optional<Estimate>>(known.selections.size()));
  }
  return known;
}

Chunking Realizer::chunking(std::uint32_t chunks) const {
  return {.chunks = chunks,
          .window = policy_.window.value_or(window_at(endpoint_)),
          .through_engines = true};
}

std::vector<std::uint32_t> Realizer::chunks_to_try(const Request& request,
                                                   const AlgorithmChoice& algorithm,
                                                   const Realized& first) const {
  const Bytes size = request.collective.size;
  if (policy_.chunks) {
    return {*policy_.chunks};
  }
  if (cuts_by_itself(endpoint_)) {
    return {chunks_of(size, first.schedule, *endpoint_.engine.chunk)};
  }
  const std::uint32_t most =
      chunks_at(endpoint_, size, algorithm.algorithm->chunks(request.collective, first.layout));
  if (!policy_.chunk_size) {
    return fewer_too(most);
  }
  const bool whole = *policy_.chunk_size == Bytes(0.0);
  return {whole ? 1 : std::min(most, chunks_of(size, first.schedule, *policy_.chunk_size))};
}

Realized Realizer::realize(const Request& request, const Choice& choice, bool fold) const {
  Realized realized = fold ? realize_first(request, choice.algorithm, true)
                           : realize_all(request, choice.algorithm);
  take_protocols(choice.protocols,
                 choice.algorithm,
                 request.collective,
                 group_size(request),
                 realized.layout,
                 realized.schedule);
  realized.schedule.start += policy_.start;
  realized.chunking = chunking(choice.chunks);
  return realized;
}

}  // namespace cairn::comm
