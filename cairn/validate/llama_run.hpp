// A training step of a Llama on several devices, and what the main path says it takes.
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
  std::uint32_t key_heads = 1;
  std::uint32_t vocab = 1;
  std::uint32_t seq = 1;
  bool tied = false;
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t stages = 1;
  std::uint32_t batch = 1;  // samples of all devices
  std::uint32_t micro_batches = 1;
  std::uint32_t zero = 0;
  bool sequence_parallel = false;
  Seconds issue{0.0};  // what the host takes per kernel
};

// As frameworks run it that spread words over devices: bf16, nothing computed again, attention that
// never stores its scores, Adam with master weights, weight gradients added up in fp32 by a kernel
// of their own, the loss in fp32 step by step; stages of equal work, in 1F1B order. Of tensor
// shards neighbours, then of replicas, then of stages. A table that words are also chosen by is one
// where a stage has both, else two.
Design llama_design(const LlamaRun& run, const Subject& subject);

}  // namespace cairn::validate
