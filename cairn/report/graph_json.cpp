#include "cairn/report/graph_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNodes = 4096;
constexpr std::size_t kMostLinks = 40'000;

}  // namespace

Json graph_json(const platform::Platform& platform, const LinkUse& use) {
  const platform::Graph& graph = platform.graph;
  Json json{{"name", platform.name},
            {"topology", platform.topology},
            {"dims", platform.dims},
            {"nodes", Json::array()},
            {"links", Json::array()}};
  if (graph.nodes().size() > kMostNodes || graph.links().size() > kMostLinks) {
    json["too_large"] = fmt::format(
        "{} nodes and {} links are too many to draw", graph.nodes().size(), graph.links().size());
    return json;
  }
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    const Id<platform::Node> node(n);
    json["nodes"].push_back({{"id", n},
                             {"kind", platform::to_text(graph.class_of(node).kind)},
                             {"name", graph.name(node)}});
  }
  for (std::size_t l = 0; l < graph.links().size(); ++l) {
    const Id<platform::Link> id(l);
    const platform::Link& link = graph.link(id);
    Json entry{{"id", l},
               {"from", link.from.value},
               {"to", link.to.value},
               {"class", graph.class_of(id).name},
               {"bandwidth_Bps", graph.class_of(id).bandwidth.si()}};
    if (l < use.carried.size()) {
      entry["carried_B"] = use.carried[l].si();
      entry["utilization"] = use.utilization[l];
    }
    json["links"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace cairn::report
