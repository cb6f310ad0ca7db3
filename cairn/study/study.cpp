#include "cairn/study/study.hpp"

#include <algorithm>
#include <array>

#include "cairn/study/deepflow.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr std::array kStudies{
    Study{
        "deepflow-intensity",
        "computation intensity of a product, by devices, strategies and tilings (DeepFlow, Fig. 1)",
        run_deepflow_intensity,
        range_deepflow_intensity},
    Study{"deepflow-strategies",
          "parallelism strategies, with memory as a limit and without (DeepFlow, section 9.2)",
          run_deepflow_strategies,
          range_deepflow_strategies},
    Study{"deepflow-technology",
          "logic, memory and network technology (Ardalani et al., DeepFlow, Fig. 9)",
          run_deepflow_technology,
          range_deepflow_technology},
    Study{"mc-dla",
          "memory virtualization and the memory-centric system (Kwon and Rhu, MICRO 2018)",
          run_mc_dla,
          range_mc_dla}};

}  // namespace

std::span<const Study> studies() {
  return kStudies;
}

const Study* find_study(std::string_view name) {
  const auto found = std::ranges::find(kStudies, name, &Study::name);
  return found == kStudies.end() ? nullptr : &*found;
}

void judge(StudyResult& result, const Config& claims) {
  std::vector<std::string> known;
  for (const auto& [name, value] : result.findings) {
    known.push_back(name);
  }
  result.claims = read_claims(claims, known);
  compare(result.claims, result.findings);
  for (Claim& claim : result.claims) {
    const auto reason = result.reasons.find(claim.quantity);
    if (reason != result.reasons.end()) {
      claim.moved_by =
          claim.moved_by.empty() ? reason->second : reason->second + "; " + claim.moved_by;
    }
  }
}

}  // namespace cairn::study
