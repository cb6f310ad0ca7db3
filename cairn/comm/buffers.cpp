#include "cairn/comm/buffers.hpp"

#include <numeric>

#include "cairn/base/failure.hpp"

namespace cairn::comm {

Buffers buffers_of(const Collective& collective, std::uint32_t position, std::uint32_t positions) {
  const double n = positions;
  const double others = (n - 1.0) / n;
  const bool root = position == collective.root;
  switch (collective.op) {
    case Op::kAllReduce:
      return {1.0, 1.0};
    case Op::kReduceScatter:
      return {1.0, 1.0 / n};
    case Op::kAllGather:
      return {1.0 / n, others};
    case Op::kAllToAll: {
      const std::vector<double>& weights = collective.weights;
      const double sent =
          weights.empty()
              ? others
              : 1.0 - weights.front() / std::accumulate(weights.begin(), weights.end(), 0.0);
      return {sent, sent};
    }
    case Op::kBroadcast:
      return root ? Buffers{1.0, 0.0} : Buffers{0.0, 1.0};
    case Op::kReduce:
      return {1.0, root ? 1.0 : 0.0};
    case Op::kGather:
      return root ? Buffers{0.0, others} : Buffers{1.0 / n, 0.0};
    case Op::kScatter:
      return root ? Buffers{others, 0.0} : Buffers{0.0, 1.0 / n};
    case Op::kSendReceive:
      return position == 0 ? Buffers{1.0, 0.0} : Buffers{0.0, 1.0};
  }
  throw Bug("no buffers for this collective");
}

}  // namespace cairn::comm
