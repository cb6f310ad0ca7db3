#include "cairn/platform/route.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <queue>
#include <span>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::platform {

namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// Hops of multi-path routes cached by one Router before the cache is cleared (16 MiB).
constexpr std::size_t kHopsKept = std::size_t{1} << 20U;

// The direct links from a device to the next one up or down a dimension, lowest id first. In a
// dimension of two both directions lead to the same device: the first half of the cables is
// coordinate 0's way up (and so 1's way down), the rest 0's way down; a single cable serves both.
std::vector<Id<Link>> links_to_neighbour(const Platform& platform,
                                         std::uint32_t rank,
                                         const DimensionPlace& place,
                                         bool up) {
  const std::uint32_t next = up ? (place.coordinate + 1) % place.width
                                : (place.coordinate + place.width - 1) % place.width;
  const auto devices = platform.graph.devices();
  const Id<Node> neighbour = devices[place.rank_at(rank, next)];
  std::vector<Id<Link>> links;
  for (const Id<Link> link : platform.graph.links_out(devices[rank])) {
    if (platform.graph.link(link).to == neighbour) {
      links.push_back(link);
    }
  }
  if (place.width == 2 && links.size() > 1) {
    const auto half = links.begin() + static_cast<std::ptrdiff_t>(links.size() / 2);
    const bool first_half = up == (place.coordinate == 0);
    links = first_half ? std::vector(links.begin(), half) : std::vector(half, links.end());
  }
  return links;
}

bool wraps_around(const Platform& platform, std::uint32_t rank, const DimensionPlace& place) {
  DimensionPlace first = place;
  first.coordinate = 0;
  return !links_to_neighbour(platform, place.rank_at(rank, 0), first, false).empty();
}

// Corrects coordinate 0 first, then 1, ...: the shorter way round, ties go up; without a cable that
// closes the dimension (a mesh), straight.
Route dimension_ordered(const Platform& platform, std::uint32_t from, std::uint32_t to) {
  std::vector<Id<Link>> links;
  std::uint32_t rank = from;
  for (std::size_t dim = 0; dim < platform.dims.size(); ++dim) {
    DimensionPlace place = place_in(platform.dims, rank, dim);
    const std::uint32_t goal = place_in(platform.dims, to, dim).coordinate;
    if (goal == place.coordinate) {
      continue;
    }
    const std::uint32_t steps_up = (goal + place.width - place.coordinate) % place.width;
    const bool wrap = wraps_around(platform, rank, place);
    const bool up = wrap ? 2 * steps_up <= place.width : goal > place.coordinate;
    while (place.coordinate != goal) {
      const auto direct = links_to_neighbour(platform, rank, place, up);
      ensure(!direct.empty(), "dimension-ordered routing without a cable between neighbours");
      links.push_back(direct.front());
      const std::uint32_t next = up ? (place.coordinate + 1) % place.width
                                    : (place.coordinate + place.width - 1) % place.width;
      rank = place.rank_at(rank, next);
      place.coordinate = next;
    }
  }
  return along(platform, links);
}

// Counts all links that the given ones represent.
double members_of(const Graph& graph, std::span<const Id<Link>> links) {
  double members = 0.0;
  for (const Id<Link> link : links) {
    members += graph.link(link).members;
  }
  return members;
}

// One message over parallel links, split evenly.
Route side_by_side(const Platform& platform, std::span<const Id<Link>> links) {
  Route route;
  const double share = 1.0 / members_of(platform.graph, links);
  for (const Id<Link> link : links) {
    route.hops.push_back({link, share});
    route.latency = std::max(route.latency, platform.graph.class_of(link).latency);
  }
  return route;
}

// A node on the path of a split message: the fraction that passes it, and the slowest path to it.
struct Pass {
  Id<Node> node;
  double share = 0.0;
  Seconds slowest;         // latency of the slowest path, store-and-forward included
  std::size_t before = 0;  // the Pass the slowest path comes from
  Id<Link> by;             // ... over this link
};

Seconds time_to_store(const Graph& graph, Id<Node> node, Id<Link> onward) {
  return graph.class_of(node).store_and_forward / graph.class_of(onward).bandwidth;
}

