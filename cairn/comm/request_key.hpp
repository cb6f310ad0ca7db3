// What determines the schedules and estimates of a request on a platform.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "cairn/comm/request.hpp"

namespace cairn::comm {

// Equal for requests in groups of devices that a symmetry of the platform maps onto each other,
// such as those of two pipeline stages.
struct RequestKey {
  Op op{};
  std::uint32_t root = 0;
  Bytes size{};  // 0 unless schedules or latencies depend on it
  std::vector<double> weights{};
  std::vector<std::uint32_t> devices{};  // of all groups, renumbered
  // By group: its size, whether its devices are in rank order, and its number of coordinates along
  // each dimension. Algorithms see these (GroupLayout), and renumbering may change them.
  std::vector<std::uint32_t> shapes{};

  auto operator<=>(const RequestKey&) const = default;
};

RequestKey key_of(const Request& request, bool depends_on_size);

}  // namespace cairn::comm
