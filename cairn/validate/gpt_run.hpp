// A training step of a GPT on several devices as Megatron-LM runs it, and what the main path says
// it takes.
#pragma once

#include <cstdint>
#include <string>

#include "cairn/evaluate.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

inline constexpr std::uint32_t kMostMicroBatches = 4096;  // as a strategy may have

struct GptRun {
  std::uint32_t layers = 1;
  std::uint32_t hidden = 1;
  std::uint32_t heads = 1;
  std::uint32_t vocab = 1;
  std::uint32_t seq = 1;
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t stages = 1;
  std::uint32_t batch = 1;  // samples of all devices
  std::uint32_t micro_batches = 1;
  bool sequence_parallel = false;
  bool selective = false;  // only scores are computed again
  Seconds issue{0.0};      // what the host takes per kernel
};

// fp16, every block or the scores of attention computed again, scores of attention stored, dropout,
// Adam with master weights; stages of as many blocks each, in 1F1B order; weight gradients summed
// after the last micro-batch. Of tensor shards neighbours, then of replicas, then of stages, as
// Megatron-LM numbers its ranks.
Design gpt_design(const GptRun& run, const Subject& subject);

// Adds the measured time of a design beside what the main path says, or why it says nothing.
void compare_run(const Design& design,
                 const Case& measured,
                 Subject& subject,
                 Comparison& comparison);

}  // namespace cairn::validate
