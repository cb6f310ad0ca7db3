#include "cairn/validate/gpt_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/base/must_have.hpp"

namespace cairn::validate {

namespace {

constexpr Bytes kAllGradients(1e15);  // of a stage, in one bucket

std::string model_text(const GptRun& run) {
  return fmt::format(
      "{{network: gpt, layers: {}, hidden: {}, heads: {}, vocab: {}, seq: {}, scores: stored, "
      "dropout: true}}",
      run.layers,
      run.hidden,
      run.heads,
      run.vocab,
      run.seq);
}

// The first layer of every stage but the first.
std::vector<std::string> cuts(const GptRun& run) {
  std::vector<std::string> first;
  for (std::uint32_t stage = 1; stage < run.stages; ++stage) {
    first.push_back(fmt::format("block{}.norm1", run.layers / run.stages * stage));
  }
  return first;
}

}  // namespace

Design gpt_design(const GptRun& run, const Subject& subject) {
  return {.name = "gpt",
          .model = model::model_source(parse_config(model_text(run), "model"), {}),
          .training = {.optimizer = model::Optimizer::kAdam,
                       .master_weights = true,
                       .checkpoints = run.selective ? model::Checkpoints::kSelective
                                                    : model::Checkpoints::kBlocks},
          .device = subject.device(),
          .platform = must_have(subject.devices, "several devices that nothing joins"),
          .strategy = {.parallelism = plan::Parallelism::kTensor,
                       .kernel1 = run.tensor,
                       .kernel2 = 1,
                       .data = run.data,
                       .stages = run.stages,
                       .micro_batches = run.micro_batches,
                       .cuts = cuts(run),
                       .order = {plan::Axis::kKernel1, plan::Axis::kData, plan::Axis::kStage},
                       .batch = static_cast<double>(run.batch),
                       .precision = chip::Precision::kFp16,
                       .devices = run.tensor * run.data * run.stages,
                       .bucket = kAllGradients,
                       .gradient_sync = plan::GradientSync::kBlocking,
                       .sequence_parallel = run.sequence_parallel},
          // It ran, so it fitted.
          .memory = {.capacity = memory::Capacity::kIgnored},
          .kernels = {.issue = run.issue}};
}

void compare_run(const Design& design,
                 const Case& measured,
                 const Subject& subject,
                 Comparison& comparison) {
  const std::uint32_t there = must_have(subject.devices, "no platform").device_count();
  if (const std::uint32_t devices = design.strategy.devices; devices > there) {
    comparison.left.push_back({measured.name,
                               measured.line,
                               fmt::format("{} devices, but the platform has {}", devices, there)});
    return;
  }
  const auto result = evaluate(design);
  if (!result) {
    comparison.leave_out(measured.name, measured.line, result.reason());
    return;
  }
  Case one = measured;
  one.predicted = result->step_time;
  one.bound_by = result->bound_by;
  comparison.cases.push_back(std::move(one));
}

}  // namespace cairn::validate
