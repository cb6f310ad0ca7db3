#include "cairn/study/deepflow.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/chip/read_device.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/platform/topology/switched.hpp"

namespace cairn::study {

const Schema<DeepFlowAssumptions>& schema_of(const DeepFlowAssumptions*) {
  using A = DeepFlowAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "chip, model and training")
          .optional("chip", &A::chip, "device template")
          .optional("settings", &A::settings, "changes of the template")
          .optional("scaling", &A::scaling, "scaling law between logic nodes")
          .optional("launch", &A::launch, "launch latency of a kernel")
          .not_negative()
          .optional("precision", &A::precision, "precision of all tensors")
          .optional("hidden", &A::hidden, "hidden size")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("vocabulary", &A::vocabulary, "vocabulary size")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("layers", &A::layers, "recurrent layers")
          .at_least(1)
          .at_most(100)
          .optional("steps", &A::steps, "tokens per sample")
          .at_least(1)
          .at_most(1000)
          .optional("steps_at_once", &A::steps_at_once, "steps per softmax kernel (0: all)")
          .optional("batch", &A::batch, "samples per step, all devices")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("network_latency", &A::network_latency, "latency between devices")
          .not_negative()
          .optional("contention", &A::contention, "contention of collectives and kernels")
          .optional("recurrent_sync",
                    &A::recurrent_sync,
                    "when gradients of recurrent weights are all-reduced")
          .optional("gradient_sync", &A::gradient_sync, "how gradients are all-reduced")
          .optional("reductions",
                    &A::reductions,
                    "algorithm of all-reduce, reduce-scatter and all-gather")
          .optional("resharding", &A::resharding, "how row shards become column shards")
          .optional("inner_gradient",
                    &A::inner_gradient,
                    "part of the inner gradient that a CR shard computes")
          .optional("weight_copies",
                    &A::weight_copies,
                    "whether gathered weights are kept for the next step")
          .optional(
              "accumulation", &A::accumulation, "memory traffic of accumulating a weight gradient");
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
                      fmt::format("the chip is infeasible at {}: {}: {}",
                                  node,
                                  device.reason().limit(),
                                  device.reason().detail));
  }
  if (const auto reason = chip::check_precision(*device, assumptions.precision)) {
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
  config.where = assumptions.where();  // for errors about shapes
  return {std::move(config), "language model"};
}

// A route has two links, to the switch and from it.
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
  design.strategy.gradient_sync = assumptions.gradient_sync;
  design.strategy.accumulation = assumptions.accumulation;
  design.strategy.assumptions = {.resharding = assumptions.resharding,
                                 .inner_gradient = assumptions.inner_gradient,
                                 .weight_copies = assumptions.weight_copies,
                                 .recurrent_sync = assumptions.recurrent_sync};
  design.memory.capacity = memory::Capacity::kIgnored;
  design.machine.contention = assumptions.contention;
  design.machine.collectives = comm::reductions_by(
      comm::parse_algorithm(assumptions.reductions, assumptions.where("reductions")));
  return design;
}

}  // namespace cairn::study
