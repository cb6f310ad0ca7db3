// Collectives: what is to be exchanged, among whom. How is an algorithm's business.
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

// Bus bandwidth = bus_factor * size / time, NCCL's measure that a perfect algorithm on links of
// bandwidth B brings to B whatever the number of devices n.
double bus_factor(Op op, std::uint32_t devices);

struct Collective {
  Op op = Op::kAllReduce;
  Bytes size{};
  std::vector<std::uint32_t> group{};  // devices by rank, in order; empty: all of the platform
  std::uint32_t root = 0;              // position in the group, for rooted operations

  // All-to-all with unequal sizes: what a device sends to the one displaced by d from it
  // (Layout::shifted) is weights[d] / sum(weights) of `size`; weights[0] is what it keeps. Empty:
  // equal.
  std::vector<double> weights{};
};

}  // namespace cairn::comm
