// Realizes a collective: from the operation, its size and its groups to an algorithm, a protocol
// for each phase, chunks and a schedule. `cairn collective`, training steps and placement all use
// it, so that they agree.
//
// `auto` takes the algorithm with the lowest estimate (estimate.hpp) of those that support the
// operation in every group and, where the platform has protocols, are in its library. Protocols are
// chosen for the first group alone: a library only knows the group that calls it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/estimate.hpp"
#include "cairn/comm/protocol_selection.hpp"
#include "cairn/comm/request.hpp"
#include "cairn/comm/request_key.hpp"
#include "cairn/comm/request_schedule.hpp"

namespace cairn::comm {

// An algorithm that `auto` compared.
struct Candidate {
  AlgorithmChoice algorithm{};
  Seconds estimate{};
};

struct Choice {
  AlgorithmChoice algorithm{};
  ProtocolSelection protocols{};
  std::uint32_t chunks = 1;
  Seconds estimate{0.0};                // infinite: there was no choice to estimate
  std::vector<Candidate> candidates{};  // compared by auto, in the order of algorithms()
  std::string infeasible{};             // dropped by auto: "nested (fabric.engine.fsms)"
  std::string not_in_library{};         // not considered by auto: "direct, double_binary_tree"
};

class Realizer {
 public:
  // All arguments must outlive this.
  Realizer(platform::Router& router, const Endpoint& endpoint, const CollectivePolicy& policy);

  // Infeasible: the algorithm of the policy does not support the request in one of the groups.
  Feasible<Choice> choose(const Request& request);

  // The same, always with its estimate.
  Feasible<Choice> estimate(const Request& request);

  [[nodiscard]] platform::Router& router() const { return router_; }

  // The choice in all groups; or in the first alone, folded by the platform's stated symmetry.
  [[nodiscard]] Realized realize(const Request& request, const Choice& choice, bool fold) const;

 private:
  enum class GroupsAtOnce : std::uint8_t { kFirst, kAll };

  // Cached schedules and estimates of an algorithm in some groups, and in those that a symmetry of
  // the platform maps onto them.
  struct Known {
    AlgorithmChoice algorithm{};
    Realized first{};  // the first group, folded if possible; without protocols
    std::vector<ProtocolSelection> selections{};
    // By GroupsAtOnce, then selection; absent: not yet computed.
    std::array<std::vector<std::optional<Estimate>>, 2> estimates{};
  };

  // Cache for some groups.
  struct Groups {
    std::vector<AlgorithmChoice> candidates{};  // of auto; empty: not yet computed
    std::string not_in_library{};               // names of algorithms that are no candidates
    std::map<std::string, Known> known{};       // by name of the algorithm
  };

  Feasible<Choice> choose(const Request& request, bool estimated);
  Feasible<Choice> choose_candidate(const Request& request, Groups& groups);
  // The fastest protocols and chunks of one algorithm. `estimated`: estimate even without a choice.
  // best_alone: in the first group alone, with its estimate.
  Choice best_alone(const Request& request,
                    Groups& groups,
                    const AlgorithmChoice& algorithm,
                    bool estimated);
  Seconds time_of_promising(const Request& request, Groups& groups);
  Choice best_of(const Request& request,
                 Groups& groups,
                 const AlgorithmChoice& algorithm,
                 bool estimated);
  Choice best_by_dimension(const Request& request, Groups& groups, const Choice& rings);
  // Candidates of auto: supported, in the platform's library, and cheap to estimate.
  std::vector<AlgorithmChoice> candidates(const Request& request, Groups& groups);
  Seconds time(const Request& request,
               Known& known,
               GroupsAtOnce which,
               std::size_t selection,
               std::uint32_t chunks);
  // Simulated time of the first group through engines, whose memory estimates ignore; the estimate
  // where simulation is too expensive. Infeasible: the engines are too small.
  [[nodiscard]] Feasible<Seconds> time_through_engines(const Request& request,
                                                       const Realized& first,
                                                       const Choice& choice) const;
  static Known& known(const Request& request, Groups& groups, const AlgorithmChoice& algorithm);
  static bool is_in_library(const Request& request,
                            Groups& groups,
                            const AlgorithmChoice& algorithm);
  Groups& groups_of(const Request& request);
  [[nodiscard]] Chunking chunking(std::uint32_t chunks) const;

  // Groups whose schedules and estimates are cached at once: strategies that a search tries have
  // groups of their own.
  static constexpr std::size_t kMaxGroups = 64;

  platform::Router& router_;
  const Endpoint& endpoint_;
  const CollectivePolicy& policy_;
  bool stores_messages_;  // latencies depend on size: some nodes store and forward
  std::map<RequestKey, Groups> known_;
};

// "ring 9.015 ms, rings 5.019 ms"
std::string to_text(const std::vector<Candidate>& candidates);

}  // namespace cairn::comm
