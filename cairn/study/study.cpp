#include "cairn/study/study.hpp"

#include <algorithm>
#include <array>

#include "cairn/base/many.hpp"
#include "cairn/study/ace.hpp"
#include "cairn/study/ace_memory_nodes.hpp"
#include "cairn/study/co_design.hpp"
#include "cairn/study/deepflow.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr std::array kStudies{
    Study{"ace",
          "cost of collectives on cores and on a collectives engine (Rashidi et al., ISCA 2021)",
          prepare_ace,
          364},
    Study{"ace-memory-nodes",
          "a collectives engine combined with memory-nodes",
          prepare_ace_memory_nodes,
          45},
    Study{"co-design",
          "technology, memory-nodes, endpoint and strategy together for one budget",
          prepare_co_design,
          140},
    Study{"deepflow-intensity",
          "arithmetic intensity of a GEMM by devices, strategies and tilings (DeepFlow, Fig. 1)",
          prepare_deepflow_intensity,
          89},
    Study{"deepflow-package",
          "several nodes in a package, strategy and chip searched for each (DeepFlow, Fig. 11)",
          prepare_deepflow_package,
          2400},
    Study{"deepflow-parallelism",
          "strategy, chip and model searched at each logic node (DeepFlow, Fig. 10)",
          prepare_deepflow_parallelism,
          3400},
    Study{"deepflow-strategies",
          "parallelism strategies, with memory as a limit and without (DeepFlow, section 9.2)",
          prepare_deepflow_strategies,
          686},
    Study{"deepflow-technology",
          "logic, memory and network technology (Ardalani et al., DeepFlow, Fig. 9)",
          prepare_deepflow_technology,
          336},
    Study{"mc-dla",
          "memory virtualization and the memory-centric system (Kwon and Rhu, MICRO 2018)",
          prepare_mc_dla,
          220}};

// Precondition: read_claims() accepted the quantity.
std::string why_absent(const StudyResult& result, const std::string& quantity) {
  const auto is_it = [&](const auto& entry) { return stands_for(entry.first, quantity); };
  return std::ranges::find_if(result.absent, is_it)->second;
}

}  // namespace

Cell::Cell(double value) : text(many(value, 3)), number(value) {}

std::span<const Study> studies() {
  return kStudies;
}

const Study* find_study(std::string_view name) {
  const auto found = std::ranges::find(kStudies, name, &Study::name);
  return found == kStudies.end() ? nullptr : &*found;
}

void note(StudyResult& result, const std::string& finding, bool holds, const std::string& reason) {
  result.findings[finding] = holds ? 1.0 : 0.0;
  result.reasons[finding] = reason;
}

void judge(StudyResult& result, const Config& claims) {
  std::vector<std::string> known;
  for (const auto& [name, value] : result.findings) {
    known.push_back(name);
  }
  for (const auto& [name, reason] : result.absent) {
    known.push_back(name);
  }
  result.claims = read_claims(claims, known);
  for (Claim& claim : result.claims) {
    const auto found = result.findings.find(claim.quantity);
    if (found == result.findings.end()) {
      claim.reason = why_absent(result, claim.quantity);
      continue;
    }
    claim.ours = found->second;
    const auto reason = result.reasons.find(claim.quantity);
    claim.reason = reason == result.reasons.end() ? "" : reason->second;
  }
}

}  // namespace cairn::study