// Makes `route` the one that follows the links.
void follow(const Platform& platform, std::span<const Id<Link>> links, Route& route) {
  const Graph& graph = platform.graph;
  route.hops.clear();
  route.stops.clear();
  route.latency = Seconds(0.0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkClass& link_class = graph.class_of(links[i]);
    route.hops.push_back({links[i], 1.0});
    route.latency += link_class.latency;
    if (i == 0) {
      continue;
    }
    const Id<Node> between = graph.link(links[i]).from;
    ensure(graph.link(links[i - 1]).to == between, "links are not consecutive");
    const Bytes stored = graph.class_of(between).store_and_forward;
    if (stored > Bytes(0.0)) {
      route.stops.push_back({stored, link_class.bandwidth});
    }
  }
}

}  // namespace

Seconds Route::latency_for(Bytes message) const {
  Seconds total = latency;
  for (const Stop& stop : stops) {
    total += std::min(message, stop.stored) / stop.onward;
  }
  return total;
}

Route along(const Platform& platform, std::span<const Id<Link>> links) {
  Route route;
  follow(platform, links, route);
  return route;
}

std::span<const Id<Link>> Router::one_hop(Id<Node> from, Id<Node> to) {
  const Graph& graph = platform_->graph;
  const auto end_of = [&](Id<Link> link) { return graph.link(link).to; };
  by_neighbour_.resize(graph.nodes().size());
  auto& sorted = by_neighbour_[from.index()];
  if (!sorted) {
    sorted.emplace();
    std::ranges::copy_if(graph.links_out(from), std::back_inserter(*sorted), [&](Id<Link> link) {
      return graph.class_of(link).cost == 1;
    });
    std::ranges::stable_sort(*sorted, std::ranges::less(), end_of);
  }
  return std::ranges::equal_range(*sorted, to, std::ranges::less(), end_of);
}

bool Router::goes_over_only_neighbour(Id<Node> from, Id<Node> to) {
  const Graph& graph = platform_->graph;
  const auto out = graph.links_out(from);
  const auto is_single = [&](std::span<const Id<Link>> links) {
    return links.size() == 1 && graph.link(links.front()).members == 1;
  };
  if (!is_single(out) || graph.class_of(out.front()).cost != 1) {
    return false;
  }
  const auto onward = one_hop(graph.link(out.front()).to, to);
  if (!is_single(onward)) {
    return false;
  }
  follow(*platform_, std::array{out.front(), onward.front()}, latest_);
  return true;
}

const Route& Router::route(Id<Node> from, Id<Node> to) {
  if (from == to) {
    return latest_ = {};
  }
  if (goes_over_only_neighbour(from, to)) {
    return latest_;
  }
  const Graph& graph = platform_->graph;
  switch (platform_->routing) {
    case Routing::kDimensionOrdered:
      if (graph.class_of(from).kind == NodeKind::kDevice &&
          graph.class_of(to).kind == NodeKind::kDevice) {
        return latest_ =
                   dimension_ordered(*platform_, graph.node(from).ordinal, graph.node(to).ordinal);
      }
      return latest_ = shortest(from, to);
    case Routing::kShortest:
      return latest_ = shortest(from, to);
    case Routing::kMultipath:
      return multipath(from, to);
  }
  throw Bug("a routing without a rule");
}

const ShortestPaths& Router::find_paths(Id<Node> from, Id<Node> to) {
  if (!paths_) {
    paths_.emplace(platform_->graph);
  }
  paths_->find(from, to);
  return *paths_;
}

Route Router::shortest(Id<Node> from, Id<Node> to) {
  if (const auto direct = one_hop(from, to); !direct.empty()) {
    return along(*platform_, direct.first(1));
  }
  const Graph& graph = platform_->graph;
  const ShortestPaths& paths = find_paths(from, to);
  std::vector<Id<Link>> links;
  for (Id<Node> at = from; at != to;) {
    const auto out = graph.links_out(at);
    const auto link = std::ranges::find_if(
        out, [&](Id<Link> candidate) { return paths.leads_nearer(candidate); });
    links.push_back(*link);
    at = graph.link(*link).to;
  }
  return along(*platform_, links);
}

