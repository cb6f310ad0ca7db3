// How a collective is done: from the operation, its size and its groups to an algorithm, a protocol
// for each phase, chunks and a schedule. `cairn collective`, training steps and placement all ask
// here, so that they agree.
//
// `auto` takes the algorithm with the least estimate (estimate.hpp) of those that can do the
// operation in every group and, where the platform has protocols, that its library has. Protocols
// are chosen for the first group alone: a library knows no more than the group it is called in.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/estimate.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/comm/protocol_selection.hpp"

namespace cairn::comm {

// One operation in one or several groups of devices at the same time; each has the whole size.
struct Request {
  Collective collective{};      // its `group` is not read
  const Layout* all = nullptr;  // positions of devices
  std::vector<Group> groups{};  // of positions; of a transfer: {from, to}
};

// An algorithm that `auto` compared with others.
struct Candidate {
  AlgorithmChoice algorithm{};
  Seconds estimate{};
};

struct Choice {
  AlgorithmChoice algorithm{};
  ProtocolSelection protocols{};
  std::uint32_t chunks = 1;
  Seconds estimate{0.0};                // infinite: nothing had to be estimated
  std::vector<Candidate> candidates{};  // what auto compared, in the order of algorithms()
  std::string infeasible{};             // what it left out: "nested (fabric.engine.fsms)"
};

// What ProgramBuilder::add takes.
struct Realized {
  Layout layout{};  // of all that take part
  Schedule schedule{};
  std::vector<Buffers> buffers{};  // where these are several groups
  Chunking chunking{};
};

class Realizer {
 public:
  // All must outlive this.
  Realizer(platform::Router& router, const Endpoint& endpoint, const CollectivePolicy& policy);

  // Infeasible: the algorithm that the policy names cannot do it in one of the groups.
  Feasible<Choice> choose(const Request& request);

  // The same, and how long it takes when nothing else runs.
  Feasible<Choice> estimate(const Request& request);

  [[nodiscard]] platform::Router& router() const { return router_; }

  // The choice in all groups; or in the first alone, folded by the platform's stated symmetry.
  [[nodiscard]] Realized realize(const Request& request, const Choice& choice, bool fold) const;

 private:
  enum class GroupsAtOnce : std::uint8_t { kFirst, kAll };

  // What is known of an algorithm in some groups.
  struct Known {
    AlgorithmChoice algorithm{};
    Realized first{};  // the first group, folded if it may be; without protocols
    std::vector<ProtocolSelection> selections{};
    // By GroupsAtOnce, then selection; absent: not yet asked for.
    std::array<std::vector<std::optional<Estimate>>, 2> estimates{};
  };

  // Operation, root, devices by group; the size if latencies depend on it; weights.
  using Key = std::tuple<Op,
                         std::uint32_t,
                         std::vector<std::vector<std::uint32_t>>,
                         double,
                         std::vector<double>>;

  // What is known of some groups.
  struct Groups {
    std::vector<AlgorithmChoice> candidates{};  // of auto; empty: not yet asked for
    std::map<std::string, Known> known{};       // by name of the algorithm
  };

  Feasible<Choice> choose(const Request& request, bool estimated);
  // Of one algorithm: the fastest protocols and chunks. `estimated`: even if there is no choice.
  Choice best_of(const Request& request,
                 Groups& groups,
                 const AlgorithmChoice& algorithm,
                 bool estimated);
  Choice best_by_dimension(const Request& request, Groups& groups, const Choice& rings);
  // Of auto: those that can do it, that the platform's library has, and that cost little to try.
  std::vector<AlgorithmChoice> candidates(const Request& request, Groups& groups);
  Seconds time(const Request& request,
               Known& known,
               GroupsAtOnce which,
               std::size_t selection,
               std::uint32_t chunks);
  // How long the first group takes through engines, whose memory estimates know nothing of:
  // simulated; the estimate where that would cost too much. Infeasible: engines have too little of
  // something.
  [[nodiscard]] Feasible<Seconds> time_through_engines(const Request& request,
                                                       const Realized& first,
                                                       const Choice& choice) const;
  static Known& known(const Request& request, Groups& groups, const AlgorithmChoice& algorithm);
  static bool is_in_library(const Request& request,
                            Groups& groups,
                            const AlgorithmChoice& algorithm);
  Groups& groups_of(const Request& request);
  [[nodiscard]] Chunking chunking(std::uint32_t chunks) const;
  [[nodiscard]] std::vector<std::uint32_t> chunks_to_try(const Request& request,
                                                         const AlgorithmChoice& algorithm,
                                                         const Realized& first) const;

  platform::Router& router_;
  const Endpoint& endpoint_;
  const CollectivePolicy& policy_;
  bool stores_messages_;  // latencies depend on size: some nodes store and forward
  std::map<Key, Groups> known_;
};

// Whether the first group, folded, stands for all if all devices take part: the platform states its
// symmetry, and each device does what the first does.
bool folds_by_statement(const Request& request, const AlgorithmChoice& algorithm);

// Schedules are written down message by message unless they are folded. Infeasible: more than fit
// in memory.
std::optional<Infeasible> check_messages(const Request& request,
                                         const AlgorithmChoice& algorithm,
                                         bool fold);

// "ring 9.015 ms, rings 5.019 ms"
std::string to_text(const std::vector<Candidate>& candidates);

}  // namespace cairn::comm
