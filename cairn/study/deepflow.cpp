#include "cairn/study/deepflow.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/chip/read_device.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/platform/topology/switched.hpp"
#include "cairn/study/assumptions.hpp"

namespace cairn::study {

const Schema<DeepFlowAssumptions>& schema_of(const DeepFlowAssumptions*) {
  using A = DeepFlowAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "of the chip, the model and how it is trained")
          .optional("chip", &A::chip, "template of the device")
          .optional("settings", &A::settings, "of the template")
          .optional("scaling", &A::scaling, "law from one logic node to the next")
          .optional("launch", &A::launch, "of a kernel")
          .not_negative()
          .optional("precision", &A::precision, "of everything")
          .optional("hidden", &A::hidden, "width of the hidden state")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("vocabulary", &A::vocabulary, "words")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("layers", &A::layers, "of cells")
          .at_least(1)
          .at_most(100)
          .optional("steps", &A::steps, "words of a sample")
          .at_least(1)
          .at_most(1000)
          .optional("steps_at_once", &A::steps_at_once, "whose words one kernel chooses (0: all)")
          .optional("batch", &A::batch, "samples of a step, all devices together")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("network_latency", &A::network_latency, "from device to device")
          .not_negative()
          .optional("contention", &A::contention, "collectives and kernels slow each other down")
          .optional("recurrent_sync", &A::recurrent_sync, "when gradients of cells are summed")
          .optional("gradient_sync", &A::gradient_sync, "how gradients are summed over devices")
          .optional("reductions", &A::reductions, "the algorithm of all-reduce and its halves")
          .optional("resharding", &A::resharding, "how rows of a tensor become columns")
          .optional("inner_gradient", &A::inner_gradient, "what a CR shard computes of it")
          .optional("weight_copies", &A::weight_copies, "are kept for the next step, or not")
          .optional("accumulation", &A::accumulation, "what adding to a weight gradient moves");
  return kSchema;
}

DeepFlowAssumptions read_deepflow_assumptions(const Config& values) {
  auto assumptions = read_config<DeepFlowAssumptions>(values);
  assumptions.given = values;
  return assumptions;
}

const Where& DeepFlowAssumptions::where(std::string_view key) const {
  const Config* found = given.find(key);
  return found == nullptr ? given.where : found->where;
}

StudyResult run_deepflow(const DeepFlowFile& file, const RunDeepFlow& run) {
  const auto under = [&](const Config& values) { return run(read_deepflow_assumptions(values)); };
  const Config values = values_of(file.assumptions);
  StudyResult result = under(values);
  vary(result, values, file.variations, under);
  return result;
}

std::vector<ClaimRange> range_deepflow(const DeepFlowFile& file, const RunDeepFlow& run) {
  return range_over(file.assumptions, file.variations, [&](const Config& values) {
    return run(read_deepflow_assumptions(values));
  });
}

void check_filled(const Config& file, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Config* list = file.find(key);
    if (list != nullptr && list->kind == Config::Kind::kList && list->items.empty()) {
      reject(*list, "has no items (expected at least one)");
    }
  }
}

namespace {

// A device of the template at a logic node, as a user would write it.
Config written_device(const DeepFlowAssumptions& assumptions,
                      const std::string& node,
                      const DataFolders& folders) {
  Config config = parse_config(
      fmt::format("{{template: {}, launch: {}}}", assumptions.chip, to_text(assumptions.launch)),
      assumptions.where().file);
  std::vector<std::string> settings = assumptions.settings;
  settings.push_back("scaling=" + assumptions.scaling);
  settings.push_back("node=" + node);
  for (const std::string& setting : settings) {
    chip::set_value_of_device(config, "template." + setting, folders.devices);
  }
  return config;
}

}  // namespace

chip::Template template_at(const DeepFlowAssumptions& assumptions,
                           const std::string& node,
                           const DataFolders& folders) {
  return chip::read_template(*written_device(assumptions, node, folders).find("template"),
                             folders.devices.templates);
}

chip::Device generated_device(const DeepFlowAssumptions& assumptions,
                              const std::string& node,
                              const DataFolders& folders) {
  const Config config = written_device(assumptions, node, folders);
  auto device = chip::read_device(config, folders.devices);
  if (!device) {
    throw ConfigError(assumptions.where(),
                      fmt::format("there is no such chip at {}: {}: {}",
                                  node,
                                  device.reason().limit(),
                                  device.reason().detail));
  }
  if (const auto reason = chip::lacks(*device, assumptions.precision)) {
    throw ConfigError(assumptions.where("precision"), reason->detail);
  }
  return std::move(device).value();
}

model::ModelSource language_model(const DeepFlowAssumptions& assumptions) {
  Config config = parse_config(fmt::format("{{network: language_model, hidden: {}, vocabulary: {}, "
                                           "layers: {}, steps: {}, steps_at_once: {}}}",
                                           assumptions.hidden,
                                           assumptions.vocabulary,
                                           assumptions.layers,
                                           assumptions.steps,
                                           assumptions.steps_at_once),
                               assumptions.where().file);
  config.where = assumptions.where();  // of shapes that are too large
  return {std::move(config), "language model"};
}

// A way is two cables, to the switch and on.
platform::Platform around_a_switch(std::uint32_t devices,
                                   BytesPerSecond bandwidth,
                                   Seconds latency) {
  return platform::topology::make_switch(
      {.devices = devices, .bandwidth = bandwidth, .latency = latency / 2.0});
}

Design deepflow_design(const DeepFlowAssumptions& assumptions,
                       const chip::Device& device,
                       platform::Platform platform) {
  Design design{
      .model = language_model(assumptions), .device = device, .platform = std::move(platform)};
  design.strategy.batch = assumptions.batch;
  design.strategy.precision = assumptions.precision;
  design.strategy.recurrent_sync = assumptions.recurrent_sync;
  design.strategy.gradient_sync = assumptions.gradient_sync;
  design.strategy.resharding = assumptions.resharding;
  design.strategy.inner_gradient = assumptions.inner_gradient;
  design.strategy.weight_copies = assumptions.weight_copies;
  design.strategy.accumulation = assumptions.accumulation;
  design.memory.capacity = memory::Capacity::kIgnored;
  design.machine.contention = assumptions.contention;
  design.machine.collectives = comm::reductions_by(
      comm::parse_algorithm(assumptions.reductions, assumptions.where("reductions")));
  return design;
}

}  // namespace cairn::study
