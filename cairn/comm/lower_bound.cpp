#include "cairn/comm/lower_bound.hpp"

#include <algorithm>
#include <numeric>

#include "cairn/base/failure.hpp"

namespace cairn::comm {

namespace {

// Minimum bytes per byte of the collective's size, for n devices.
struct Need {
  double send;     // by every device but the root
  double receive;  // by every device but the root
  double root_send;
  double root_receive;
  double total;  // by all devices together
};

Need need_of(const Collective& collective, double n) {
  const double others = (n - 1.0) / n;
  switch (collective.op) {
    case Op::kAllReduce:
      // Each of S bytes takes n-1 transfers to be reduced and n-1 to be distributed. A device's
      // input must leave it once, and the sum must reach it.
      return {1.0, 1.0, 1.0, 1.0, 2.0 * (n - 1.0)};
    case Op::kReduceScatter:
      return {others, 1.0 / n, others, 1.0 / n, n - 1.0};
    case Op::kAllGather:
      return {1.0 / n, others, 1.0 / n, others, n - 1.0};
    case Op::kAllToAll: {
      double sent = others;
      if (!collective.weights.empty()) {
        const double sum =
            std::accumulate(collective.weights.begin(), collective.weights.end(), 0.0);
        sent = 1.0 - collective.weights.front() / sum;
      }
      return {sent, sent, sent, sent, n * sent};
    }
    case Op::kBroadcast:
      return {0.0, 1.0, 1.0, 0.0, n - 1.0};
    case Op::kReduce:
      return {1.0, 0.0, 0.0, 1.0, n - 1.0};
    case Op::kGather:
      return {1.0 / n, 0.0, 0.0, others, others};
    case Op::kScatter:
      return {0.0, 1.0 / n, others, 0.0, others};
    case Op::kSendReceive:
      return {0.0, 1.0, 1.0, 0.0, 1.0};
  }
  throw Bug("no lower bound for this collective");
}

struct DeviceBandwidth {
  BytesPerSecond out;
  BytesPerSecond in;
};

DeviceBandwidth bandwidth_of(const platform::Graph& graph, Id<platform::Node> device) {
  DeviceBandwidth bandwidth;
  for (const Id<platform::Link> link : graph.links_out(device)) {
    bandwidth.out += graph.class_of(link).bandwidth;
    bandwidth.in += graph.class_of(platform::reverse(link)).bandwidth;
  }
  const BytesPerSecond limit = graph.class_of(device).injection;
  return {std::min(bandwidth.out, limit), std::min(bandwidth.in, limit)};
}

}  // namespace

double min_sent(Op op, double n) {
  return n < 2.0 ? 0.0 : need_of({.op = op}, n).total;
}

BytesPerSecond max_sent(const platform::Platform& platform) {
  BytesPerSecond most;
  for (const Id<platform::Node> device : platform.graph.devices()) {
    most = std::max(most, bandwidth_of(platform.graph, device).out);
    if (platform.shift_symmetric || platform.exchange_symmetric) {
      break;  // all devices are identical
    }
  }
  return most;
}

Seconds lower_bound(const Collective& collective, const GroupLayout& layout) {
  if (layout.positions < 2) {
    return Seconds(0.0);
  }
  const platform::Graph& graph = layout.platform->graph;
  const Need need = need_of(collective, layout.positions);
  const bool rooted = info(collective.op).rooted || collective.op == Op::kSendReceive;
  const bool identical = !rooted && layout.whole && layout.platform->shift_symmetric;
  const std::uint32_t examined = identical ? 1 : layout.positions;
  DeviceBandwidth all;
  Seconds bound;
  for (std::uint32_t p = 0; p < examined; ++p) {
    const DeviceBandwidth b = bandwidth_of(graph, graph.devices()[layout.device(p)]);
    const bool root = rooted && p == collective.root;
    bound = std::max({bound,
                      collective.size * (root ? need.root_send : need.send) / b.out,
                      collective.size * (root ? need.root_receive : need.receive) / b.in});
    all.out += b.out;
    all.in += b.in;
  }
  const double scale = identical ? layout.positions : 1.0;
  const BytesPerSecond together = std::min(all.out, all.in) * scale;
  return std::max(bound, collective.size * need.total / together);
}

}  // namespace cairn::comm
