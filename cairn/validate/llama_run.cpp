#include "cairn/validate/llama_run.hpp"

#include <fmt/format.h>

#include "cairn/validate/several_devices.hpp"

namespace cairn::validate {

namespace {

std::string model_text(const LlamaRun& run) {
  return fmt::format(
      "{{network: gpt, layers: {}, hidden: {}, intermediate: {}, heads: {}, kv_heads: {}, vocab: "
      "{}, seq: {}, tied: {}, mlp: gated, norm: rms, positions: rotary, bias: false, loss: fp32}}",
      run.layers,
      run.hidden,
      run.intermediate,
      run.heads,
      run.kv_heads,
      run.vocab,
      run.seq,
      run.tied && run.stages == 1 && run.tensor == 1);
}

}  // namespace

Design llama_design(const LlamaRun& run, const Subject& subject) {
  Design design = on_several_devices(run, model_text(run), subject);
  design.name = "llama";
  design.training.fp32_gradients = true;
  design.strategy.accumulation = plan::Accumulation::kOwnKernel;
  design.strategy.precision = chip::Precision::kBf16;
  design.strategy.zero = run.zero;
  return design;
}

}  // namespace cairn::validate
