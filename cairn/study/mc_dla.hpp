// The MC-DLA paper (Kwon and Rhu, "Beyond the Memory Wall", MICRO 2018): every figure and table.
// Each part below adds its findings and its charts to the result.
#pragma once

#include "cairn/study/mc_dla_runs.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

PreparedStudy prepare_mc_dla(const Config& config, const DataFolders& folders, const Tick& tick);

// Shared by all parts: runs of the paper's device, and the result.
struct McDla {
  Runs& runs;
  StudyResult& result;
  const Tick& tick;

  // Counts one evaluation.
  void count() const {
    if (tick) {
      tick();
    }
  }

  explain::StepResult run(const Case& which, const Design& system) const {
    count();
    return runs.run(which, system);
  }

  std::vector<explain::StepResult> run(std::span<const Case> cases, const Design& system) const {
    count();
    return runs.run(cases, system);
  }

  void find(const std::string& name, double value) const { result.findings[name] = value; }
};

// Figures 11 to 13: the 16 cases on the six systems.
void study_performance(const McDla& study);
// Figure 14 and section V-B: batch size, PCIe gen4, TPUv2, DGX-2, compression.
void study_sensitivity(const McDla& study);
// Figure 2: generations of devices, as the study's file lists them.
void study_generations(const McDla& study, const Config& generations);
// Figures 7 and 9: rings.
void study_rings(const McDla& study);
// Section V-C, Table IV: power. Needs the findings of study_performance.
void study_power(const McDla& study);
// Section V-D: 4 and 8 devices.
void study_scaling(const McDla& study);
// Section II-C: links of HC-DLA to the host, and the host's memory bandwidth.
void study_host_links(const McDla& study);
// Figure 15: system nodes on a plane of device-side switches, or connected by InfiniBand.
void study_plane(const McDla& study);
// Section V-E: the largest trainable models.
void study_capacity(const McDla& study, const Config& inputs);

// Mean of speedups, as in the paper: n / sum(1 / x).
double harmonic_mean(const std::vector<double>& values);
double arithmetic_mean(const std::vector<double>& values);

}  // namespace cairn::study
