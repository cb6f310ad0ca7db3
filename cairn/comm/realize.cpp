#include "cairn/comm/realize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/chunk_counts.hpp"
#include "cairn/comm/engine_stations.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::comm {

namespace {

// Relative difference below which estimates are equal: they may be summed in another order.
constexpr double kTie = 1e-9;

// Estimates with several chunks that differ by less than this factor are equally good.
constexpr double kAbout = 1.01;
constexpr std::uint32_t kFewChunks = 128;

// Messages of all groups that `auto` estimates; more only if there is no other algorithm.
constexpr double kMaxMessages = 4e5;

// Events of a simulation through engines: about a tenth of a second.
constexpr std::uint64_t kMaxEffort = 10'000'000;

bool is_less(Seconds a, Seconds b) {
  return a < b * (1.0 - kTie);
}

// A send_receive is done by `direct` unless the policy gives its algorithm.
AlgorithmChoice requested_algorithm(const Request& request, const CollectivePolicy& policy) {
  const Op op = request.collective.op;
  const bool transfer = op == Op::kSendReceive && !policy.operations.contains(op);
  return transfer ? AlgorithmChoice{.algorithm = &kDirect} : policy.algorithm_for(op);
}

double messages_to_estimate(const Request& request, const AlgorithmChoice& choice) {
  return messages(request, choice, folds_by_statement(request, choice));
}

// On an exchange-symmetric platform, groups share no links.
bool first_represents_all(const Request& request) {
  return request.groups.size() == 1 || request.all->platform->exchange_symmetric;
}

// Estimates of pipelines are less certain, and pipelines cost more to simulate.
Seconds with_margin(const Choice& choice) {
  return choice.chunks > 1 ? choice.estimate * kAbout : choice.estimate;
}

}  // namespace

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
  const AlgorithmChoice named = requested_algorithm(request, policy_);
  if (!named.is_auto()) {
    if (!groups.known.contains(name_of(named))) {
      if (auto reason = check_algorithm(request, named)) {
        return *std::move(reason);
      }
      if (auto reason = check_messages(request, named, folds_by_statement(request, named))) {
        return *std::move(reason);
      }
    }
    return best_of(request, groups, named, estimated);
  }
  if (groups.candidates.empty()) {
    groups.candidates = candidates(request, groups);
  }
  if (groups.candidates.empty()) {
    return Infeasible{Lack::kCollective,
                      fmt::format("no algorithm supports {} among {} devices",
                                  info(request.collective.op).name,
                                  request.group_size())};
  }
  if (groups.candidates.size() == 1) {
    Choice only = best_of(request, groups, groups.candidates.front(), estimated);
    only.not_in_library = groups.not_in_library;
    return only;
  }
  return choose_candidate(request, groups);
}

