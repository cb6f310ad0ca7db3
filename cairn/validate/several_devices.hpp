// What frameworks have in common that train a transformer on several devices.
#pragma once

#include <string>
#include <utility>

#include "cairn/base/must_have.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

// Of a run (GptRun, LlamaRun): tensor shards are neighbours, then replicas, then stages; weight
// gradients are summed after the last micro-batch, all of a stage in one bucket. It ran, so it
// fitted.
template <class Run>
Design on_several_devices(const Run& run, const std::string& model, const Subject& subject) {
  constexpr Bytes kAllGradients(1e15);
  Design design{.model = model::model_source(parse_config(model, "model"), {}),
                .training = {.optimizer = model::Optimizer::kAdam, .master_weights = true},
                .device = subject.device(),
                .platform = must_have(subject.devices, "several devices that nothing joins"),
                .memory = {.capacity = memory::Capacity::kIgnored},
                .kernels = {.issue = run.issue}};
  design.strategy = {.parallelism = plan::Parallelism::kTensor,
                     .kernel1 = run.tensor,
                     .kernel2 = 1,
                     .data = run.data,
                     .stages = run.stages,
                     .micro_batches = run.micro_batches,
                     .order = {plan::Axis::kKernel1, plan::Axis::kData, plan::Axis::kStage},
                     .batch = static_cast<double>(run.batch),
                     .devices = run.tensor * run.data * run.stages,
                     .bucket = kAllGradients,
                     .gradient_sync = plan::GradientSync::kBlocking,
                     .sequence_parallel = run.sequence_parallel};
  return design;
}

}  // namespace cairn::validate
