#include "cairn/validate/llama_run.hpp"

#include <fmt/format.h>

#include "cairn/base/must_have.hpp"

namespace cairn::validate {

namespace {

constexpr Bytes kAllGradients(1e15);  // of a stage, in one bucket

std::string model_text(const LlamaRun& run) {
  return fmt::format(
      "{{network: gpt, layers: {}, hidden: {}, intermediate: {}, heads: {}, kv_heads: {}, vocab: "
      "{}, seq: {}, tied: {}, mlp: gated, norm: rms, positions: rotary, bias: false, loss: fp32}}",
      run.layers,
      run.hidden,
      run.intermediate,
      run.heads,
      run.key_heads,
      run.vocab,
      run.seq,
      run.tied && run.stages == 1 && run.tensor == 1);
}

}  // namespace

Design llama_design(const LlamaRun& run, const Subject& subject) {
  return {.name = "llama",
          .model = model::model_source(parse_config(model_text(run), "model"), {}),
          .training = {.optimizer = model::Optimizer::kAdam,
                       .master_weights = true,
                       .fp32_gradients = true},
          .device = subject.device(),
          .platform = must_have(subject.devices, "several devices that nothing joins"),
          .strategy = {.parallelism = plan::Parallelism::kTensor,
                       .kernel1 = run.tensor,
                       .kernel2 = 1,
                       .data = run.data,
                       .stages = run.stages,
                       .micro_batches = run.micro_batches,
                       .order = {plan::Axis::kKernel1, plan::Axis::kData, plan::Axis::kStage},
                       .accumulation = plan::Accumulation::kOwnKernel,
                       .batch = static_cast<double>(run.batch),
                       .precision = chip::Precision::kBf16,
                       .devices = run.tensor * run.data * run.stages,
                       .bucket = kAllGradients,
                       .gradient_sync = plan::GradientSync::kBlocking,
                       .sequence_parallel = run.sequence_parallel,
                       .zero = run.zero},
          // It ran, so it fitted.
          .memory = {.capacity = memory::Capacity::kIgnored},
          .kernels = {.issue = run.issue}};
}

}  // namespace cairn::validate
