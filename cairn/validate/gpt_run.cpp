#include "cairn/validate/gpt_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/validate/several_devices.hpp"

namespace cairn::validate {

namespace {

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
  Design design = on_several_devices(run, model_text(run), subject);
  design.name = "gpt";
  design.training.checkpoints =
      run.selective ? model::Checkpoints::kSelective : model::Checkpoints::kBlocks;
  design.strategy.cuts = cuts(run);
  design.strategy.precision = chip::Precision::kFp16;
  return design;
}

void compare_run(const Design& design,
                 const ComparedRow& measured,
                 Subject& subject,
                 Comparison& comparison) {
  const std::uint32_t there = must_have(subject.devices, "no platform").device_count();
  if (const std::uint32_t devices = design.strategy.devices; devices > there) {
    comparison.skipped.push_back(
        {measured.name,
         measured.line,
         fmt::format("{} devices, but the platform has {}", devices, there)});
    return;
  }
  const auto result = evaluate(design, subject.evaluations, Detail::kTrial);
  if (!result) {
    comparison.skip(measured.name, measured.line, result.reason());
    return;
  }
  ComparedRow one = measured;
  one.predicted = result->step_time;
  one.bound_by = result->bound.text;
  comparison.cases.push_back(std::move(one));
}

}  // namespace cairn::validate
