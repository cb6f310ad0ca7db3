#include "cairn/report/graph_value.hpp"

#include <fmt/format.h>

#include <utility>

namespace cairn::report {

namespace {

constexpr std::size_t kMaxNodes = 4096;
constexpr std::size_t kMaxLinks = 40'000;

}  // namespace

Value graph_value(const platform::Platform& platform, const LinkUse& use) {
  const platform::Graph& graph = platform.graph;
  List nodes;
  List links;
  Value too_large;
  if (graph.nodes().size() > kMaxNodes || graph.links().size() > kMaxLinks) {
    too_large = fmt::format(
        "{} nodes and {} links are too many to draw", graph.nodes().size(), graph.links().size());
  } else {
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
      const Id<platform::Node> node(n);
      nodes.push_back(Object{{"id", n},
                             {"kind", platform::to_text(graph.class_of(node).kind)},
                             {"name", graph.name(node)}});
    }
    for (std::size_t l = 0; l < graph.links().size(); ++l) {
      const Id<platform::Link> id(l);
      const platform::Link& link = graph.link(id);
      const bool known = l < use.traffic.size();
      links.push_back(Object{{"id", l},
                             {"from", link.from.value},
                             {"to", link.to.value},
                             {"class", graph.class_of(id).name},
                             {"bandwidth_Bps", graph.class_of(id).bandwidth},
                             {"carried_B", known ? Value(use.traffic[l]) : Value()},
                             {"utilization", known ? Value(use.utilization[l]) : Value()}});
    }
  }
  return Object{{"name", platform.name},
                {"topology", platform.topology},
                {"dims", platform.dims},
                {"nodes", std::move(nodes)},
                {"links", std::move(links)},
                {"too_large", std::move(too_large)}};
}

}  // namespace cairn::report
