#include "cairn/comm/program_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "cairn/base/failure.hpp"
#include "cairn/comm/phase_order.hpp"

namespace cairn::comm {

namespace {

using platform::Link;
using platform::Node;

// By position: the buffers of positions that send or receive in the part.
std::vector<Buffers> buffers_of_part(const Part& part,
                                     const GroupLayout& layout,
                                     std::span<const Buffers> buffers) {
  std::vector<Buffers> result(layout.senders());
  const auto takes_part = [&](std::uint32_t position) {
    if (position < layout.senders()) {
      result[position] = buffers[position];
    }
  };
  for (const Message& message : part.messages) {
    takes_part(message.from);
    takes_part(message.to);
  }
  return result;
}

}  // namespace

ProgramBuilder::ProgramBuilder(platform::Router& router,
                               View view,
                               const Endpoint& endpoint,
                               std::uint32_t part_count)
    : platform_(&router.platform()),
      view_(view),
      parts_(part_count),
      stands_for_(view == View::kOnePerClass ? platform_->device_count() / part_count : 1),
      endpoint_(endpoint),
      router_(&router),
      stations_(endpoint.engine,
                view == View::kOnePerClass ? platform_->graph.node_classes().size() * part_count
                                           : platform_->graph.nodes().size()) {
  const platform::Graph& graph = platform_->graph;
  const bool by_class = view == View::kOnePerClass;
  ensure(!by_class || platform_->shift_symmetric,
         "folding by classes needs a shift-symmetric platform");
  ensure(part_count == 1 || (by_class && platform_->exchange_symmetric),
         "several parts need an exchange-symmetric platform");
  link_resource_.assign(by_class ? graph.link_classes().size() * part_count : graph.links().size(),
                        kUnused);
  const std::size_t nodes =
      by_class ? graph.node_classes().size() * part_count : graph.nodes().size();
  for (auto& by_node : injection_resource_) {
    by_node.assign(nodes, kUnused);
  }
  for (auto* parts : {&part_resource_, &kernels_part_}) {
    for (auto& by_node : *parts) {
      by_node.assign(endpoint.executor == Executor::kIdeal ? 0 : nodes, kUnused);
    }
  }
}

void ProgramBuilder::add(const Collective& collective,
                         const GroupLayout& layout,
                         const CollectiveSchedule& schedule,
                         const Chunking& chunking,
                         std::span<const Buffers> buffers) {
  ensure(layout.first_position_only == (view_ == View::kOnePerClass) || parts_ > 1,
         "layout and view do not match");
  const Id<sim::Issuer> issuer =
      result_.program.add(sim::Issuer{.name = std::string(info(collective.op).name)});
  std::vector<Buffers> of_all;
  for (std::uint32_t position = 0; buffers.empty() && position < layout.senders(); ++position) {
    of_all.push_back(buffers_of(collective, position, layout.positions));
  }
  const std::size_t first_task = result_.program.tasks.size();
  for (const Part& part : schedule.parts) {
    sim::PhaseProgram phases{.name = std::string(info(collective.op).name),
                             .issuer = issuer,
                             .ranks = layout.senders(),
                             .payload = (collective.size * part.share).si(),
                             .chunk_size = (collective.size * part.share).si() / chunking.chunks,
                             .window = chunking.window,
                             .start = schedule.start};
    phases.lanes.reserve(part.messages.size());
    const std::vector<Charges> charges = charges_of(part, layout, endpoint_);
    const std::vector<Buffers> here =
        buffers_of_part(part, layout, buffers.empty() ? std::span(of_all) : buffers);
    DmaPhases dma;
    dma.in = add_dma(here, layout, Direction::kIn, phases);
    for (const Phase& phase : part.phases) {
      const platform::Protocol protocol =
          phase.protocol == nullptr ? platform::Protocol{} : *phase.protocol;
      const auto first = static_cast<std::uint32_t>(phases.lanes.size());
      for (std::uint32_t m = phase.first_message; m < phase.end_message;) {
        const std::uint32_t next = after_equal(part.messages, m, phase.end_message);
        const double share = part.messages[m].share;
        const double sent = phases.payload * share * phase.steps * (next - m);
        sim::Lane lane = make_lane(part.messages[m],
                                   layout,
                                   schedule,
                                   {.bytes = Bytes(phases.chunk_size * share),
                                    .in_all = Bytes(sent * stands_for_),
                                    .charges = charges[m],
                                    .reduced = 1.0 * phase.reducing / phase.steps},
                                   protocol);
        lane.work *= next - m;
        add_lane(lane, first, phases.lanes);
        m = next;
      }
      phases.phases.push_back({.steps = phase.steps,
                               .first_lane = first,
                               .end_lane = static_cast<std::uint32_t>(phases.lanes.size())});
    }
    dma.out = add_dma(here, layout, Direction::kOut, phases);
    if (endpoint_.executor == Executor::kEngine && chunking.through_engines) {
      pass_engines(here, layout, part, dma, phases);
    }
    result_.ranks = std::max(result_.ranks, phases.ranks);
    result_.program.add(sim::Task{std::move(phases)});
  }
  if (endpoint_.executor != Executor::kIdeal) {
    order_phases(result_, first_task);
  }
}

void ProgramBuilder::note_payload(const platform::Route& route, Bytes bytes, double efficiency) {
  traffic_.resize(result_.traffic.size());
  for (const platform::Hop& hop : route.hops) {
    const std::uint32_t resource = link_resource(hop.link).value;
    auto& [payload, drawn] = traffic_[resource];
    payload += bytes.si() * hop.share;
    drawn += bytes.si() * hop.share / efficiency;
    result_.traffic[resource].payload = drawn > 0.0 ? payload / drawn : 1.0;
  }
}

CollectiveProgram ProgramBuilder::take() {
  for (sim::Task& task : result_.program.tasks) {
    if (auto* phases = std::get_if<sim::PhaseProgram>(&task.what)) {
      cap_window(*phases);
    }
  }
  return std::move(result_);
}

// Where devices can be exchanged, messages of a class to different devices take equal routes: one
// is routed for all.
std::uint32_t ProgramBuilder::after_equal(std::span<const Message> messages,
                                          std::uint32_t first,
                                          std::uint32_t end) const {
  const bool routes_are_equal = view_ == View::kOnePerClass && parts_ == 1 &&
                                endpoint_.executor == Executor::kIdeal &&
                                platform_->exchange_symmetric;
  const auto equals_first = [&](const Message& message) {
    return message.from == messages[first].from && message.share == messages[first].share &&
           message.path.kind == Path::Kind::kRouted &&
           messages[first].path.kind == Path::Kind::kRouted;
  };
  std::uint32_t next = first + 1;
  while (routes_are_equal && next < end && equals_first(messages[next])) {
    ++next;
  }
  return next;
}

// Messages of a class that draw on the same resources share them and arrive together: one lane of
// their total work stands for them. With an endpoint, each message has charges of its own.
void ProgramBuilder::add_lane(const sim::Lane& lane,
                              std::uint32_t first_of_phase,
                              std::vector<sim::Lane>& lanes) {
  std::vector<sim::Demand>& demands = result_.program.demands;
  const bool merges = view_ == View::kOnePerClass && endpoint_.executor == Executor::kIdeal &&
                      lanes.size() > first_of_phase && lanes.back().from == lane.from &&
                      lanes.back().to == lane.to &&
                      demands[lanes.back().demand.index()] == demands[lane.demand.index()];
  if (merges) {
    lanes.back().work += lane.work;
    demands.pop_back();  // the lane's own
  } else {
    lanes.push_back(lane);
  }
}

sim::Lane ProgramBuilder::make_lane(const Message& message,
                                    const GroupLayout& layout,
                                    const CollectiveSchedule& schedule,
                                    const Load& load,
                                    const platform::Protocol& protocol) {
  const platform::Route& route = route_of(message, layout, schedule);
  sim::Demand demand{.latency = route.latency_for(load.bytes) + protocol.latency};
  demand.draws.reserve(route.hops.size());
  draw_along(route, 1.0 / protocol.efficiency, demand.draws);
  note_payload(route, load.in_all, protocol.efficiency);
  if (endpoint_.executor == Executor::kCores) {
    const auto devices = platform_->graph.devices();
    result_.moved += draw_at_devices(route,
                                     devices[layout.device(message.from)],
                                     devices[layout.device(message.to)],
                                     load.charges,
                                     demand.draws) *
                     load.in_all.si();
  }
  if (endpoint_.executor == Executor::kEngine) {
    const auto devices = platform_->graph.devices();
    demand.latency += forwarding_of(route, devices[layout.device(message.from)]);
    draw_at_alus(devices[layout.device(message.to)], load.reduced, demand.draws);
  }
  return {.from = message.from,
          .to = layout.first_position_only ? 0 : message.to,
          .work = message.share,
          .demand = result_.program.add(std::move(demand))};
}

void ProgramBuilder::draw_along(const platform::Route& route,
                                double share,
                                std::vector<sim::Draw>& draws) {
  const platform::Graph& graph = platform_->graph;
  // A node that sends or receives a message over several links draws its whole size on the
  // injection limit, once.
  const auto inject = [&](Id<Node> Link::* end, Direction direction, std::size_t h) {
    const auto node_of = [&](const platform::Hop& hop) { return graph.link(hop.link).*end; };
    const Id<Node> node = node_of(route.hops[h]);
    const auto here = route.hops.begin() + static_cast<std::ptrdiff_t>(h);
    const auto same = [&](const platform::Hop& hop) { return node_of(hop) == node; };
    if (!std::isfinite(graph.class_of(node).injection.si()) ||
        std::any_of(route.hops.begin(), here, same)) {
      return;
    }
    double amount = 0.0;
    for (auto hop = here; hop != route.hops.end(); ++hop) {
      amount += same(*hop) ? share * hop->share * graph.link(hop->link).members : 0.0;
    }
    const std::uint32_t members = graph.node(node).members;
    draw(draws, injection_resource(node, direction), amount / members, members);
  };
  for (std::size_t h = 0; h < route.hops.size(); ++h) {
    const auto& [link, of_link] = route.hops[h];
    draw(draws, link_resource(link), share * of_link, graph.link(link).members);
    inject(&Link::from, Direction::kOut, h);
    inject(&Link::to, Direction::kIn, h);
  }
}

const platform::Route& ProgramBuilder::route_of(const Message& message,
                                                const GroupLayout& layout,
                                                const CollectiveSchedule& schedule) {
  switch (message.path.kind) {
    case Path::Kind::kLinks:
      return along_links_ = platform::along(*platform_, schedule.links[message.path.index]);
    case Path::Kind::kRingStep:
      return router_->ring_step(layout.device(message.from), message.path.index, message.path.up);
    case Path::Kind::kRouted:
      break;
  }
  const auto devices = platform_->graph.devices();
  return router_->route(devices[layout.device(message.from)], devices[layout.device(message.to)]);
}

// Several draws of an activity on one resource are added up. In a view by classes, each device of
// the class sends the same, so a member of the resource's class is drawn on devices / members
// times.
void ProgramBuilder::draw(std::vector<sim::Draw>& draws,
                          Id<sim::Resource> resource,
                          double amount,
                          std::uint32_t drawn_on) const {
  const double count = view_ == View::kOnePerClass ? 1.0 * stands_for_ * drawn_on /
                                                         result_.traffic[resource.index()].members
                                                   : 1.0;
  for (sim::Draw& present : draws) {
    if (present.resource == resource && view_ == View::kEveryMember) {
      present.amount += amount;
      return;
    }
    if (present.resource == resource && present.amount == amount) {
      present.count += count;
      return;
    }
  }
  draws.push_back({resource, amount, count});
}

Id<sim::Resource> ProgramBuilder::link_resource(Id<Link> link) {
  std::uint32_t& index = link_resource_[index_of(link)];
  if (index == kUnused) {
    const platform::Graph& graph = platform_->graph;
    const platform::LinkClass& link_class = graph.class_of(link);
    const bool by_class = view_ == View::kOnePerClass;
    const std::optional<std::uint32_t> part = part_of(graph.link(link));
    index = add_resource({.name = unnamed_ ? std::string() : name_of(link),
                          .members = by_class ? link_class.count / (part ? parts_ : 1)
                                              : graph.link(link).members,
                          .bandwidth = link_class.bandwidth})
                .value;
  }
  return Id<sim::Resource>(index);
}

std::optional<std::uint32_t> ProgramBuilder::part_of(Id<Node> node) const {
  const platform::Graph& graph = platform_->graph;
  if (parts_ == 1 || graph.class_of(node).kind != platform::NodeKind::kDevice) {
    return std::nullopt;
  }
  return graph.node(node).ordinal / stands_for_;
}

// Exchange-symmetric platforms have no links between devices.
std::optional<std::uint32_t> ProgramBuilder::part_of(const Link& link) const {
  const std::optional<std::uint32_t> from = part_of(link.from);
  return from ? from : part_of(link.to);
}

std::size_t ProgramBuilder::index_of(Id<Link> link) const {
  if (view_ == View::kEveryMember) {
    return link.index();
  }
  const Link& which = platform_->graph.link(link);
  return which.link_class.index() * parts_ + part_of(which).value_or(0);
}

ResourceOfLink ProgramBuilder::locate_links() const {
  ResourceOfLink resources;
  const std::size_t links = platform_->graph.links().size();
  resources.reserve(links);
  for (std::size_t l = 0; l < links; ++l) {
    resources.push_back(link_resource_[index_of(Id<Link>(l))]);
  }
  return resources;
}

std::size_t ProgramBuilder::index_of(Id<Node> node) const {
  return view_ == View::kOnePerClass
             ? platform_->graph.node(node).node_class.index() * parts_ + part_of(node).value_or(0)
             : node.index();
}

std::string ProgramBuilder::name_of(Id<Node> node) const {
  if (view_ == View::kEveryMember) {
    return platform_->graph.name(node);
  }
  const std::string& name = platform_->graph.class_of(node).name;
  const std::optional<std::uint32_t> part = part_of(node);
  return part ? fmt::format("{} of stage {}", name, *part) : name;
}

std::string ProgramBuilder::name_of(Id<Link> link) const {
  const platform::Graph& graph = platform_->graph;
  const auto& [from, to, link_class, members] = graph.link(link);
  if (view_ == View::kEveryMember) {
    return fmt::format("{} -> {}", graph.name(from), graph.name(to));
  }
  const std::string& name = graph.class_of(link).name;
  const std::optional<std::uint32_t> part = part_of(graph.link(link));
  return part ? fmt::format("{} of stage {}", name, *part) : name;
}

std::uint32_t ProgramBuilder::members_of(Id<Node> node) const {
  if (view_ == View::kEveryMember) {
    return platform_->graph.node(node).members;
  }
  return platform_->graph.class_of(node).count / (part_of(node) ? parts_ : 1);
}

Id<sim::Resource> ProgramBuilder::injection_resource(Id<Node> node, Direction direction) {
  const bool out = direction == Direction::kOut;
  std::uint32_t& index = injection_resource_[static_cast<std::size_t>(direction)][index_of(node)];
  if (index == kUnused) {
    index = add_resource(
                {.name = unnamed_ ? std::string() : name_of(node) + (out ? " sends" : " receives"),
                 .members = members_of(node),
                 .bandwidth = platform_->graph.class_of(node).injection,
                 .kind = ResourceKind::kInjection})
                .value;
  }
  return Id<sim::Resource>(index);
}

Id<sim::Resource> ProgramBuilder::add_resource(Traffic traffic) {
  const Id<sim::Resource> id =
      result_.program.add(sim::Resource{.name = traffic.name,
                                        .capacity = traffic.bandwidth.si(),
                                        .label = static_cast<std::uint32_t>(traffic.kind)});
  result_.traffic.push_back(std::move(traffic));
  return id;
}

}  // namespace cairn::comm
