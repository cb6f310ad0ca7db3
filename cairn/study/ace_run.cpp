#include "cairn/study/ace_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cairn/design_settings.hpp"

namespace cairn::study {

namespace {

constexpr double kAllBytes = 1e15;  // bucket size that fuses all gradients

AceOverlap overlap_of(const explain::StepRecord& record) {
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
    const bool is_forward = span.pass == model::Pass::kForward;
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

AceRun run_of(const explain::StepResult& result, bool with_overlap) {
  const auto communicating =
      result.activities[static_cast<std::size_t>(memory::ActionKind::kExchange)].time;
  return {.step = result.step_time.si() * 1e3,
          .exposed = result.breakdown.communication_exposed.si() * 1e3,
          .driven = (result.traffic / result.devices / communicating).si() / 1e9,
          .communicating = communicating / result.step_time,
          .background = result.background ? result.background->time.si() * 1e3 : 0.0,
          .overlap = with_overlap ? std::optional(overlap_of(result.record)) : std::nullopt};
}

}  // namespace

std::vector<AceConfiguration> AceRunner::configurations() const {
  std::vector<AceConfiguration> all{
      {.name = kNoOverlap,
       .endpoint = parse_config("{executor: cores}", file_.device.where.file),
       .fused = true}};
  for (std::size_t i = 0; i < file_.configurations.keys.size(); ++i) {
    all.push_back(
        {.name = file_.configurations.keys[i], .endpoint = file_.configurations.items[i]});
  }
  all.push_back({.name = kIdeal});
  return all;
}

AceRunner::AceRunner(const AceFile& file,
                     const AceAssumptions& assumptions,
                     const Tick& tick,
                     explore::EvaluationContext& context)
    : file_(file), assumptions_(assumptions), tick_(tick), context_(context) {}

void AceRunner::complain(const AceCase& asked, const Infeasible& reason) const {
  const bool of_endpoint = lack_key(reason.lack).starts_with("endpoint.");
  throw ConfigError(of_endpoint ? asked.configuration.endpoint.where
                                : file_.workloads.find(asked.workload)->where,
                    reason.limit() + ": " + reason.detail);
}

AceRun AceRunner::run(const AceCase& asked) const {
  if (tick_) {
    tick_();
  }
  const auto design = context_.reader.read(written_design(asked));
  if (!design) {
    complain(asked, design.reason());
  }
  const auto result =
      evaluate(*design, context_.cache, asked.with_overlap ? Detail::kRecord : Detail::kResult);
  if (!result) {
    complain(asked, result.reason());
  }
  return run_of(*result, asked.with_overlap);
}

Config AceRunner::written_design(const AceCase& asked) const {
  Config config = *file_.workloads.find(asked.workload);
  const auto add = [&](const char* key, const Config& value) {
    config.keys.emplace_back(key);
    config.items.push_back(value);
  };
  add("device", file_.device);
  add("platform", file_.platform);
  if (asked.configuration.endpoint.kind != Config::Kind::kNull) {
    add("endpoint", asked.configuration.endpoint);
  }
  const auto set = [&]<class Value>(const char* key, const Value& value) {
    set_value_of_design(config, fmt::format("{}={}", key, value), context_.reader.folders());
  };
  const AceAssumptions& a = assumptions_;
  set("platform.dims", fmt::format("[{}]", fmt::join(asked.dims, ", ")));
  set("platform.link_efficiency", a.link_efficiency);
  if (asked.configuration.endpoint.kind != Config::Kind::kNull) {
    set("endpoint.accounting", enum_name(a.accounting));
  }
  if (asked.workload == file_.loop.workload) {
    set("model.lookups", asked.lookups);
  }
  // Without overlap, the gradients of all layers are one all-reduce.
  set("strategy.bucket",
      fmt::format("{} B", asked.configuration.fused ? kAllBytes : a.bucket.si()));
  set("strategy.gradient_sync", asked.configuration.fused ? "blocking" : "overlapped");
  set("training.optimizer", enum_name(a.optimizer));
  set("training.updates", enum_name(model::Updates::kBeforeUse));
  set("training.fp32_gradients", a.fp32_gradients);
  if (asked.background) {
    set("training.tables", enum_name(model::Tables::kBackground));
    set("launch.background.sms", asked.background->sms);
    set("launch.background.memory", fmt::format("{} B/s", asked.background->memory.si()));
  }
  set("launch.scale", a.compute_scale);
  set("steps", file_.steps);
  set("collectives.algorithm",
      "{all_reduce: hierarchical, reduce_scatter: hierarchical, all_gather: hierarchical}");
  set("collectives.order", enum_name(a.order));
  set("collectives.chunk", fmt::format("{} B", a.chunk.si()));
  set("collectives.start", fmt::format("{} s", a.start.si()));
  allow_unused(config);  // training.updates has no effect on one step
  return config;
}

}  // namespace cairn::study
