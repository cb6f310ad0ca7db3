#include "cairn/report/step_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/numbered.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using explain::Breakdown;
using explain::StepResult;

constexpr std::size_t kResourcesShown = 5;
constexpr std::size_t kResourceNameWidth = 40;
constexpr int kAllDigits = 15;

std::string title(const StepResult& result) {
  std::string strategy = result.strategy;
  std::ranges::replace(strategy, '_', ' ');
  return wrap_text(fmt::format("{} by {} parallelism, {} on {} of type {}, joined as {}",
                               result.model,
                               strategy,
                               many(result.batch, kAllDigits) + " samples",
                               count(result.devices, "device", "devices"),
                               result.device,
                               result.platform),
                   0);
}

std::string peak_line(const StepResult& result) {
  std::string note = fmt::format("{} of the {} of a device",
                                 percent(result.peak_memory / result.capacity),
                                 to_text(result.capacity));
  if (!result.peak_at.empty()) {
    note += ", at " + result.peak_at;
  }
  std::string text = labelled("peak memory", noted(to_text(result.peak_memory), note));
  if (result.overflow() > Bytes(0.0)) {
    text += labelled("overflow", noted(to_text(result.overflow()), "does not fit, and is ignored"));
  }
  return text;
}

// Why: to store less than all activations, to move less, or both.
std::string recomputed_note(const StepResult& result) {
  if (result.from_checkpoints == Bytes(0.0)) {
    return "by each device, instead of moving it";
  }
  if (result.from_checkpoints == result.recomputed) {
    return "by each device, from activation checkpoints";
  }
  return fmt::format(
      "by each device, {} from activation checkpoints, the rest instead of moving it",
      to_text(result.from_checkpoints));
}

std::string moved_lines(const StepResult& result) {
  std::string text;
  if (result.moved > Bytes(0.0)) {
    const bool compressed = result.moved < result.offloaded;
    text += labelled("moved out and back",
                     noted(to_text(result.moved),
                           compressed ? fmt::format("by each device, compressed from {}",
                                                    to_text(result.offloaded))
                                      : "by each device, to the backing store"));
  }
  if (result.recomputed > Bytes(0.0)) {
    text += labelled("recomputed", noted(to_text(result.recomputed), recomputed_note(result)));
  }
  return text;
}

std::string parts_of(const explain::StepEnergy& spent) {
  const auto& [compute, levels, memory, network, idle] = spent.devices;
  std::string parts;
  const auto add = [&](const char* name, Joules energy) {
    parts += fmt::format("{}{} {}",
                         parts.empty() ? "" : ", ",
                         name,
                         percent(energy == Joules(0.0) ? 0.0 : energy / spent.total()));
  };
  add("compute", compute);
  add("levels", levels);
  add("memory", memory);
  if (network) {
    add("network", *network);
  }
  add("static", idle);
  if (spent.rest > Joules(0.0)) {
    add("rest of the platform", spent.rest);
  }
  return parts + (network ? "" : "; network not known");
}

// Whose power, energy and cost are counted.
std::string who_takes_part(const StepResult& result) {
  return result.devices < result.platform_devices
             ? fmt::format("of {} of {} devices", result.devices, result.platform_devices)
             : "of the whole platform";
}

std::string power_lines(const StepResult& result) {
  const bool by_design = result.power > Watts(0.0);
  if (!by_design && !result.spent) {
    return "";
  }
  const std::string per_watt = many(result.samples_per_joule()) + " samples/s per watt";
  std::string text;
  if (by_design && !result.spent) {
    text =
        labelled("power", noted(to_text(result.power), who_takes_part(result) + ", " + per_watt));
  } else {
    const std::string most =
        by_design ? fmt::format(", {} by design", to_text(result.power)) : std::string();
    text = labelled("power",
                    noted(to_text(result.average_power()),
                          who_takes_part(result) + " on average" + most + ", " + per_watt));
  }
  return text +
         labelled("energy",
                  noted(to_text(result.energy()),
                        result.spent ? parts_of(*result.spent) : "at design power all the time"));
}

std::string cost_line(const StepResult& result) {
  if (!result.cost) {
    return "";
  }
  std::string note =
      result.devices < result.platform_devices ? who_takes_part(result) : "of all devices";
  const char* separator = "; without a price: ";
  for (const std::string& what : result.cost->unknown) {
    note += separator + what;
    separator = ", ";
  }
  const std::string total =
      result.cost->items.empty() ? "not known" : many(result.cost->total().si()) + " USD";
  return labelled("cost", noted(total, note));
}

// Parts that make up the step; what overlaps with compute is in `alone` only.
std::string breakdown_table(const StepResult& result) {
  const Breakdown& b = result.breakdown;
  const auto row = [&](const char* name, std::string alone, Seconds in_step) {
    const double part = in_step / result.step_time;
    return std::vector<std::string>{
        name, std::move(alone), to_text(in_step), bar(part), percent(part)};
  };
  const std::vector<Column> columns{{.header = "where the time goes", .align = Align::kLeft},
                                    {.header = "alone"},
                                    {.header = "exposed"},
                                    {.header = "of the step", .align = Align::kLeft},
                                    {.header = ""}};
  return "\n" + table_text(columns,
                           {row("compute", to_text(b.compute), b.compute),
                            row("communication", to_text(b.communication), b.communication_exposed),
                            row("memory", to_text(b.memory), b.memory_exposed),
                            row("idle", "", b.idle)});
}

