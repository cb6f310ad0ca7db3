#include "cairn/remote/copy_paths.hpp"

#include <string>
#include <utility>

namespace cairn::remote {

namespace {

using platform::Graph;
using platform::Hop;
using platform::Link;
using platform::StorePart;

// One resource per link, and per port of a node with an injection limit.
class Network {
 public:
  Network(const Graph& graph, sim::Engine& engine) : graph_(&graph), engine_(&engine) {}

  std::vector<sim::Draw> draws(const platform::Route& route) {
    std::vector<sim::Draw> draws;
    for (const Hop& hop : route.hops) {
      const Link& link = graph_->link(hop.link);
      draws.push_back({.resource = link_resource(hop.link), .amount = hop.share});
      draws.push_back({.resource = port(sends_, link.from, " sends"), .amount = hop.share});
      draws.push_back({.resource = port(receives_, link.to, " receives"), .amount = hop.share});
    }
    return draws;
  }

 private:
  using Ports = std::map<Id<platform::Node>, Id<sim::Resource>>;

  Id<sim::Resource> link_resource(Id<Link> id) {
    const auto known = links_.find(id);
    if (known != links_.end()) {
      return known->second;
    }
    const Link& link = graph_->link(id);
    return links_[id] = engine_->add(
               sim::Resource{.name = graph_->name(link.from) + " -> " + graph_->name(link.to),
                             .capacity = graph_->class_of(id).bandwidth.si()});
  }

  Id<sim::Resource> port(Ports& ports, Id<platform::Node> node, const char* what) {
    const auto known = ports.find(node);
    if (known != ports.end()) {
      return known->second;
    }
    return ports[node] =
               engine_->add(sim::Resource{.name = graph_->name(node) + what,
                                          .capacity = graph_->class_of(node).injection.si()});
  }

  const Graph* graph_;
  sim::Engine* engine_;
  std::map<Id<Link>, Id<sim::Resource>> links_;
  Ports sends_;
  Ports receives_;
};

}  // namespace

CopyPaths::CopyPaths(const platform::Platform& platform,
                     const std::vector<StorePart>& store,
                     const LocalMemory& local,
                     sim::Engine& engine) {
  const auto device_memory =
      engine.add(sim::Resource{.name = "device memory", .capacity = local.bandwidth.si()});
  local_ = {.draws = {{.resource = device_memory, .amount = 2.0}}, .source_latency = local.latency};
  Network network(platform.graph, engine);
  for (const StorePart& part : store) {
    const auto group = engine.add(sim::Resource{
        .name = platform.graph.name(part.node) + " group " + std::to_string(part.group),
        .capacity = part.bandwidth.si()});
    const auto path_over = [&](const platform::Route& route, Seconds source_latency) {
      Path path{.route = route, .draws = network.draws(route), .source_latency = source_latency};
      path.draws.push_back({.resource = device_memory});
      path.draws.push_back({.resource = group});
      return path;
    };
    nodes_.push_back(
        {.out = path_over(part.out, local.latency), .in = path_over(part.in, part.latency)});
  }
}

Id<sim::Demand> CopyPaths::demand(Direction direction,
                                  std::size_t node,
                                  Bytes bytes,
                                  sim::Engine& engine) {
  const bool stays = direction == Direction::kLocalToLocal;
  const bool leaves = direction == Direction::kLocalToRemote;
  const Path& path = stays ? local_ : leaves ? nodes_[node].out : nodes_[node].in;
  const Seconds latency = path.source_latency + path.route.latency_for(bytes);
  const auto key = std::tuple(direction, stays ? 0 : node, latency.si());
  const auto known = known_.find(key);
  if (known != known_.end()) {
    return known->second;
  }
  return known_[key] = engine.add(sim::Demand{.draws = path.draws, .latency = latency});
}

}  // namespace cairn::remote