Feasible<Choice> Realizer::choose_candidate(const Request& request, Groups& groups) {
  std::optional<Choice> best;
  std::vector<Candidate> compared;
  std::string infeasible;
  std::optional<Infeasible> reason;
  const Seconds enough = time_of_promising(request, groups);
  for (const AlgorithmChoice& candidate : groups.candidates) {
    const bool may_vary = candidate.algorithm->by_dimension &&
                          known(request, groups, candidate).first.layout.grid.size() > 1;
    if (!may_vary && is_less(enough, with_margin(best_alone(request, groups, candidate, true)))) {
      continue;
    }
    Choice choice = best_of(request, groups, candidate, true);
    if (candidate.algorithm->by_dimension) {
      choice = best_by_dimension(request, groups, choice);
    }
    if (endpoint_.executor == Executor::kEngine) {
      const Realized& first = known(request, groups, choice.algorithm).first;
      const auto time = time_through_engines(request, first, choice);
      if (!time) {
        reason = time.reason();
        infeasible += fmt::format("{}{} ({})",
                                  infeasible.empty() ? "" : ", ",
                                  name_of(choice.algorithm),
                                  reason->limit());
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
    return *std::move(reason);
  }
  best->candidates = std::move(compared);
  best->infeasible = std::move(infeasible);
  best->not_in_library = groups.not_in_library;
  return *std::move(best);
}

std::vector<AlgorithmChoice> Realizer::candidates(const Request& request, Groups& groups) {
  std::vector<AlgorithmChoice> all = supported_algorithms(request);
  std::erase_if(all, [&](const AlgorithmChoice& candidate) {
    return check_messages(request, candidate, folds_by_statement(request, candidate)).has_value();
  });
  // Keeps all candidates if none meets the condition.
  const auto only = [](const std::vector<AlgorithmChoice>& some, const auto& wanted) {
    std::vector<AlgorithmChoice> result;
    std::ranges::copy_if(some, std::back_inserter(result), wanted);
    return result.empty() ? some : result;
  };
  const auto cheap = only(all, [&](const AlgorithmChoice& candidate) {
    return messages_to_estimate(request, candidate) <= kMaxMessages;
  });
  const auto in_library = only(cheap, [&](const AlgorithmChoice& candidate) {
    return is_in_library(request, groups, candidate);
  });
  for (const AlgorithmChoice& candidate : cheap) {
    if (std::ranges::find(in_library, candidate) == in_library.end()) {
      groups.not_in_library += (groups.not_in_library.empty() ? "" : ", ") + name_of(candidate);
    }
  }
  return in_library;
}

// An upper bound on the best estimate: that of the algorithm which is best in the first group
// alone. All groups together take at least as long as one, so that slower algorithms need not be
// estimated for all groups. Infinite where that saves nothing, or another estimate decides.
Seconds Realizer::time_of_promising(const Request& request, Groups& groups) {
  if (first_represents_all(request) || endpoint_.executor == Executor::kEngine) {
    return Seconds::infinity();
  }
  const AlgorithmChoice& promising =
      *std::ranges::min_element(groups.candidates, {}, [&](const AlgorithmChoice& candidate) {
        return with_margin(best_alone(request, groups, candidate, true));
      });
  return with_margin(best_of(request, groups, promising, true));
}

// Dimensions hardly share links, so each is decided separately.
Choice Realizer::best_by_dimension(const Request& request, Groups& groups, const Choice& rings) {
  Choice best = rings;
  const GroupLayout layout = layout_for(rings.algorithm, *request.all, request.groups.front());
  if (layout.grid.size() < 2) {
    return best;  // flat algorithms are the same
  }
  for (const GridDimension& dimension : layout.grid) {
    if (dimension.width < 3) {
      continue;  // direct and ring are the same
    }
    for (const DimensionAlgorithm other :
         {DimensionAlgorithm::kDirect, DimensionAlgorithm::kHalvingDoubling}) {
      AlgorithmChoice algorithm = best.algorithm;
      algorithm.dimensions.resize(request.all->platform->dims.size(), DimensionAlgorithm::kRing);
      algorithm.dimensions[dimension.platform_dim] = other;
      if (messages_to_estimate(request, algorithm) > kMaxMessages ||
          !is_in_library(request, groups, algorithm)) {
        continue;
      }
      if (!is_less(best_alone(request, groups, algorithm, true).estimate, best.estimate)) {
        continue;  // all groups together take at least as long
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
  Choice best = best_alone(request, groups, algorithm, estimated);
  if (best.estimate < Seconds::infinity() && !first_represents_all(request)) {
    Known& known = Realizer::known(request, groups, algorithm);
    const auto selected = std::ranges::find(known.selections, best.protocols);
    best.estimate = time(request,
                         known,
                         GroupsAtOnce::kAll,
                         static_cast<std::size_t>(selected - known.selections.begin()),
                         best.chunks);
  }
  return best;
}

Choice Realizer::best_alone(const Request& request,
                            Groups& groups,
                            const AlgorithmChoice& algorithm,
                            bool estimated) {
  Known& known = Realizer::known(request, groups, algorithm);
  const std::vector<std::uint32_t> chunks =
      chunk_counts(request.collective, *algorithm.algorithm, known.first, policy_, endpoint_);
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
      // Among small numbers of chunks that are about equally fast, the largest hides latencies
      // best; large numbers cost events.
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
        which == GroupsAtOnce::kFirst ? known.first : realize_all_groups(request, known.algorithm);
    take_protocols(protocols,
                   known.algorithm,
                   request.collective,
                   request.group_size(),
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
         start_of(protocols, request.collective.op, request.collective.size, request.group_size()) +
         estimate->time(request.collective.size, chunks, chunking(chunks).window);
}

Feasible<Seconds> Realizer::time_through_engines(const Request& request,
                                                 const Realized& first,
                                                 const Choice& choice) const {
  const bool folded = first.layout.first_position_only;
  ProgramBuilder builder(router_, folded ? View::kOnePerClass : View::kEveryMember, endpoint_);
  builder.add(request.collective, first.layout, first.schedule, chunking(choice.chunks));
  if (auto reason = builder.check_engines()) {
    return *std::move(reason);
  }
  sim::Program program = builder.take().program;
  if (auto reason = check_chunks(program)) {
    return *std::move(reason);
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
  RequestKey key = key_of(request, stores_messages_ || !request.collective.weights.empty());
  if (known_.size() >= kMaxGroups && !known_.contains(key)) {
    known_.clear();
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
    known.first = realize_first_group(request, algorithm, folds_by_statement(request, algorithm));
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

Realized Realizer::realize(const Request& request, const Choice& choice, bool fold) const {
  Realized realized = fold ? realize_first_group(request, choice.algorithm, true)
                           : realize_all_groups(request, choice.algorithm);
  take_protocols(choice.protocols,
                 choice.algorithm,
                 request.collective,
                 request.group_size(),
                 realized.layout,
                 realized.schedule);
  realized.schedule.start += policy_.start;
  realized.chunking = chunking(choice.chunks);
  return realized;
}

}  // namespace cairn::comm
