// Training steps of GPT on one machine with several devices, measured with Megatron-DeepSpeed and
// published with vTrain (Bang et al., MICRO 2024).
#include <fmt/format.h>

#include "cairn/validate/gpt_run.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

// Not padded, as in the configurations published with the data: an odd row length on one tensor
// shard.
constexpr std::uint32_t kVocabulary = 50257;

// The host time per kernel launch is fitted to the runs on this many devices
// (data/frameworks/megatron-deepspeed.yaml); those on more are held out.
constexpr std::uint32_t kFitted = 2;

}  // namespace

void predict_megatron(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr double kMilli = 1e-3;
  const auto number = [&](const char* column) { return row.count(column); };
  GptRun run{.layers = number("# layers"),
             .hidden = number("hidden size"),
             .heads = number("attention heads"),
             .seq = number("sequence length"),
             .tensor = number("tensor parallelism"),
             .data = number("data parallelism"),
             .stages = number("pipeline parallelism"),
             .batch = number("global batch"),
             .issue = subject.framework.issue};
  const std::uint32_t devices = number("# GPUs");
  const std::uint64_t together = std::uint64_t{run.data} * number("micro batch");
  if (static_cast<double>(run.tensor) * run.data * run.stages != devices) {
    row.reject("# GPUs", "is not the product of tensor, data and pipeline parallelism");
  }
  if (run.batch % together != 0) {
    row.reject(
        "global batch",
        fmt::format("is not a multiple of {} samples (data parallelism x micro batch)", together));
  }
  if (run.layers % run.stages != 0) {
    row.reject("# layers", fmt::format("is not a multiple of {} pipeline stages", run.stages));
  }
  if (run.hidden % run.heads != 0) {
    row.reject("attention heads", "do not divide the hidden size");
  }
  if (run.batch / together > kMaxMicroBatches) {
    row.reject("global batch", fmt::format("has more than {} micro-batches", kMaxMicroBatches));
  }
  run.micro_batches = static_cast<std::uint32_t>(run.batch / together);
  run.vocab = kVocabulary / run.tensor * run.tensor;
  compare_run(gpt_design(run, subject),
              {.name = fmt::format("{} x {} blocks, tensor {}, data {}, stages {}, {} x {} samples",
                                   run.hidden,
                                   run.layers,
                                   run.tensor,
                                   run.data,
                                   run.stages,
                                   run.micro_batches,
                                   number("micro batch")),
               .group = fmt::format("{} devices{}", devices, devices == kFitted ? " (fitted)" : ""),
               .shape = fmt::format("{} wide", run.hidden),
               .line = row.line(),
               .measured = Seconds(row.positive("iteration time (ms)") * kMilli)},
              subject,
              comparison);
}

}  // namespace cairn::validate
