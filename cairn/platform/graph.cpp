#include "cairn/platform/graph.hpp"

#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::platform {

std::string_view to_text(NodeKind kind) {
  switch (kind) {
    case NodeKind::kDevice:
      return "device";
    case NodeKind::kMemoryNode:
      return "memory-node";
    case NodeKind::kSwitch:
      return "switch";
    case NodeKind::kHostSocket:
      return "host socket";
    case NodeKind::kPcieSwitch:
      return "PCIe switch";
  }
  throw Bug("a node kind without a name");
}

Id<NodeClass> Graph::add_node_class(NodeClass node_class) {
  node_class.count = 0;
  node_classes_.push_back(std::move(node_class));
  return Id<NodeClass>(node_classes_.size() - 1);
}

Id<LinkClass> Graph::add_link_class(LinkClass link_class) {
  ensure(link_class.bandwidth > BytesPerSecond(0.0), "a link class without bandwidth");
  ensure(link_class.cost > 0, "a link class with cost 0");
  link_class.count = 0;
  link_classes_.push_back(std::move(link_class));
  return Id<LinkClass>(link_classes_.size() - 1);
}

Id<Node> Graph::add_node(Id<NodeClass> node_class, std::uint32_t members) {
  NodeClass& its_class = node_classes_.at(node_class.index());
  its_class.count += members;
  const Id<Node> id(nodes_.size());
  const std::uint32_t ordinal = count_of_kind_[static_cast<std::size_t>(its_class.kind)]++;
  nodes_.push_back({node_class, ordinal, members});
  if (its_class.kind == NodeKind::kDevice) {
    devices_.push_back(id);
  }
  return id;
}

Id<Link> Graph::add_cable(
    Id<Node> a, Id<Node> b, Id<LinkClass> a_to_b, Id<LinkClass> b_to_a, std::uint32_t members) {
  ensure(a != b && a.index() < nodes_.size() && b.index() < nodes_.size(),
         "a cable must connect two nodes of the graph");
  const Id<Link> first(links_.size());
  links_.push_back({a, b, a_to_b, members});
  links_.push_back({b, a, b_to_a, members});
  link_classes_.at(a_to_b.index()).count += members;
  link_classes_.at(b_to_a.index()).count += members;
  return first;
}

void Graph::scale_bandwidth(double factor) {
  for (LinkClass& link_class : link_classes_) {
    link_class.bandwidth *= factor;
  }
}

void Graph::set_injection(Id<NodeClass> node_class, BytesPerSecond limit) {
  node_classes_.at(node_class.index()).injection = limit;
}

void Graph::reserve(std::size_t nodes, std::size_t cables) {
  nodes_.reserve(nodes);
  links_.reserve(2 * cables);
}

void Graph::index_links() {
  first_out_.assign(nodes_.size() + 1, 0);
  for (const Link& link : links_) {
    ++first_out_[link.from.index() + 1];
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    first_out_[n + 1] += first_out_[n];
  }
  out_.resize(links_.size());
  // first_out_[n] advances to the end of n's range while filling, and is reset afterwards.
  for (std::size_t l = 0; l < links_.size(); ++l) {
    out_[first_out_[links_[l].from.index()]++] = Id<Link>(l);
  }
  for (std::size_t n = nodes_.size(); n > 0; --n) {
    first_out_[n] = first_out_[n - 1];
  }
  first_out_[0] = 0;
}

std::span<const Id<Link>> Graph::links_out(Id<Node> node) const {
  ensure(first_out_.size() == nodes_.size() + 1, "index_links() was not called");
  const std::size_t begin = first_out_[node.index()];
  return std::span(out_).subspan(begin, first_out_[node.index() + 1] - begin);
}

std::string Graph::name(Id<Node> node) const {
  if (node.index() < names_.size() && !names_[node.index()].empty()) {
    return names_[node.index()];
  }
  return std::string(to_text(class_of(node).kind)) + " " +
         std::to_string(nodes_[node.index()].ordinal);
}

void Graph::set_name(Id<Node> node, std::string name) {
  if (names_.size() <= node.index()) {
    names_.resize(nodes_.size());
  }
  names_[node.index()] = std::move(name);
}

}  // namespace cairn::platform
