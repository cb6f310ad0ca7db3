#include "cairn/study/ace_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::study {

namespace {

AceBusy busy_of(const explain::StepRecord& record) {
  std::vector<std::pair<Seconds, Seconds>> exchanges;
  for (const explain::NamedSpan& span : record.spans) {
    if (span.kind == memory::ActionKind::kExchange) {
      exchanges.emplace_back(span.submitted, span.end);
    }
  }
  std::ranges::sort(exchanges);
  Seconds forward(0.0);
  Seconds backward(0.0);
  Seconds beside_forward(0.0);
  Seconds beside_backward(0.0);
  for (const explain::NamedSpan& span : record.spans) {
    if (span.kind != memory::ActionKind::kKernel || span.device_class != 0) {
      continue;
    }
    const bool is_forward = span.name.ends_with("(forward)");
    (is_forward ? forward : backward) += span.end - span.begin;
    Seconds counted = span.begin;
    for (const auto& [from, to] : exchanges) {
      const Seconds begin = std::max(from, counted);
      const Seconds end = std::min(to, span.end);
      if (end > begin) {
        (is_forward ? beside_forward : beside_backward) += end - begin;
        counted = end;
      }
    }
  }
  return {beside_forward / forward, beside_backward / backward};
}

AceRun run_of(const explain::StepResult& result, bool busy) {
  const auto communicating =
      result.activities[static_cast<std::size_t>(memory::ActionKind::kExchange)].time;
  return {.step = result.step_time.si() * 1e3,
          .exposed = result.breakdown.communication_exposed.si() * 1e3,
          .driven = (result.carried / result.devices / communicating).si() / 1e9,
          .communicating = communicating / result.step_time,
          .background = result.background ? result.background->time.si() * 1e3 : 0.0,
          .busy = busy ? std::optional(busy_of(result.record)) : std::nullopt};
}

}  // namespace

std::vector<AceConfiguration> AceRunner::configurations() const {
  std::vector<AceConfiguration> all{
      {.name = kNoOverlap,
       .endpoint = endpoint_of(parse_config("{executor: cores}", file_.device.where.file)),
       .fused = true}};
  for (std::size_t i = 0; i < file_.configurations.keys.size(); ++i) {
    const Config& written = file_.configurations.items[i];
    all.push_back({.name = file_.configurations.keys[i],
                   .where = written.where,
                   .endpoint = endpoint_of(written)});
  }
  all.push_back({.name = kIdeal});
  return all;
}

comm::Endpoint AceRunner::endpoint_of(const Config& config) const {
  comm::Endpoint endpoint = comm::endpoint_of(config, device_);
  endpoint.accounting = assumptions_.accounting;
  return endpoint;
}

// Rows and the background are the case's; the rest is of other parts of the study.
AceRunner::AceRunner(const AceFile& file,
                     const Config& values,
                     const AceAssumptions& assumptions,
                     const chip::Device& device,
                     const DataFolders& folders,
                     const Tick& tick,
                     AceRuns& known)
    : file_(file),
      assumptions_(assumptions),
      device_(device),
      folders_(folders),
      tick_(tick),
      known_(known),
      under_(to_text(without(values,
                             {"payload",
                              "chunks",
                              "latency",
                              "lookups",
                              "background_memory",
                              "engine_payload",
                              "engine_latency",
                              "engine_split"}))) {}

std::string AceRunner::key_of(const AceCase& asked) const {
  const bool tables = asked.workload == file_.loop.workload;
  return fmt::format(
      "{} {} {} {} {} {}",
      asked.workload,
      fmt::join(asked.dims, "x"),
      asked.configuration.name,
      tables ? asked.lookups : 0.0,
      asked.background
          ? fmt::format("{} SMs and {} B/s", asked.background->sms, asked.background->memory.si())
          : "in turn",
      under_);
}

AceRun AceRunner::run(const AceCase& asked) const {
  const std::string key = key_of(asked);
  const auto known = known_.find(key);
  if (known == known_.end() || (asked.busy && !known->second.busy)) {
    return known_[key] = simulate(asked);
  }
  return known->second;
}

