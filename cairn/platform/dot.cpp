#include "cairn/platform/dot.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "cairn/base/printable.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::platform {

namespace {

std::string_view style_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kDevice:
      return "shape=box, style=filled, fillcolor=\"#cfe3f7\"";
    case NodeKind::kMemoryNode:
      return "shape=cylinder, style=filled, fillcolor=\"#d8efd3\"";
    case NodeKind::kSwitch:
      return "shape=diamond, style=filled, fillcolor=\"#eeeeee\"";
    case NodeKind::kHostSocket:
      return "shape=hexagon, style=filled, fillcolor=\"#f7e3cf\"";
    case NodeKind::kPcieSwitch:
      return "shape=diamond, style=filled, fillcolor=\"#f7f3cf\"";
  }
  return "";
}

// Control characters are escaped: the output is often printed to a terminal.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + "\"";
}

std::string bandwidth_label(const LinkClass& forth, const LinkClass& back) {
  const std::string text = to_text(forth.bandwidth);
  return forth.bandwidth == back.bandwidth ? text : text + " / " + to_text(back.bandwidth);
}

}  // namespace

std::string to_dot(const Platform& platform) {
  const Graph& graph = platform.graph;
  std::string dot = "graph " + quoted(platform.name) + " {\n  overlap=false;\n";
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    const Id<Node> node(n);
    dot += fmt::format("  n{} [label={}, {}];\n",
                       n,
                       quoted(graph.name(node)),
                       style_of(graph.class_of(node).kind));
  }
  // Parallel cables of the same speed, in order of their ends.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::uint32_t> cables;
  for (std::size_t l = 0; l < graph.links().size(); l += 2) {
    Id<Link> forth(l);
    if (graph.link(forth).to < graph.link(forth).from) {
      forth = reverse(forth);
    }
    const Link& link = graph.link(forth);
    ++cables[{link.from.value,
              link.to.value,
              bandwidth_label(graph.class_of(forth), graph.class_of(reverse(forth)))}];
  }
  for (const auto& [ends, count] : cables) {
    const auto& [from, to, speed] = ends;
    dot += fmt::format("  n{} -- n{} [label={}];\n",
                       from,
                       to,
                       quoted(count == 1 ? speed : std::to_string(count) + " x " + speed));
  }
  return dot + "}\n";
}

}  // namespace cairn::platform