const Route& Router::multipath(Id<Node> from, Id<Node> to) {
  const std::uint64_t ends = std::uint64_t{from.value} << 32U | to.value;
  if (const auto known = split_.find(ends); known != split_.end()) {
    return known->second;
  }
  Route route = find_multipath(from, to);
  if (hops_kept_ + route.hops.size() > kHopsKept) {
    split_.clear();
    hops_kept_ = 0;
  }
  hops_kept_ += route.hops.size();
  return split_.emplace(ends, std::move(route)).first->second;
}

// Shares flow towards smaller distances: a node forwards its share in equal parts over all links
// that lead nearer, so flow is conserved. The farthest node is processed first: all its inflow has
// arrived by then.
Route Router::find_multipath(Id<Node> from, Id<Node> to) {
  if (const auto direct = one_hop(from, to); !direct.empty()) {
    return side_by_side(*platform_, direct);
  }
  const Graph& graph = platform_->graph;
  const ShortestPaths& paths = find_paths(from, to);
  slot_of_.resize(graph.nodes().size(), kUnreached);
  Route route;
  std::vector<Pass> passes{{.node = from, .share = 1.0, .slowest = {}, .before = 0, .by = {}}};
  using Waiting = std::pair<std::uint32_t, std::uint32_t>;  // distance, ~slot: oldest first on ties
  std::priority_queue<Waiting> waiting;
  waiting.emplace(paths.distance(from), ~0U);
  std::vector<Id<Link>> nearer;
  while (waiting.top().first > 0) {
    const std::size_t here_slot = ~waiting.top().second;
    waiting.pop();
    const Pass here = passes[here_slot];
    nearer.clear();
    for (const Id<Link> link : graph.links_out(here.node)) {
      if (paths.leads_nearer(link)) {
        nearer.push_back(link);
      }
    }
    const double share_of_link = here.share / members_of(graph, nearer);
    for (const Id<Link> link : nearer) {
      const double share = share_of_link * graph.link(link).members;
      const Seconds slowest =
          here.slowest + graph.class_of(link).latency +
          (here_slot == 0 ? Seconds(0.0) : time_to_store(graph, here.node, link));
      const Id<Node> next = graph.link(link).to;
      route.hops.push_back({link, share_of_link});
      std::uint32_t& slot = slot_of_[next.index()];
      if (slot == kUnreached) {
        slot = static_cast<std::uint32_t>(passes.size());
        waiting.emplace(paths.distance(next), ~slot);
        passes.push_back({next, share, slowest, here_slot, link});
        continue;
      }
      Pass& there = passes[slot];
      there.share += share;
      if (slowest > there.slowest) {
        there.slowest = slowest;
        there.before = here_slot;
        there.by = link;
      }
    }
  }
  const std::size_t last = ~waiting.top().second;
  for (const Pass& pass : passes) {
    slot_of_[pass.node.index()] = kUnreached;
  }
  std::vector<Id<Link>> slowest_path;
  for (std::size_t i = last; i != 0; i = passes[i].before) {
    slowest_path.push_back(passes[i].by);
  }
  std::ranges::reverse(slowest_path);
  Route slowest = along(*platform_, slowest_path);
  route.latency = slowest.latency;
  route.stops = std::move(slowest.stops);
  return route;
}

const Route& Router::ring_step(std::uint32_t device, std::size_t dim, bool up) {
  const DimensionPlace place = place_in(platform_->dims, device, dim);
  if (place.width == 1) {
    return latest_ = {};
  }
  const auto direct = links_to_neighbour(*platform_, device, place, up);
  if (!direct.empty()) {
    return latest_ = platform_->routing == Routing::kMultipath
                         ? side_by_side(*platform_, direct)
                         : along(*platform_, std::span(direct).first(1));
  }
  const std::uint32_t next = up ? (place.coordinate + 1) % place.width
                                : (place.coordinate + place.width - 1) % place.width;
  const auto devices = platform_->graph.devices();
  return route(devices[device], devices[place.rank_at(device, next)]);
}

}  // namespace cairn::platform
