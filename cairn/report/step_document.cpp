#include "cairn/report/step_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cairn/base/count_text.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/step_cost.hpp"
#include "cairn/report/step_detail.hpp"

namespace cairn::report {

namespace {

using explain::Breakdown;
using explain::StepResult;

std::string title(const StepResult& result) {
  constexpr int kAllDigits = 15;
  std::string strategy = result.strategy;
  std::ranges::replace(strategy, '_', ' ');
  return fmt::format("{} by {} parallelism, {} samples on {} of type {}, connected by {}",
                     result.model,
                     strategy,
                     many(result.batch, kAllDigits),
                     count_text(result.devices, "device", "devices"),
                     result.device,
                     result.platform);
}

void add_subject(const StepResult& result, Document& document) {
  document.add("model", result.model);
  document.add("device", result.device);
  document.add("platform", result.platform);
  document.add("strategy", result.strategy);
  document.add("devices", result.devices);
  document.add("stages", result.stages());
  document.add("virtual_stages", result.virtual_stages());
  document.add("cuts", result.cuts);
  document.add("batch", result.batch);
  document.add("steps", result.steps);
  document.add("endpoint", enum_name(result.endpoint.executor));
}

void add_tokens(const explain::TokenRates& rates, Document& document) {
  document.add("tokens", rates.tokens);
  document.add(Field{.key = "tokens_per_s",
                     .value = rates.tokens_per_s,
                     .label = "tokens",
                     .text = many(rates.tokens_per_s) + " tokens/s",
                     .note = many(rates.tokens) + " tokens in a step"});
  document.add(Field{.key = "tokens_per_s_per_device",
                     .value = rates.tokens_per_s_per_device,
                     .label = "tokens per device",
                     .text = many(rates.tokens_per_s_per_device) + " tokens/s"});
  constexpr double kTera = 1e12;
  document.add(
      Field{.key = "tflops_per_device",
            .value = rates.flops_per_s_per_device / kTera,
            .label = "model flops",
            .text = fmt::format("{:.1f} Tflop/s per device", rates.flops_per_s_per_device / kTera),
            .note = fmt::format("MFU {}; counting all scores of causal attention {:.1f} "
                                "Tflop/s, MFU {}",
                                percent(rates.mfu),
                                rates.flops_per_s_per_device_not_causal / kTera,
                                percent(rates.mfu_not_causal))});
  document.add("tflops_per_device_not_causal", rates.flops_per_s_per_device_not_causal / kTera);
  document.add("mfu", rates.mfu);
  document.add("mfu_not_causal", rates.mfu_not_causal);
}

void add_time(const StepResult& result, Document& document) {
  const double samples_per_s = result.batch / result.step_time.si();
  document.add(
      Field{.key = "step_time_s",
            .value = result.step_time,
            .label = "step time",
            .note = result.steps == 1 ? "" : fmt::format("mean of {} steps", result.steps)});
  add_error_bar(document, result.error_bar);
  document.add(Field{.key = "samples_per_s",
                     .value = samples_per_s,
                     .label = "throughput",
                     .text = many(samples_per_s) + " samples/s"});
  add_bound(document, result.bound);
  document.add(Field{.key = "utilization",
                     .value = result.utilization,
                     .label = result.tokens ? "" : "utilization",
                     .text = percent(result.utilization),
                     .note = "model FLOPs utilization (MFU)"});
  document.add("macs", result.macs);
  if (result.tokens) {
    add_tokens(*result.tokens, document);
  }
}

// "8 stages of 2 virtual stages, cut before block11.norm1, block21.norm1"
void add_pipeline(const StepResult& result, Document& document) {
  constexpr std::size_t kCutsShown = 8;
  if (result.cuts.empty()) {
    return;
  }
  const std::size_t shown = std::min(kCutsShown, result.cuts.size());
  std::string note = fmt::format(
      "cut before {}",
      fmt::join(
          result.cuts.begin(), result.cuts.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < result.cuts.size()) {
    note += fmt::format(", {} more in --json", result.cuts.size() - shown);
  }
  std::string stages = count_text(result.stages(), "stage", "stages");
  if (result.virtual_stages() > 1) {
    stages += fmt::format(" of {} virtual stages", result.virtual_stages());
  }
  document.add(Field{.label = "pipeline", .text = stages, .note = note});
}

// Recomputed from activation checkpoints, instead of being offloaded, or both.
std::string recomputed_note(const StepResult& result) {
  if (result.from_checkpoints == Bytes(0.0)) {
    return "per device, instead of offloading";
  }
  if (result.from_checkpoints == result.recomputed) {
    return "per device, from activation checkpoints";
  }
  return fmt::format("per device, {} from activation checkpoints, the rest instead of offloading",
                     to_text(result.from_checkpoints));
}

void add_memory(const StepResult& result, Document& document) {
  const auto label_if_any = [](Bytes bytes, const char* label) {
    return bytes > Bytes(0.0) ? label : "";
  };
  document.add(Field{.key = "peak_memory_B",
                     .value = result.peak_memory,
                     .label = "peak memory",
                     .note = fmt::format("{} of {} per device{}{}",
                                         percent(result.peak_memory / result.capacity),
                                         to_text(result.capacity),
                                         result.peak_at.empty() ? "" : ", at ",
                                         result.peak_at)});
  document.add("peak_at", result.peak_at);
  document.add("memory_bound_B", result.memory_bound);
  document.add("capacity_B", result.capacity);
  document.add(Field{.key = "overflow_B",
                     .value = result.overflow(),
                     .label = label_if_any(result.overflow(), "overflow"),
                     .note = "exceeds capacity and is ignored"});
  document.add("offloaded_B", result.offloaded);
  document.add(Field{.key = "moved_B",
                     .value = result.moved,
                     .label = label_if_any(result.moved, "offloaded"),
                     .note = result.moved < result.offloaded
                                 ? fmt::format("and prefetched per device, compressed from {}",
                                               to_text(result.offloaded))
                                 : "to the backing store and prefetched, per device"});
  document.add(Field{.key = "recomputed_B",
                     .value = result.recomputed,
                     .label = label_if_any(result.recomputed, "recomputed"),
                     .note = recomputed_note(result)});
}

// "cores, 6 of each device and 450 GB/s of its memory reserved for collectives"
void add_endpoint(const StepResult& result, Document& document) {
  const comm::Endpoint& endpoint = result.endpoint;
  if (endpoint.executor == comm::Executor::kIdeal) {
    return;
  }
  const std::string cores =
      endpoint.executor == comm::Executor::kCores
          ? fmt::format("{} of each device and ",
                        count_text(static_cast<std::uint64_t>(endpoint.cores), "core", "cores"))
          : std::string();
  document.add(Field{.label = "endpoint",
                     .text = enum_name(endpoint.executor),
                     .note = fmt::format("{}{} of {}memory {}",
                                         cores,
                                         to_text(endpoint.memory),
                                         cores.empty() ? "a device's " : "its ",
                                         endpoint.sharing == comm::Sharing::kReserved
                                             ? "reserved for collectives"
                                             : "at most for collectives, shared with kernels")});
}

// "ring (4 of 5), point to point (1 of 5)": shares of the collectives of a step.
std::string shares_of(const StepResult& result, std::string explain::CollectiveUse::* what) {
  std::map<std::string, std::uint32_t> times;
  std::uint32_t all = 0;
  for (const explain::CollectiveUse& use : result.collectives) {
    all += use.times;
    times[(use.*what).empty() ? "none" : use.*what] += use.times;
  }
  if (times.empty() || (times.size() == 1 && times.contains("none"))) {
    return "";
  }
  std::string text;
  for (const auto& [name, count] : times) {
    text += fmt::format("{}{} ({} of {})", text.empty() ? "" : ", ", name, count, all);
  }
  return text;
}

// Algorithms of collectives, and protocols if the platform has them.
void add_collectives(const StepResult& result, Document& document) {
  document.add(
      Field{.label = "collectives", .text = shares_of(result, &explain::CollectiveUse::algorithm)});
  document.add(Field{.label = "protocols",
                     .text = shares_of(result, &explain::CollectiveUse::protocol),
                     .note = "of collectives"});
  Table table{.key = "collectives",
              .columns = {{"op"}, {"size_B"}, {"count"}, {"algorithm"}, {"protocol"}}};
  for (const explain::CollectiveUse& use : result.collectives) {
    table.rows.push_back(
        {comm::info(use.op).name, use.size, use.times, use.algorithm, if_given(use.protocol)});
  }
  document.add(std::move(table));
}

// Kernels that run in the background, e.g. embedding tables of the next step.
void add_background(const StepResult& result, Document& document) {
  if (!result.background) {
    return;
  }
  const explain::BackgroundUse& use = *result.background;
  const Seconds exposed = result.breakdown.background;
  document.add(
      Field{.label = "background",
            .text = to_text(use.time),
            .note = fmt::format("on {} and {} of memory reserved for it; {} exposed",
                                count_text(static_cast<std::uint64_t>(use.cores), "core", "cores"),
                                to_text(use.bandwidth),
                                to_text(exposed))});
  document.add(Field{.label = " ", .text = fmt::format("{}", fmt::join(use.what, ", "))});
  document.add("background",
               Object{{"sms", use.cores},
                      {"memory_Bps", use.bandwidth},
                      {"what", use.what},
                      {"time_s", use.time},
                      {"memory_B", use.memory},
                      {"exposed_s", exposed}});
}

// How many were simulated, and of how many; if all: why.
Object simulated_of(std::size_t simulated, std::size_t all, const std::string& why_all) {
  Object object{{"simulated", simulated}, {"of", all}};
  if (simulated == all && !why_all.empty()) {
    object.push_back({"why_all", why_all});
  }
  return object;
}

void add_simulated(const StepResult& result, Document& document) {
  const std::size_t classes = result.class_members.size();
  const explain::MicroBatchLoop& loop = result.micro_batches;
  const std::string micro_batches =
      loop.simulated < loop.of ? fmt::format("{} of {} micro-batches, ", loop.simulated, loop.of)
                               : "";
  document.add(Field{
      .label = "simulated",
      .text = fmt::format(
          "{}, {}{}",
          classes < result.devices
              ? fmt::format(
                    "{} for {} devices", count_text(classes, "class", "classes"), result.devices)
              : "all " + count_text(result.devices, "device", "devices"),
          micro_batches,
          count_text(result.events, "event", "events"))});
  document.add("folded",
               Object{{"devices", simulated_of(classes, result.devices, "")},
                      {"micro_batches", simulated_of(loop.simulated, loop.of, loop.not_repeated)}});
  document.add("simulated_classes", result.class_members);
  document.add("class_stages", result.class_stage);
  document.add("events", result.events);
  Object activities;
  for (const explain::ActivityTotal& total : result.activities) {
    activities.push_back({std::string(explain::to_text(total.kind)),
                          Object{{"count", total.count()}, {"time_s", total.time}}});
  }
  document.add("activities", std::move(activities));
}

// Exposed times add up to the step; time overlapped with compute counts as "alone" only.
void add_breakdown(const StepResult& result, Document& document) {
  const Breakdown& b = result.breakdown;
  document.add("breakdown",
               Object{{"compute_s", b.compute},
                      {"communication_s", b.communication},
                      {"memory_s", b.memory},
                      {"communication_exposed_s", b.communication_exposed},
                      {"memory_exposed_s", b.memory_exposed},
                      {"idle_s", b.idle}});
  document.add("breakdown_stage", result.breakdown_stage);
  Table table{.columns = {{.label = "where the time goes", .align = Align::kLeft},
                          {.label = "alone"},
                          {.label = "exposed"},
                          {.label = "share of step", .show = Show::kBarAndPercent}}};
  const auto row = [&](const char* name, Value alone, Seconds in_step) {
    table.rows.push_back({name, std::move(alone), in_step, in_step / result.step_time});
  };
  row("compute", b.compute, b.compute);
  row("communication", b.communication, b.communication_exposed);
  row("memory", b.memory, b.memory_exposed);
  row("idle", {}, b.idle);
  document.add(std::move(table));
}

void add_resources(const StepResult& result, Document& document) {
  Table table{
      .key = "links",
      .columns = {{.key = "name",
                   .label = "busiest resources",
                   .align = Align::kLeft,
                   .widest = 40,
                   .numbered = true},
                  {.key = "kind"},
                  {.key = "members", .label = "count"},
                  {.key = "bandwidth_Bps", .label = "bandwidth"},
                  {.key = "carried_B", .label = "traffic"},
                  {.key = "utilization", .label = "utilization", .show = Show::kBarAndPercent}},
      .shown = 5};
  for (const explain::ResourceUse& use : result.resources) {
    table.rows.push_back(
        {use.name, enum_name(use.kind), use.members, use.bandwidth, use.traffic, use.utilization});
  }
  document.add(std::move(table));
}

}  // namespace

Document document_of(const StepResult& result, const StepSubject* detail) {
  Document document{.verb = "run", .title = title(result)};
  add_subject(result, document);
  add_time(result, document);
  add_pipeline(result, document);
  add_memory(result, document);
  add_endpoint(result, document);
  add_collectives(result, document);
  add_background(result, document);
  add_power(result, document);
  add_cost(result, document);
  add_simulated(result, document);
  add_breakdown(result, document);
  add_resources(result, document);
  if (detail != nullptr) {
    add_detail(result, *detail, document);
  }
  return document;
}

}  // namespace cairn::report
