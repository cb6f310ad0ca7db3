// A training step of a Llama on several devices.
#pragma once

#include <cstdint>

#include "cairn/evaluate.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

struct LlamaRun {
  std::uint32_t layers = 1;
  std::uint32_t hidden = 1;
  std::uint32_t intermediate = 1;
  std::uint32_t heads = 1;
  std::uint32_t kv_heads = 1;
  std::uint32_t vocab = 1;
  std::uint32_t seq = 1;
  bool tied = false;
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t stages = 1;
  std::uint32_t batch = 1;  // samples, all devices
  std::uint32_t micro_batches = 1;
  std::uint32_t zero = 0;
  bool sequence_parallel = false;
  Seconds issue{0.0};  // host time per kernel launch
};

// bf16, no recomputation, fused attention without stored scores, Adam with master weights, weight
// gradients accumulated in fp32 by a separate kernel, the loss in fp32; pipeline stages of equal
// work, 1F1B schedule. Ranks are numbered by tensor shards, then replicas, then stages. A tied
// embedding is one weight if one stage and one shard have all of it, else two.
Design llama_design(const LlamaRun& run, const Subject& subject);

}  // namespace cairn::validate
