// A study: many evaluations, compared with a paper's claims.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"
#include "cairn/report/chart.hpp"
#include "cairn/study/claim.hpp"

namespace cairn::study {

// A number, or text. Tables print three digits of a number, CSV nine.
struct Cell {
  std::string text{};
  std::optional<double> number{};

  Cell(std::string value) : text(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  Cell(const char* value) : text(value) {}  // NOLINT(google-explicit-constructor)

  Cell(double value);  // NOLINT(google-explicit-constructor)
};

// A table of results, printed and written as CSV.
struct Table {
  std::string name{};  // of its CSV file
  std::string title{};
  std::vector<std::string> columns{};  // with their units: "step time (s)"
  std::vector<std::vector<Cell>> rows{};
};

struct StudyResult {
  std::string name{};
  std::string description{};  // one line, from the study's file
  std::string source{};       // from the study's file: origin of systems and numbers
  std::vector<Claim> claims{};
  std::vector<Table> tables{};
  std::vector<report::Chart> charts{};  // the paper's figures
  Findings findings{};
  // By finding: the cause of its value.
  std::map<std::string, std::string> reasons{};
  // By finding, or by a prefix ending in '.': why it is absent.
  std::map<std::string, std::string> absent{};
};

// Called for each evaluation, unless empty.
using Tick = std::function<void()>;

// Runs a study under the assumptions {key: value}.
using RunUnder = std::function<StudyResult(const Config& values)>;

// A study whose file is read, to run under the file's assumptions or over their other choices.
struct PreparedStudy {
  Config assumptions{};  // as written in the file
  RunUnder run{};
  std::vector<Config> variations{};  // assumptions changed together
  bool always_varies = false;        // also without --range
};

struct Study {
  std::string_view name;
  std::string_view doc;
  // `config` is the study's file: assumptions and claims. Throws ConfigError. `folders` must
  // outlive the result.
  PreparedStudy (*prepare)(const Config& config, const DataFolders& folders, const Tick& tick);
  // Approximate number of evaluations of `run` on the bundled file, for progress.
  std::size_t evaluations;
};

// The result under the file's assumptions; where the study always varies, claims also under its
// variations.
StudyResult run(const PreparedStudy& study);

// For each claim, the interval over the choices that the file gives for each assumption, one
// changed at a time, and over the variations.
std::vector<ClaimRange> claim_ranges(const PreparedStudy& study);

// Records a statement as a finding: 1 if it holds, else 0, with the reason.
void note(StudyResult& result, const std::string& finding, bool holds, const std::string& reason);

// Reads the claims of a study's file and compares them with the findings.
void judge(StudyResult& result, const Config& claims);

std::span<const Study> studies();

// nullptr for an unknown name.
const Study* find_study(std::string_view name);

}  // namespace cairn::study
