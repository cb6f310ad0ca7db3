// A study: a paper's claims over many evaluations, ours beside theirs.
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

// A number, or text. People read three digits of a number, programs nine.
struct Cell {
  std::string text{};
  std::optional<double> number{};

  Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)

  Cell(const char* words) : text(words) {}  // NOLINT(google-explicit-constructor)

  Cell(double value);  // NOLINT(google-explicit-constructor)
};

// What a study found, in rows: for people, and as CSV.
struct Table {
  std::string name{};  // of its file
  std::string title{};
  std::vector<std::string> columns{};  // with their units: "step time (s)"
  std::vector<std::vector<Cell>> rows{};
};

struct StudyResult {
  std::string name{};
  std::string description{};  // one line; as the study's file has it
  std::string source{};       // likewise: whose systems and numbers
  std::vector<Claim> claims{};
  std::vector<Table> tables{};
  std::vector<report::Chart> charts{};  // the paper's figures
  Findings findings{};
  // By finding: why it is as it is.
  std::map<std::string, std::string> reasons{};
  // By finding, or, ending in '.', by what several begin with: why there is none.
  std::map<std::string, std::string> absent{};
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
  // About so many does `run` take on the file of that name as it is shipped: for those who wait.
  std::size_t evaluations;
};

// A statement: 1 where it is so, and why it is or is not.
void note(StudyResult& result, const std::string& finding, bool is_so, const std::string& reason);

// Reads the claims of a study's file and compares them with the findings.
void judge(StudyResult& result, const Config& claims);

std::span<const Study> studies();

// nullptr for an unknown name.
const Study* find_study(std::string_view name);

}  // namespace cairn::study
