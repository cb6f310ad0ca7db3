#include "cairn/explain/step_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "cairn/memory/exchange_channel.hpp"

namespace cairn::explain {

namespace {

using memory::Action;
using memory::ActionKind;
using memory::ExchangeChannel;
using memory::Schedule;

constexpr double kFlopsOfMac = 2.0;

// In the order of their first exchange, and the channel of each exchange.
struct Channels {
  std::vector<ExchangeChannel> all{};
  std::vector<std::uint32_t> of_exchange{};
};

Channels channels_of(const plan::Plan& plan) {
  Channels channels;
  std::map<ExchangeChannel, std::uint32_t> known;
  for (std::size_t e = 0; e < plan.exchanges.size(); ++e) {
    const ExchangeChannel channel = memory::channel_of(plan.exchanges[e], Id<plan::Exchange>(e));
    const auto [place, is_new] =
        known.try_emplace(channel, static_cast<std::uint32_t>(channels.all.size()));
    if (is_new) {
      channels.all.push_back(channel);
    }
    channels.of_exchange.push_back(place->second);
  }
  return channels;
}

std::string channel_name(const ExchangeChannel& channel, const plan::Mesh& mesh) {
  if (channel.stage != channel.to_stage) {
    return fmt::format("from stage {} to {}", channel.stage, channel.to_stage);
  }
  std::string name = channel.high_priority ? "all-to-alls" : "collectives";
  name += channel.background ? " in the background" : "";
  if (mesh.group_size(channel.axes) < mesh.shards_of_stage()) {
    const char* separator = " over ";
    for (const auto& [axis, axis_name] : EnumNames<plan::Axis>::kNames) {
      if (channel.axes.has(axis) && mesh.size(axis) > 1) {
        name += separator + std::string(axis_name);
        separator = ", ";
      }
    }
  }
  return mesh.stages() == 1 ? name : fmt::format("{} in stage {}", name, channel.stage);
}

std::vector<StepRecord::NamedChannel> named(const std::vector<ExchangeChannel>& channels,
                                            const plan::Mesh& mesh) {
  std::vector<StepRecord::NamedChannel> result;
  std::map<std::string, std::uint32_t> times;
  for (const ExchangeChannel& channel : channels) {
    std::string name = channel_name(channel, mesh);
    if (const std::uint32_t time = ++times[name]; time > 1) {
      name += fmt::format(" ({})", time);
    }
    result.push_back({std::move(name), channel.stage, channel.to_stage});
  }
  return result;
}

// Merges the tasks of one action and class into one span: parts of a collective run concurrently.
std::vector<ActionSpan> merged_tasks(const lower::LoweredStep& step,
                                     const sim::Timeline& timeline) {
  const Channels channels = channels_of(*step.plan);
  std::vector<ActionSpan> spans;
  for (std::size_t t = 0; t < timeline.tasks.size(); ++t) {
    const lower::Origin& origin = step.program.origin[t];
    const sim::TaskTime& ran = timeline.tasks[t];
    if (origin.issue) {
      continue;
    }
    if (spans.empty() || spans.back().action != origin.action ||
        spans.back().device_class != origin.device_class) {
      const Action& action = step.schedule->actions[origin.action.index()];
      spans.push_back({.action = origin.action,
                       .kind = action.kind,
                       .device_class = origin.device_class,
                       .channel = action.kind == ActionKind::kExchange
                                      ? channels.of_exchange[action.subject]
                                      : 0,
                       .submitted = ran.started,
                       .end = ran.finished});
    }
    ActionSpan& span = spans.back();
    span.submitted = std::min(span.submitted, ran.started);
    span.begin = span.submitted;
    span.end = std::max(span.end, ran.finished);
  }
  return spans;
}

Bytes bytes_of(const plan::Plan& plan, const Action& action) {
  return action.kind == ActionKind::kExchange
             ? plan.element() * plan.exchanges[action.subject].elements
             : action.bytes;
}

// Units that a task draws on one member of each resource of the platform.
void add_draws(const sim::Program& program,
               const sim::Task& task,
               std::size_t resources,
               std::map<std::uint32_t, double>& drawn) {
  const auto add = [&](Id<sim::Demand> demand, double work) {
    for (const sim::Draw& draw : program.demands[demand.index()].draws) {
      if (draw.resource.index() < resources) {
        drawn[draw.resource.value] += work * draw.amount * draw.count;
      }
    }
  };
  if (const auto* activity = std::get_if<sim::Activity>(&task.what)) {
    add(activity->demand, activity->work);
    return;
  }
  const auto& phases = std::get<sim::PhaseProgram>(task.what);
  for (const sim::Phase& phase : phases.phases) {
    for (std::uint32_t lane = phase.first_lane; lane < phase.end_lane; ++lane) {
      add(phases.lanes[lane].demand, phases.lanes[lane].work * phases.payload * phase.steps);
    }
  }
}

// Whether two spans are in one row of the trace.
bool same_row(const NamedSpan& a, const NamedSpan& b) {
  const auto computes = [](const NamedSpan& span) {
    return span.kind == ActionKind::kKernel || span.kind == ActionKind::kRecompute;
  };
  return a.device_class == b.device_class &&
         ((computes(a) && computes(b)) || (a.kind == b.kind && a.channel == b.channel));
}

// Dependencies of actions: within a device class, and of exchanges with all classes.
std::vector<SpanFlow> flows_between(const Schedule& schedule,
                                    const std::vector<std::vector<std::uint32_t>>& spans_of,
                                    const std::vector<NamedSpan>& spans) {
  std::vector<SpanFlow> flows;
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    for (const Id<Action> before : schedule.actions[a].after) {
      for (const std::uint32_t to : spans_of[a]) {
        for (const std::uint32_t from : spans_of[before.index()]) {
          const bool meets = spans[from].device_class == spans[to].device_class ||
                             spans[from].kind == ActionKind::kExchange ||
                             spans[to].kind == ActionKind::kExchange;
          if (meets && !same_row(spans[from], spans[to])) {
            flows.push_back({from, to});
          }
        }
      }
    }
  }
  return flows;
}

std::vector<OperatorCost> operator_costs(const plan::Plan& plan,
                                         std::span<const kernel::Cost> costs) {
  std::vector<OperatorCost> operators;
  for (std::size_t o = 0; o < costs.size(); ++o) {
    const model::Operator& op = plan.graph.operators[o];
    // The precision does not matter: it changes bytes, not work.
    const kernel::Work work = kernel::work_of(plan.graph, op, chip::Precision::kFp16);
    operators.push_back({.name = op.name,
                         .pass = std::string(model::to_text(op.pass)),
                         .kind = std::string(op.properties().name),
                         .layer = op.layer,
                         .stage = plan.operator_stage[o],
                         .macs = op.macs(),
                         .flops = kFlopsOfMac * work.macs() + work.vector_ops,
                         .cost = costs[o]});
  }
  return operators;
}

// Traffic per step of each link of the platform; empty if links are not located.
std::vector<Bytes> traffic_by_link(const lower::LoweredStep& step, const sim::Timeline& timeline) {
  const lower::Machine& machine = step.machine;
  const double steps = step.schedule->steps();
  std::vector<double> drawn;
  for (std::size_t r = 0; r < machine.traffic.size(); ++r) {
    drawn.push_back(timeline.use[r].drawn / steps);
  }
  for (const lower::ResourceCopy& copy : step.program.copies) {
    drawn[copy.original.index()] += timeline.use[copy.copy.index()].drawn / steps;
  }
  std::vector<Bytes> traffic;
  for (const double bytes : comm::by_link(machine.of_link, drawn)) {
    traffic.emplace_back(bytes);
  }
  return traffic;
}

}  // namespace

