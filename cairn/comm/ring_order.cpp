#include "cairn/comm/ring_order.hpp"

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::comm {

namespace {

using platform::Link;
using platform::Node;
using platform::NodeKind;

bool is_device(const platform::Graph& graph, Id<Node> node) {
  return graph.class_of(node).kind == NodeKind::kDevice;
}

// Walks the ring from `start` on and cuts it at every device; stops after `max_steps` pieces.
std::vector<RingStep> cut_at_devices(const platform::Graph& graph,
                                     const std::vector<Id<Link>>& links,
                                     std::size_t start,
                                     std::size_t max_steps) {
  std::vector<RingStep> steps;
  RingStep step;
  step.from = graph.node(graph.link(links[start]).from).ordinal;
  for (std::size_t i = 0; i < links.size() && steps.size() < max_steps; ++i) {
    const Id<Link> link = links[(start + i) % links.size()];
    step.links.push_back(link);
    const Id<Node> reached = graph.link(link).to;
    if (is_device(graph, reached)) {
      step.to = graph.node(reached).ordinal;
      steps.push_back(std::exchange(step, RingStep{}));
      step.from = steps.back().to;
    }
  }
  return steps;
}

}  // namespace

std::vector<RingStep> ring_steps(const GroupLayout& layout,
                                 const platform::Ring& ring,
                                 bool forward) {
  const platform::Graph& graph = layout.platform->graph;
  std::vector<Id<Link>> reversed;
  if (!forward) {
    // A shift-symmetric ring needs one position only; its links are at the end of the ring.
    const std::size_t max_links =
        layout.first_position_only ? ring.links.size() / layout.positions : ring.links.size();
    for (auto link = ring.links.rbegin(); link != ring.links.rend() && reversed.size() < max_links;
         ++link) {
      reversed.push_back(platform::reverse(*link));
    }
  }
  const std::vector<Id<Link>>& links = forward ? ring.links : reversed;
  const Id<Node> first = graph.devices()[0];
  std::size_t start = 0;
  while (start < links.size() && graph.link(links[start]).from != first) {
    ++start;
  }
  ensure(start < links.size(), "ring does not pass device 0");
  return cut_at_devices(graph, links, start, layout.senders());
}

std::vector<RingStep> routed_ring_steps(const GroupLayout& layout) {
  std::vector<RingStep> steps;
  steps.reserve(layout.senders());
  for (std::uint32_t p = 0; p < layout.senders(); ++p) {
    steps.push_back({.from = p, .to = (p + 1) % layout.positions, .links = {}});
  }
  return steps;
}

Part& add_ring_part(CollectiveSchedule& schedule,
                    double payload_share,
                    const std::vector<RingStep>& ring,
                    Op op,
                    std::uint32_t steps,
                    double share_per_step) {
  Part part{.share = payload_share};
  const auto first_links = static_cast<std::uint32_t>(schedule.links.size());
  for (const bool reduces : {true, false}) {
    if (op == (reduces ? Op::kAllGather : Op::kReduceScatter)) {
      continue;
    }
    part.begin_phase(steps, reduces ? steps : 0);
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
      Message message{.from = ring[i].from, .to = ring[i].to, .share = share_per_step};
      if (!ring[i].links.empty()) {
        message.path = {.kind = Path::Kind::kLinks, .index = first_links + i};
      }
      part.send(message);
    }
  }
  for (const RingStep& step : ring) {
    schedule.links.push_back(step.links);
  }
  schedule.parts.push_back(std::move(part));
  return schedule.parts.back();
}

}  // namespace cairn::comm
