#include "cairn/study/study.hpp"

#include <algorithm>
#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr std::array kStudies{
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
}

}  // namespace cairn::study
