// The numbers of chunks in which a collective may be pipelined.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/request_schedule.hpp"

namespace cairn::comm {

// Fixed by the policy or by the endpoint's engine; otherwise the most that the algorithm gains
// from, and its halves: many small chunks fill a pipeline, but each pays all latencies. In
// increasing order. `first`: the schedule of the first group.
std::vector<std::uint32_t> chunk_counts(const Collective& collective,
                                        const Algorithm& algorithm,
                                        const Realized& first,
                                        const CollectivePolicy& policy,
                                        const Endpoint& endpoint);

}  // namespace cairn::comm
