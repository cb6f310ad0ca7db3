#include "cairn/comm/collective.hpp"

#include <algorithm>
#include <array>

#include "cairn/base/failure.hpp"

namespace cairn::comm {

namespace {

constexpr std::array kOps{
    OpInfo{Op::kAllReduce, "all_reduce", "every device gets the sum of all buffers", false},
    OpInfo{Op::kReduceScatter, "reduce_scatter", "each device gets its part of the sum", false},
    OpInfo{Op::kAllGather, "all_gather", "every device gets the parts of all devices", false},
    OpInfo{Op::kAllToAll, "all_to_all", "each device sends a different part to every other", false},
    OpInfo{Op::kBroadcast, "broadcast", "every device gets the root's buffer", true},
    OpInfo{Op::kReduce, "reduce", "the root gets the sum of all buffers", true},
    OpInfo{Op::kGather, "gather", "the root gets the parts of all devices", true},
    OpInfo{Op::kScatter, "scatter", "each device gets its part of the root's buffer", true},
    OpInfo{Op::kSendReceive,
           "send_receive",
           "the first device of the group sends to the second",
           false},
};

}  // namespace

std::span<const OpInfo> ops() {
  return kOps;
}

const OpInfo& info(Op op) {
  const auto found = std::ranges::find(kOps, op, &OpInfo::op);
  ensure(found != kOps.end(), "this collective is not in the table");
  return *found;
}

double bus_factor(Op op, std::uint32_t devices) {
  const double n = devices;
  switch (op) {
    case Op::kAllReduce:
      return 2.0 * (n - 1.0) / n;
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kAllToAll:
    case Op::kGather:
    case Op::kScatter:
      return (n - 1.0) / n;
    case Op::kBroadcast:
    case Op::kReduce:
    case Op::kSendReceive:
      return 1.0;
  }
  throw Bug("no bus factor for this collective");
}

}  // namespace cairn::comm
