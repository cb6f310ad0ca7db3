// A request for a collective in groups of devices: which algorithms support it, whether one group
// represents all, and how many messages it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/algorithm_choice.hpp"

namespace cairn::comm {

// One operation in one or several groups of devices at the same time; each has the whole size.
struct Request {
  Collective collective{};           // its `group` is not read
  const GroupLayout* all = nullptr;  // positions of devices
  std::vector<Group> groups{};       // for send_receive: {from, to}

  [[nodiscard]] std::uint32_t group_size() const {
    const Group& first = groups.front();
    return first.empty() ? all->positions : static_cast<std::uint32_t>(first.size());
  }
};

// Algorithms that support the request in every group, in the order of algorithms().
std::vector<AlgorithmChoice> supported_algorithms(const Request& request);

// Infeasible if the algorithm does not support the request in one of the groups.
std::optional<Infeasible> check_algorithm(const Request& request, const AlgorithmChoice& algorithm);

// Whether the first group, folded, represents all groups if all devices take part: the platform
// states its symmetry, and each device does what the first does.
bool folds_by_statement(const Request& request, const AlgorithmChoice& algorithm);

// Approximate number of messages of the schedule, in all groups or folded.
double messages(const Request& request, const AlgorithmChoice& algorithm, bool fold);

// Infeasible if the messages of the schedule do not fit in host memory.
std::optional<Infeasible> check_messages(const Request& request,
                                         const AlgorithmChoice& algorithm,
                                         bool fold);

}  // namespace cairn::comm