void AceRunner::complain(const AceCase& asked, const Infeasible& reason) const {
  const bool of_endpoint = reason.limit.starts_with("fabric.");
  throw ConfigError(
      of_endpoint ? asked.configuration.where : file_.workloads.find(asked.workload)->where,
      reason.limit + ": " + reason.detail);
}

AceRun AceRunner::simulate(const AceCase& asked) const {
  if (tick_) {
    tick_();
  }
  const Design design = design_of(asked);
  const chip::Device left = design.for_kernels();
  if (left.cores.count < 1.0 || left.memory.bandwidth <= BytesPerSecond(0.0)) {
    complain(asked,
             {"tables in the background",
              fmt::format("with {} they leave nothing of {} for other kernels",
                          asked.configuration.name,
                          device_.name)});
  }
  const std::uint32_t devices = design.platform.device_count();
  kernel::Cache kernels(design.for_kernels());
  kernel::Cache background(design.for_background());
  const model::Graph graph =
      model::build_model(design.model, plan::micro_batch(design.strategy, devices));
  auto work = make_workload(graph, design.strategy, devices, kernels, design.training, &background);
  if (!work) {
    complain(asked, work.reason());
  }
  Workload workload = std::move(work).value();
  for (kernel::Cost& cost : workload.costs) {
    cost.time *= assumptions_.compute_scale;
    cost.compute *= assumptions_.compute_scale;
    cost.memory *= assumptions_.compute_scale;
  }
  widen_gradients(workload);
  auto made = make_machine(workload, design);
  if (!made) {
    complain(asked, made.reason());
  }
  lower::Machine machine = std::move(made).value();
  for (lower::CollectiveTemplate& collective : machine.collectives) {
    for (sim::PhaseProgram& part : collective.parts) {
      part.start = assumptions_.start;
    }
  }
  const auto result = evaluate(workload, design, machine, {.record = asked.busy});
  if (!result) {
    complain(asked, result.reason());
  }
  return run_of(*result, asked.busy);
}

Design AceRunner::design_of(const AceCase& asked) const {
  const Config& written = *file_.workloads.find(asked.workload);
  Config config = written;
  const auto add = [&](const char* key, const Config& value) {
    config.keys.emplace_back(key);
    config.items.push_back(value);
  };
  add("device", file_.device);
  Config torus = file_.platform;
  set_value(torus, fmt::format("dims=[{}]", fmt::join(asked.dims, ", ")));
  set_value(torus, fmt::format("link_efficiency={}", assumptions_.link_efficiency));
  add("platform", torus);
  auto read = read_design(config, folders_);
  if (!read) {
    throw ConfigError(written.where, read.reason().detail);
  }
  Design design = std::move(read).value();
  if (asked.workload == file_.loop.workload) {
    set_value(design.model.config, fmt::format("lookups={}", asked.lookups));
  }
  design.strategy.bucket = assumptions_.bucket;
  if (asked.configuration.fused) {
    design.strategy.bucket = Bytes::infinity();
    design.strategy.gradient_sync = plan::GradientSync::kBlocking;
  }
  design.training.optimizer = assumptions_.optimizer;
  design.training.updates = model::Updates::kBeforeUse;
  if (asked.background) {
    design.training.tables = model::Tables::kBackground;
    design.kernels.background = *asked.background;
  }
  design.kernels.sequence = {
      .steps = file_.steps, .updates = design.training.updates, .exchanges = assumptions_.order};
  design.machine.collectives = comm::reductions_by({.algorithm = &comm::kHierarchical});
  design.machine.collectives.chunk_size = assumptions_.chunk;
  design.machine.endpoint = asked.configuration.endpoint;
  return design;
}

// Of what sums of gradients send.
void AceRunner::widen_gradients(Workload& workload) const {
  plan::Plan plan = *workload.plan;
  for (plan::Exchange& exchange : plan.exchanges) {
    if (exchange.op == comm::Op::kAllReduce) {
      exchange.elements *= assumptions_.gradient / workload.element;
    }
  }
  workload.plan = std::make_shared<const plan::Plan>(std::move(plan));
}

}  // namespace cairn::study
