#include "cairn/platform/merge_switches.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "cairn/sim/colour.hpp"

namespace cairn::platform {

namespace {

using sim::Colour;

bool is_switch(const Graph& graph, Id<Node> node) {
  const NodeKind kind = graph.class_of(node).kind;
  return kind == NodeKind::kSwitch || kind == NodeKind::kPcieSwitch;
}

bool can_merge(const Platform& platform) {
  const auto classes = platform.graph.node_classes();
  const bool has_switches = std::ranges::any_of(classes, [](const NodeClass& node_class) {
    return node_class.kind == NodeKind::kSwitch && node_class.count > 1;
  });
  const bool has_memory = std::ranges::any_of(classes, [](const NodeClass& node_class) {
    return node_class.kind == NodeKind::kMemoryNode || node_class.kind == NodeKind::kHostSocket;
  });
  return platform.routing == Routing::kMultipath && platform.rings.empty() && has_switches &&
         !has_memory;
}

// By node: equal for switches of a class of the coarsest equitable partition.
std::vector<Colour> colours_of(const Graph& graph) {
  std::vector<Colour> colours;
  colours.reserve(graph.nodes().size());
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    const Id<Node> node(n);
    const std::size_t own = is_switch(graph, node) ? graph.node(node).node_class.index()
                                                   : graph.node_classes().size() + n;
    colours.push_back(sim::mix(own));
  }
  for (std::size_t before = 0, now = sim::distinct(colours); now != before;) {
    std::vector<Colour> met(colours.size(), 0);
    for (std::size_t l = 0; l < graph.links().size(); ++l) {
      const Link& link = graph.links()[l];
      const Link& back = graph.link(reverse(Id<Link>(l)));
      const Colour cable = sim::mix(link.link_class.value, back.link_class.value);
      met[link.from.index()] += sim::mix(cable, colours[link.to.index()]);
    }
    for (std::size_t n = 0; n < colours.size(); ++n) {
      colours[n] = sim::mix(colours[n], met[n]);
    }
    before = std::exchange(now, sim::distinct(colours));
  }
  return colours;
}

class Merging {
 public:
  explicit Merging(const Graph& graph) : graph_(graph) {
    const std::vector<Colour> colours = colours_of(graph);
    std::unordered_map<Colour, std::uint32_t> class_of;
    for (std::size_t n = 0; n < colours.size(); ++n) {
      const auto next = static_cast<std::uint32_t>(first_.size());
      const auto [found, is_new] = class_of.try_emplace(colours[n], next);
      if (is_new) {
        first_.emplace_back(n);
        members_.push_back(0);
      }
      ++members_[found->second];
      node_of_.emplace_back(found->second);
    }
  }

  // Whether any switches merge, and no cable connects two of a class.
  [[nodiscard]] bool is_possible() const {
    return first_.size() < node_of_.size() &&
           std::ranges::none_of(
               graph_.links(),
               [&](const Link& link) {
                 return node_of_[link.from.index()] == node_of_[link.to.index()];
               });
  }

  [[nodiscard]] Graph nodes() const {
    Graph merged;
    for (const NodeClass& node_class : graph_.node_classes()) {
      merged.add_node_class(node_class);
    }
    for (const LinkClass& link_class : graph_.link_classes()) {
      merged.add_link_class(link_class);
    }
    for (std::size_t n = 0; n < first_.size(); ++n) {
      const Id<Node> node = merged.add_node(graph_.node(first_[n]).node_class, members_[n]);
      if (is_switch(graph_, first_[n])) {
        merged.set_name(node, graph_.name(first_[n]));
      }
    }
    return merged;
  }

  // Adds the merged cables; returns the link of each link of the original. Cables between devices
  // stay apart: ring steps tell them apart.
  std::vector<Id<Link>> add_cables(Graph& merged) const {
    using Cable = std::tuple<Id<Node>, Id<Node>, Id<LinkClass>, Id<LinkClass>>;
    std::map<Cable, std::uint32_t> place;
    std::vector<std::pair<Cable, std::uint32_t>> cables;  // with members
    std::vector<std::uint32_t> cable_of;
    for (std::size_t l = 0; l < graph_.links().size(); l += 2) {
      const Link& forth = graph_.links()[l];
      const Link& back = graph_.links()[l + 1];
      const Cable cable{node_of_[forth.from.index()],
                        node_of_[forth.to.index()],
                        forth.link_class,
                        back.link_class};
      const auto next = static_cast<std::uint32_t>(cables.size());
      const bool merges = is_switch(graph_, forth.from) || is_switch(graph_, forth.to);
      const std::uint32_t which = merges ? place.try_emplace(cable, next).first->second : next;
      if (which == next) {
        cables.emplace_back(cable, 0);
      }
      ++cables[which].second;
      cable_of.push_back(which);
    }
    for (const auto& [cable, members] : cables) {
      std::apply([&](const auto&... ends) { merged.add_cable(ends..., members); }, cable);
    }
    merged.index_links();
    std::vector<Id<Link>> link_of;
    for (const std::uint32_t cable : cable_of) {
      link_of.emplace_back(2 * cable);
      link_of.emplace_back(2 * cable + 1);
    }
    return link_of;
  }

 private:
  const Graph& graph_;
  std::vector<Id<Node>> node_of_;       // by node of the original
  std::vector<Id<Node>> first_;         // by merged node: the first of the original
  std::vector<std::uint32_t> members_;  // by merged node
};

}  // namespace

std::optional<MergedPlatform> merge_switches(const Platform& platform) {
  if (!can_merge(platform)) {
    return std::nullopt;
  }
  const Merging merging(platform.graph);
  if (!merging.is_possible()) {
    return std::nullopt;
  }
  MergedPlatform merged{.platform = platform};
  merged.platform.graph = merging.nodes();
  merged.link_of = merging.add_cables(merged.platform.graph);
  return merged;
}

}  // namespace cairn::platform
