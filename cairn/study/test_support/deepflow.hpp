// Runs bundled studies with changed settings, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "cairn/study/deepflow.hpp"

namespace cairn::study {

inline std::filesystem::path data_folder() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path() /
         "data";
}

using Settings = std::vector<std::string>;

// Study::evaluations must be within 10 % of the actual number.
inline void expect_evaluation_count_near(const std::string& study, std::size_t evaluations) {
  const auto stated = static_cast<double>(find_study(study)->evaluations);
  EXPECT_NEAR(static_cast<double>(evaluations), stated, 0.1 * stated) << study;
}

// Runs the bundled file of the study with `settings`.
inline StudyResult run_shipped(const std::string& study, const Settings& settings) {
  Config file = load_config(data_folder() / "studies" / (study + ".yaml"));
  for (const std::string& setting : settings) {
    set_value(file, setting);
  }
  std::atomic<std::size_t> evaluations{0};
  const DataFolders folders = DataFolders::in({data_folder()});
  StudyResult result = run(find_study(study)->prepare(file, folders, [&] { ++evaluations; }));
  if (settings.empty()) {
    expect_evaluation_count_near(study, evaluations);
  }
  return result;
}

// The error message for rejected settings; empty if they are accepted.
inline std::string complaint(StudyResult (*run)(const Settings&), const Settings& settings) {
  try {
    run(settings);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// --plot writes tables and figures into files of their names, which must be unique.
inline bool has_unique_names(const StudyResult& result) {
  std::vector<std::string> names;
  for (const Table& table : result.tables) {
    names.push_back(table.name);
  }
  for (const report::Chart& chart : result.charts) {
    names.push_back(chart.name);
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

inline const Claim& claim_of(const StudyResult& result, const std::string& id) {
  return *std::ranges::find(result.claims, id, &Claim::id);
}

// The claim under the variation with this text.
inline const UnderVariation& under_variation(const StudyResult& result,
                                             const std::string& id,
                                             const std::string& with) {
  return *std::ranges::find(claim_of(result, id).variations, with, &UnderVariation::with);
}

}  // namespace cairn::study
