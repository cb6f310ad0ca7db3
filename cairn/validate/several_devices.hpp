// The common part of transformer training runs on several devices.
#pragma once

#include <string>
#include <utility>

#include "cairn/base/must_have.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

// `run`: GptRun or LlamaRun. Ranks are numbered by tensor shards, then replicas, then stages.
// Weight gradients are all-reduced after the last micro-batch, one bucket per stage. Memory
// capacity is ignored, since the run was measured.
template <class Run>
Design on_several_devices(const Run& run, const std::string& model, const Subject& subject) {
  constexpr Bytes kAllGradients(1e15);
  Design design{.model = model::model_source(parse_config(model, "model"), {}),
                .training = {.optimizer = model::Optimizer::kAdam, .master_weights = true},
                .device = subject.device(),
                .platform = must_have(subject.devices, "several devices without a platform"),
                .memory = {.capacity = memory::Capacity::kIgnored},
                .launch = {.issue = run.issue}};
  design.strategy = {.parallelism = plan::Parallelism::kTensor,
                     .tensor_rows = run.tensor,
                     .tensor_columns = 1,
                     .data = run.data,
                     .stages = run.stages,
                     .micro_batches = run.micro_batches,
                     .order = {plan::Axis::kTensor, plan::Axis::kData, plan::Axis::kPipeline},
                     .batch = static_cast<double>(run.batch),
                     .devices = run.tensor * run.data * run.stages,
                     .bucket = kAllGradients,
                     .gradient_sync = plan::GradientSync::kBlocking,
                     .sequence_parallel = run.sequence_parallel};
  return design;
}

}  // namespace cairn::validate
