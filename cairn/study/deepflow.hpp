// Common parts of the studies of DeepFlow (Ardalani, Pal and Gupta, 2023): its language model on
// devices generated from technology.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/study_file.hpp"

namespace cairn::study {

// Figure 1: arithmetic intensity of a GEMM over tilings and strategies.
PreparedStudy prepare_deepflow_intensity(const Config& config,
                                         const DataFolders& folders,
                                         const Tick& tick);

// Figure 9: logic, memory and network technology.
PreparedStudy prepare_deepflow_technology(const Config& config,
                                          const DataFolders& folders,
                                          const Tick& tick);

// Strategies on 64 and on 512 devices, with memory capacity as a limit and without.
PreparedStudy prepare_deepflow_strategies(const Config& config,
                                          const DataFolders& folders,
                                          const Tick& tick);

// Figure 10: strategies, then chips and models too, at several logic nodes.
PreparedStudy prepare_deepflow_parallelism(const Config& config,
                                           const DataFolders& folders,
                                           const Tick& tick);

// Figure 11: several nodes in a package.
PreparedStudy prepare_deepflow_package(const Config& config,
                                       const DataFolders& folders,
                                       const Tick& tick);

// Upper limit of a size in a file: samples, tokens, rows of a matrix.
inline constexpr double kLargest = 1e9;

// Assumptions about chip, model and training that the paper leaves open or states in passing.
struct DeepFlowAssumptions {
  std::string chip = "v100";            // template
  std::vector<std::string> settings{};  // changes of the template: "chip_area=850 mm2"
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

  Config given{};  // the assumptions as read

  // Where an assumption is written; where all are, if it is not given.
  [[nodiscard]] const Where& where(std::string_view key = "") const;
};

const Schema<DeepFlowAssumptions>& schema_of(const DeepFlowAssumptions*);

// The assumptions of a study's file: {key: value}.
DeepFlowAssumptions read_deepflow_assumptions(const Config& values);

// Keys that the file of every DeepFlow study has.
struct DeepFlowFile : StudyKeys {
  std::vector<Config> variations{};
};

template <class File>
Schema<File> deepflow_schema(const char* doc) {
  using Trees = std::vector<Config> File::*;
  return study_schema<File>(doc).optional(
      "variations", Trees(&File::variations), "assumptions changed together");
}

// `Runner` runs a study whose claims are also compared under the file's variations.
template <class Runner, class File>
PreparedStudy prepare_deepflow(const File& file, const DataFolders& folders, const Tick& tick) {
  return {.assumptions = file.assumptions,
          .run =
              [=, &folders](const Config& values) {
                const DeepFlowAssumptions assumptions = read_deepflow_assumptions(values);
                return Runner(file, assumptions, folders, tick).run();
              },
          .variations = file.variations,
          .always_varies = true};
}

// `Search` runs a study with assumptions of its own, `Own`, beside DeepFlowAssumptions.
template <class Search, HasSchema Own, class File>
PreparedStudy prepare_deepflow(const File& file, const DataFolders& folders, const Tick& tick) {
  return {.assumptions = file.assumptions,
          .run =
              [=, &folders](const Config& values) {
                Config common = values;
                const auto own = take<Own>(common);
                const DeepFlowAssumptions assumptions = read_deepflow_assumptions(common);
                return Search(file, assumptions, own, folders, tick).run();
              },
          .variations = file.variations};
}

// The template's chip at a logic node. Throws ConfigError if it is infeasible or does not support
// the precision.
chip::Device generated_device(const DeepFlowAssumptions& assumptions,
                              const std::string& node,
                              const DataFolders& folders);

// The template at a logic node. Throws ConfigError.
chip::Template template_at(const DeepFlowAssumptions& assumptions,
                           const std::string& node,
                           const DataFolders& folders);

// The paper's language model.
model::ModelSource language_model(const DeepFlowAssumptions& assumptions);

// All devices around one switch, each with `bandwidth` in each direction.
platform::Platform around_a_switch(std::uint32_t devices,
                                   BytesPerSecond bandwidth,
                                   Seconds latency);

// The language model on this platform; memory capacity is ignored.
Design deepflow_design(const DeepFlowAssumptions& assumptions,
                       const chip::Device& device,
                       platform::Platform platform);

}  // namespace cairn::study
