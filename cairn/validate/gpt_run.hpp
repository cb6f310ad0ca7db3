// A training step of a GPT on several devices as Megatron-LM runs it, and its predicted time.
#pragma once

#include <cstdint>
#include <string>

#include "cairn/evaluate.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

inline constexpr std::uint32_t kMaxMicroBatches = 4096;  // limit of a strategy

struct GptRun {
  std::uint32_t layers = 1;
  std::uint32_t hidden = 1;
  std::uint32_t heads = 1;
  std::uint32_t vocab = 1;
  std::uint32_t seq = 1;
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t stages = 1;
  std::uint32_t batch = 1;  // samples, all devices
  std::uint32_t micro_batches = 1;
  bool sequence_parallel = false;
  bool selective = false;  // selective recomputation: attention scores only
  Seconds issue{0.0};      // host time per kernel launch
};

// fp16; blocks or attention scores recomputed, attention scores stored, dropout, Adam with master
// weights; pipeline stages of equally many blocks, 1F1B schedule; weight gradients all-reduced
// after the last micro-batch. Ranks are numbered as in Megatron-LM: tensor shards, then replicas,
// then stages.
Design gpt_design(const GptRun& run, const Subject& subject);

// Adds the measured and the predicted time of a design, or skips it with the reason.
void compare_run(const Design& design,
                 const ComparedRow& measured,
                 Subject& subject,
                 Comparison& comparison);

}  // namespace cairn::validate
