// Collectives: the operation, its size and its group of devices; algorithm.hpp has the algorithms.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/base/quantity.hpp"

namespace cairn::comm {

enum class Op : std::uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kBroadcast,
  kReduce,
  kGather,
  kScatter,
  kSendReceive,
};

// `size` follows nccl-tests: the larger of a device's send and receive buffers.
struct OpInfo {
  Op op;
  std::string_view name;
  std::string_view doc;
  bool rooted;
};

std::span<const OpInfo> ops();
const OpInfo& info(Op op);

// True for all-reduce and its halves, reduce-scatter and all-gather.
constexpr bool is_all_reduce_or_half(Op op) {
  return op == Op::kAllReduce || op == Op::kReduceScatter || op == Op::kAllGather;
}

// Bus bandwidth = bus_factor * size / time, as NCCL defines it: an optimal algorithm on links of
// bandwidth B reaches B for any number of devices n.
double bus_factor(Op op, std::uint32_t devices);

struct Collective {
  Op op = Op::kAllReduce;
  Bytes size{};
  std::vector<std::uint32_t> group{};  // devices by rank, in order; empty: all of the platform
  std::uint32_t root = 0;              // position in the group, for rooted operations

  // All-to-all with unequal sizes: a device sends weights[d] / sum(weights) of `size` to the one
  // displaced by d from it (GroupLayout::shifted) and keeps weights[0]. Empty: equal.
  std::vector<double> weights{};
};

}  // namespace cairn::comm
