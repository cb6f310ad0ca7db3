// The DeepFlow paper (Ardalani, Pal and Gupta, 2023): its language model on devices that technology
// makes. What its studies share.
#pragma once

#include <cstdint>
#include <string>
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
  plan::Resharding resharding = plan::Resharding::kGather;
  plan::InnerGradient inner_gradient = plan::InnerGradient::kRows;
  plan::WeightCopies weight_copies = plan::WeightCopies::kAgain;
  plan::Accumulation accumulation = plan::Accumulation::kReadAndWrite;

  Where where{};  // of the file
};

const Schema<DeepFlowAssumptions>& schema_of(const DeepFlowAssumptions*);

// The assumptions of a study's file: {key: value}.
DeepFlowAssumptions read_deepflow_assumptions(const Config& values);

// The chip of the template at a logic node. Throws ConfigError where it cannot be made.
chip::Device generated_device(const DeepFlowAssumptions& assumptions,
                              const std::string& node,
                              const DataFolders& folders);

model::Graph language_model(const DeepFlowAssumptions& assumptions, double micro_batches = 1.0);

// All devices around one switch, each with `bandwidth` in each direction.
platform::Platform around_a_switch(std::uint32_t devices,
                                   BytesPerSecond bandwidth,
                                   Seconds latency);

// The language model on so many devices; capacity is ignored.
Design deepflow_design(const DeepFlowAssumptions& assumptions,
                       const chip::Device& device,
                       platform::Platform platform);

// "3.54"
std::string number_text(double value);

}  // namespace cairn::study