std::string busiest_resources(const StepResult& result) {
  const std::vector<Column> columns{
      {.header = "busiest resources", .align = Align::kLeft, .widest = kResourceNameWidth},
      {.header = "alike"},
      {.header = "bandwidth"},
      {.header = "carried"},
      {.header = "busy", .align = Align::kLeft},
      {.header = ""}};
  std::vector<std::vector<std::string>> rows;
  Numbered numbered;  // cables between the same ends have the same name
  for (const explain::ResourceUse& use : result.resources) {
    if (rows.size() == kResourcesShown) {
      break;
    }
    rows.push_back({numbered(use.name),
                    std::to_string(use.members),
                    to_text(use.bandwidth),
                    to_text(use.carried),
                    bar(use.busy),
                    percent(use.busy)});
  }
  if (rows.empty()) {
    return "";
  }
  return "\n" + table_text(columns, rows) + more_text(result.resources.size() - rows.size());
}

std::string simulated(const StepResult& result) {
  const std::size_t classes = result.class_members.size();
  return (classes < result.devices
              ? fmt::format("{} for {} devices", count(classes, "class", "classes"), result.devices)
              : "all " + count(result.devices, "device", "devices")) +
         ", " + count(result.events, "event", "events");
}

// "cores, 6 of each device and 450 GB/s of its memory reserved for collectives"
std::string endpoint_line(const StepResult& result) {
  const comm::Endpoint& endpoint = result.endpoint;
  if (endpoint.executor == comm::Executor::kIdeal) {
    return "";
  }
  const char* how = endpoint.sharing == comm::Sharing::kReserved
                        ? "reserved for collectives"
                        : "at most for collectives, shared with kernels";
  const std::string cores =
      endpoint.executor == comm::Executor::kCores
          ? fmt::format("{} of each device and ",
                        count(static_cast<std::uint64_t>(endpoint.cores), "core", "cores"))
          : std::string();
  return labelled("endpoint",
                  noted(enum_name(endpoint.executor),
                        fmt::format("{}{} of {}memory {}",
                                    cores,
                                    to_text(endpoint.memory),
                                    cores.empty() ? "a device's " : "its ",
                                    how)));
}

// "tables (forward), tables (update) (beside all others, ...)"
std::string background_lines(const StepResult& result) {
  if (!result.background) {
    return "";
  }
  const explain::BackgroundUse& use = *result.background;
  return labelled("in the background",
                  noted(to_text(use.time),
                        fmt::format("of {} and {} of memory kept for it; {} exposed",
                                    count(static_cast<std::uint64_t>(use.cores), "core", "cores"),
                                    to_text(use.bandwidth),
                                    to_text(result.breakdown.background)))) +
         labelled("", fmt::format("{}", fmt::join(use.what, ", ")));
}

// "ring (4 of 5), point to point (1 of 5)", of the collectives of a step.
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

// How collectives were done; protocols where the platform has them.
std::string collectives_lines(const StepResult& result) {
  const std::string algorithms = shares_of(result, &explain::CollectiveUse::algorithm);
  const std::string protocols = shares_of(result, &explain::CollectiveUse::protocol);
  return (algorithms.empty() ? "" : labelled("collectives", algorithms)) +
         (protocols.empty() ? "" : labelled("protocols", noted(protocols, "of collectives")));
}

// "8 stages, cut before block11.norm1, block21.norm1"
std::string pipeline_line(const StepResult& result) {
  constexpr std::size_t kCutsShown = 8;
  if (result.cuts.empty()) {
    return "";
  }
  const std::size_t shown = std::min(kCutsShown, result.cuts.size());
  std::string note = fmt::format(
      "cut before {}",
      fmt::join(
          result.cuts.begin(), result.cuts.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < result.cuts.size()) {
    note += fmt::format(", {} more in --json", result.cuts.size() - shown);
  }
  return labelled("pipeline", noted(count(result.stages(), "stage", "stages"), note));
}

}  // namespace

std::string step_text(const StepResult& result, const std::string& description) {
  const std::string time = to_text(result.step_time);
  std::string text =
      title(result) + "\n\n" + (description.empty() ? "" : wrap_text(description, 0) + "\n\n") +
      labelled(
          "step time",
          result.steps == 1 ? time : noted(time, fmt::format("mean of {} in a row", result.steps)));
  text += error_bar_line(result.error_bar);
  text += labelled("throughput", many(result.batch / result.step_time.si()) + " samples/s");
  text += labelled("bound by", result.bound_by);
  text += labelled("utilization",
                   noted(percent(result.utilization),
                         "multiply-accumulates of the model over what the devices could do"));
  text += pipeline_line(result) + peak_line(result) + moved_lines(result) + endpoint_line(result) +
          collectives_lines(result);
  text += background_lines(result);
  text += power_lines(result) + cost_line(result);
  text += labelled("simulated", simulated(result));
  return text + breakdown_table(result) + busiest_resources(result);
}

}  // namespace cairn::report