std::string_view to_text(ActionKind kind) {
  switch (kind) {
    case ActionKind::kKernel:
      return "kernel";
    case ActionKind::kRecompute:
      return "recomputation";
    case ActionKind::kExchange:
      return "collective";
    case ActionKind::kOffload:
      return "offload";
    case ActionKind::kPrefetch:
      return "prefetch";
    case ActionKind::kBackground:
      return "background";
    case ActionKind::kPass:
      return "repeated pass";
  }
  return "";
}

std::vector<ActionSpan> action_spans(const lower::LoweredStep& step,
                                     const sim::Timeline& timeline) {
  std::vector<ActionSpan> spans = merged_tasks(step, timeline);
  const auto row_of = [](const ActionSpan& span) {
    return std::tuple(span.device_class, span.kind, span.channel);
  };
  std::ranges::stable_sort(spans, {}, [&](const ActionSpan& span) {
    return std::tuple_cat(row_of(span), std::tuple(span.end));
  });
  for (std::size_t s = 1; s < spans.size(); ++s) {
    const ActionSpan& before = spans[s - 1];
    if (row_of(before) == row_of(spans[s])) {
      spans[s].begin = std::max(spans[s].begin, before.end);
    }
  }
  return spans;
}

std::optional<model::Pass> pass_of(const plan::Plan& plan, const Action& action) {
  return action.runs_operator() ? std::optional(plan.graph.operators[action.subject].pass)
                                : std::nullopt;
}

