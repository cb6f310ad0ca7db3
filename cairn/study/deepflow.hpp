// The DeepFlow paper (Ardalani, Pal and Gupta, 2023): its language model on devices that technology
// makes. What its studies share.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

// Figure 1: what tilings and strategies make of a product's flops per byte.
StudyResult run_deepflow_intensity(const Config& config,
                                   const DataFolders& folders,
                                   const Tick& tick);
std::vector<ClaimRange> range_deepflow_intensity(const Config& config,
                                                 const DataFolders& folders,
                                                 const Tick& tick);

// Figure 9: logic, memory and network technology.
StudyResult run_deepflow_technology(const Config& config,
                                    const DataFolders& folders,
                                    const Tick& tick);
std::vector<ClaimRange> range_deepflow_technology(const Config& config,
                                                  const DataFolders& folders,
                                                  const Tick& tick);

// Strategies on 64 and on 512 devices, with memory capacity as a limit and without.
StudyResult run_deepflow_strategies(const Config& config,
                                    const DataFolders& folders,
                                    const Tick& tick);
std::vector<ClaimRange> range_deepflow_strategies(const Config& config,
                                                  const DataFolders& folders,
                                                  const Tick& tick);

// Figure 10: strategies, then chips and models too, at several logic nodes.
StudyResult run_deepflow_parallelism(const Config& config,
                                     const DataFolders& folders,
                                     const Tick& tick);
std::vector<ClaimRange> range_deepflow_parallelism(const Config& config,
                                                   const DataFolders& folders,
                                                   const Tick& tick);

// Figure 11: several nodes in a package.
StudyResult run_deepflow_package(const Config& config,
                                 const DataFolders& folders,
                                 const Tick& tick);
std::vector<ClaimRange> range_deepflow_package(const Config& config,
                                               const DataFolders& folders,
                                               const Tick& tick);

// The most of any size that is given: samples, words, rows of a matrix.
inline constexpr double kLargest = 1e9;

// What the paper leaves unsaid, or says once: of the chip, the model and how it is trained.
struct DeepFlowAssumptions {
  std::string chip = "v100";            // template
  std::vector<std::string> settings{};  // of the template: "chip_area=850 mm2"
  std::string scaling = "crossflow";
  Seconds launch{9e-6};
  chip::Precision precision = chip::Precision::kFp16;
  double hidden = 16384.0;
  double vocabulary = 819200.0;
  std::uint32_t layers = 2;
  std::uint32_t steps = 20;
  std::uint32_t steps_at_once = 1;
  double batch = 16384.0;
  Seconds network_latency{5e-6};
  bool contention = true;
  plan::RecurrentSync recurrent_sync = plan::RecurrentSync::kOnce;
  plan::GradientSync gradient_sync = plan::GradientSync::kOverlapped;
  std::string reductions = "ring";
  plan::Resharding resharding = plan::Resharding::kGather;
  plan::InnerGradient inner_gradient = plan::InnerGradient::kRows;
  plan::WeightCopies weight_copies = plan::WeightCopies::kAgain;
  plan::Accumulation accumulation = plan::Accumulation::kReadAndWrite;

  Config given{};  // what was read

  // Of an assumption, or of all if it was not given.
  [[nodiscard]] const Where& where(std::string_view key = "") const;
};

const Schema<DeepFlowAssumptions>& schema_of(const DeepFlowAssumptions*);

// The assumptions of a study's file: {key: value}.
DeepFlowAssumptions read_deepflow_assumptions(const Config& values);

// What the file of each of these studies has.
struct DeepFlowFile {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  std::vector<Config> variations{};
  Config claims{};
};

template <class File>
Schema<File> deepflow_schema(const char* doc) {
  using Text = std::string File::*;
  using Tree = Config File::*;
  using Trees = std::vector<Config> File::*;
  return Schema<File>("study", doc)
      .optional("description", Text(&File::description), "one line")
      .optional("source", Text(&File::source), "the paper")
      .optional("study", Text(&File::study), "which study, if the file is called otherwise")
      .required("assumptions", Tree(&File::assumptions), "what the paper leaves unsaid", "{...}")
      .optional("variations", Trees(&File::variations), "assumptions that are changed together")
      .required("claims", Tree(&File::claims), "what the paper says", "[...]");
}

using RunDeepFlow = std::function<StudyResult(const DeepFlowAssumptions& assumptions)>;

// The study under its assumptions, and how its claims are under its variations.
StudyResult run_deepflow(const DeepFlowFile& file, const RunDeepFlow& run);
std::vector<ClaimRange> range_deepflow(const DeepFlowFile& file, const RunDeepFlow& run);

// Rejects lists of the file that are empty.
void check_filled(const Config& file, std::initializer_list<std::string_view> keys);

// The chip of the template at a logic node. Throws ConfigError where it cannot be made, or does not
// compute in the precision.
chip::Device generated_device(const DeepFlowAssumptions& assumptions,
                              const std::string& node,
                              const DataFolders& folders);

// Its template there. Throws ConfigError.
chip::Template template_at(const DeepFlowAssumptions& assumptions,
                           const std::string& node,
                           const DataFolders& folders);

// The paper's language model.
model::ModelSource language_model(const DeepFlowAssumptions& assumptions);

// All devices around one switch, each with `bandwidth` in each direction.
platform::Platform around_a_switch(std::uint32_t devices,
                                   BytesPerSecond bandwidth,
                                   Seconds latency);

// The language model on so many devices; capacity is ignored.
Design deepflow_design(const DeepFlowAssumptions& assumptions,
                       const chip::Device& device,
                       platform::Platform platform);

}  // namespace cairn::study
