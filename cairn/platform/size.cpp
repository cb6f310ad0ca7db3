#include "cairn/platform/size.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn::platform {

Size size_of(const Graph& graph) {
  return {.devices = static_cast<double>(graph.devices().size()),
          .nodes = static_cast<double>(graph.nodes().size()),
          .cables = static_cast<double>(graph.links().size()) / 2.0};
}

Bytes memory_needed(const Size& size) {
  // Per node: the node, its entries in the device list and the link index. Per cable: two links,
  // their entries in the index, and one entry in a ring.
  constexpr double kPerNode = sizeof(Node) + sizeof(Id<Node>) + sizeof(std::uint32_t);
  constexpr double kPerCable = 2 * (sizeof(Link) + sizeof(Id<Link>)) + sizeof(Id<Link>);
  return Bytes(size.nodes * kPerNode + size.cables * kPerCable);
}

void check_size(const Config& source, std::string_view key, const Size& size, Bytes more) {
  const Bytes needed = memory_needed(size) + more;
  if (needed <= kMemoryLimit) {
    return;
  }
  topology::reject_key(source,
                       key,
                       fmt::format("{} devices ({} nodes, {} links) need {} of "
                                   "memory (expected at most {})",
                                   many(size.devices),
                                   many(size.nodes),
                                   many(size.cables),
                                   to_text(needed),
                                   to_text(kMemoryLimit)));
}

double product(const std::vector<std::uint64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1.0, [](double a, std::uint64_t b) {
    return a * static_cast<double>(b);
  });
}

}  // namespace cairn::platform
