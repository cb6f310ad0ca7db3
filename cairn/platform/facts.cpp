#include "cairn/platform/facts.hpp"

#include <algorithm>
#include <limits>

#include "cairn/platform/min_cut.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform {

namespace {

constexpr std::uint32_t kMaxDevicesToHalve = 16;
constexpr std::size_t kMaxLinksToCut = 4'000'000;
constexpr double kMaxStepsForDiameter = 2e8;

// Maximum hops from `start` to any device.
std::uint32_t farthest_device(const Graph& graph, Id<Node> start) {
  constexpr auto kUnreached = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> distance(graph.nodes().size(), kUnreached);
  distance[start.index()] = 0;
  std::vector<Id<Node>> frontier{start};
  std::uint32_t farthest = 0;
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    const Id<Node> here = frontier[i];
    if (graph.class_of(here).kind == NodeKind::kDevice) {
      farthest = distance[here.index()];
    }
    for (const Id<Link> link : graph.links_out(here)) {
      const Id<Node> next = graph.link(link).to;
      if (distance[next.index()] == kUnreached) {
        distance[next.index()] = distance[here.index()] + 1;
        frontier.push_back(next);
      }
    }
  }
  return farthest;
}

bool directions_are_equal(const Graph& graph) {
  for (std::size_t l = 0; l < graph.links().size(); l += 2) {
    if (graph.class_of(Id<Link>(l)).bandwidth != graph.class_of(Id<Link>(l + 1)).bandwidth) {
      return false;
    }
  }
  return true;
}

// The minimum cut between the two sides over both directions, or `best` if that is lower.
BytesPerSecond least_direction(MinCut& cut,
                               std::vector<bool> side,
                               bool both_directions,
                               BytesPerSecond best) {
  best = std::min(best, cut.between(side, best));
  if (both_directions) {
    side.flip();
    best = std::min(best, cut.between(side, best));
  }
  return best;
}

// All choices of half the devices. With an even number the first device is always included, so that
// each pair of halves is tried once.
BytesPerSecond least_over_halves(MinCut& cut, std::uint32_t devices, bool both_directions) {
  BytesPerSecond best = BytesPerSecond::infinity();
  std::vector<bool> side;
  side.reserve(devices);
  for (std::uint32_t rank = 0; rank < devices; ++rank) {
    side.push_back(rank < devices / 2);
  }
  do {
    if (devices % 2 == 0 && !side.front()) {
      break;
    }
    best = least_direction(cut, side, both_directions, best);
  } while (std::prev_permutation(side.begin(), side.end()));  // NOLINT(modernize-use-ranges): bool
  return best;
}

BytesPerSecond least_across_dimensions(MinCut& cut,
                                       const Platform& platform,
                                       bool both_directions) {
  BytesPerSecond best = BytesPerSecond::infinity();
  const bool any_even =
      std::ranges::any_of(platform.dims, [](std::uint32_t w) { return w % 2 == 0; });
  for (std::size_t dim = 0; dim < platform.dims.size(); ++dim) {
    const std::uint32_t width = platform.dims[dim];
    if (width == 1 || (any_even && width % 2 == 1)) {
      continue;
    }
    std::vector<bool> side(platform.device_count());
    for (std::uint32_t rank = 0; rank < side.size(); ++rank) {
      side[rank] = place_in(platform.dims, rank, dim).coordinate < width / 2;
    }
    best = least_direction(cut, side, both_directions, best);
  }
  return best;
}

std::optional<BytesPerSecond> least_bandwidth_to_memory(const Graph& graph) {
  BytesPerSecond least = BytesPerSecond::infinity();
  bool any = false;
  for (const Id<Node> device : graph.devices()) {
    BytesPerSecond sum;
    for (const Id<Link> link : graph.links_out(device)) {
      if (graph.class_of(graph.link(link).to).kind == NodeKind::kMemoryNode) {
        sum += graph.class_of(link).bandwidth;
        any = true;
      }
    }
    least = std::min(least, sum);
  }
  return any ? std::optional(least) : std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> diameter_of(const Platform& platform) {
  const Graph& graph = platform.graph;
  const auto devices = graph.devices();
  if (platform.shift_symmetric) {
    return farthest_device(graph, devices.front());
  }
  const double steps =
      static_cast<double>(devices.size()) *
      (static_cast<double>(graph.nodes().size()) + static_cast<double>(graph.links().size()));
  if (steps > kMaxStepsForDiameter) {
    return std::nullopt;
  }
  std::uint32_t diameter = 0;
  for (const Id<Node> device : devices) {
    diameter = std::max(diameter, farthest_device(graph, device));
  }
  return diameter;
}

std::optional<Bisection> bisection_of(const Platform& platform) {
  const std::uint32_t devices = platform.device_count();
  if (devices < 2 || platform.graph.links().size() > kMaxLinksToCut) {
    return std::nullopt;
  }
  MinCut cut(platform.graph);
  const bool both_directions = !directions_are_equal(platform.graph);
  if (devices <= kMaxDevicesToHalve) {
    return Bisection{least_over_halves(cut, devices, both_directions),
                     "exact: minimum cut over all halves of the devices"};
  }
  return Bisection{least_across_dimensions(cut, platform, both_directions),
                   "minimum cut across the middle of a dimension"};
}

Facts facts_of(const Platform& platform) {
  const Graph& graph = platform.graph;
  Facts facts;
  for (const NodeClass& node_class : graph.node_classes()) {
    facts.nodes[static_cast<std::size_t>(node_class.kind)] += node_class.count;
  }
  facts.links = static_cast<std::uint32_t>(graph.links().size() / 2);
  if (!platform.rings.empty()) {
    facts.idle_links = count_idle_cables(platform);
  }
  for (const Ring& ring : platform.rings) {
    facts.ring_hops.push_back(static_cast<std::uint32_t>(ring.links.size()));
  }
  facts.diameter = diameter_of(platform);
  facts.bisection = bisection_of(platform);
  facts.device_to_memory = least_bandwidth_to_memory(graph);
  facts.memory = memory_needed(size_of(graph));
  return facts;
}

}  // namespace cairn::platform