std::string action_name(const plan::Plan& plan, const Action& action) {
  if (action.runs_operator()) {
    const model::Operator& op = plan.graph.operators[action.subject];
    const bool recomputed = action.kind == ActionKind::kRecompute;
    return fmt::format("{} ({})", op.name, recomputed ? "recomputed" : model::to_text(op.pass));
  }
  if (action.kind == ActionKind::kExchange) {
    const plan::Exchange& exchange = plan.exchanges[action.subject];
    return fmt::format("{} of {}", comm::info(exchange.op).name, exchange.name);
  }
  return fmt::format("{} of {}", to_text(action.kind), plan.graph.tensors[action.subject].name);
}

StepRecord record_step(const lower::LoweredStep& step,
                       const sim::Timeline& timeline,
                       std::span<const ActionSpan> spans) {
  const plan::Plan& plan = *step.plan;
  const Schedule& schedule = *step.schedule;
  const lower::Machine& machine = step.machine;
  const lower::StepProgram& program = step.program;
  StepRecord record{.channels = named(channels_of(plan).all, plan.mesh),
                    .traffic_by_link = traffic_by_link(step, timeline),
                    .operators = operator_costs(plan, step.costs)};
  for (const comm::Traffic& traffic : machine.traffic) {
    record.resources.push_back(traffic.name);
  }
  std::vector<std::vector<std::uint32_t>> spans_of(schedule.actions.size());
  for (const ActionSpan& span : spans) {
    const Action& action = schedule.actions[span.action.index()];
    std::map<std::uint32_t, double> drawn;
    for (std::uint32_t t = program.first_task[span.action.index()];
         t < program.end_task[span.action.index()];
         ++t) {
      if (program.origin[t].device_class == span.device_class) {
        add_draws(program.program, program.program.tasks[t], machine.traffic.size(), drawn);
      }
    }
    for (const auto& [resource, amount] : drawn) {
      record.draws.push_back({.span = static_cast<std::uint32_t>(record.spans.size()),
                              .resource = resource,
                              .drawn = amount});
    }
    spans_of[span.action.index()].push_back(static_cast<std::uint32_t>(record.spans.size()));
    record.spans.push_back({.name = action_name(plan, action),
                            .kind = span.kind,
                            .pass = pass_of(plan, action),
                            .device_class = span.device_class,
                            .channel = span.channel,
                            .layer = action.layer,
                            .bytes = bytes_of(plan, action),
                            .submitted = span.submitted.since(SimTime{}),
                            .begin = span.begin.since(SimTime{}),
                            .end = span.end.since(SimTime{})});
  }
  record.flows = flows_between(schedule, spans_of, record.spans);
  return record;
}

}  // namespace cairn::explain
