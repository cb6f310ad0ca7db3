// A study: a paper's claims over many evaluations, ours beside theirs.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"
#include "cairn/report/chart.hpp"
#include "cairn/study/claim.hpp"

namespace cairn::study {

// What a study found, in rows: for people, and as CSV.
struct Table {
  std::string name{};  // of its file
  std::string title{};
  std::vector<std::string> columns{};  // with their units: "step time (s)"
  std::vector<std::vector<std::string>> rows{};
};

struct StudyResult {
  std::string name{};
  std::vector<Claim> claims{};
  std::vector<Table> tables{};
  std::vector<report::Chart> charts{};  // the paper's figures
  Findings findings{};
  // By finding: why a claim about it does not hold, if it does not.
  std::map<std::string, std::string> reasons{};
};

// Called after each evaluation, if there is someone to tell.
using Tick = std::function<void()>;

struct Study {
  std::string_view name;
  std::string_view doc;
  // `config` is the study's file: assumptions and claims.
  StudyResult (*run)(const Config& config, const DataFolders& folders, const Tick& tick);
  // For each claim, the interval over the choices that the file gives for each assumption, one
  // assumption changed at a time.
  std::vector<ClaimRange> (*range)(const Config& config,
                                   const DataFolders& folders,
                                   const Tick& tick);
};

// Reads the claims of a study's file and compares them with the findings.
void judge(StudyResult& result, const Config& claims);

std::span<const Study> studies();

// nullptr for an unknown name.
const Study* find_study(std::string_view name);

}  // namespace cairn::study
