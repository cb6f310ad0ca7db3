// The DeepFlow studies' files as shipped, with settings, for tests.
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

// How many evaluations a study takes is said to those who wait: within a tenth, or it is said no
// more.
inline void expect_about_as_many(const std::string& study, std::size_t evaluations) {
  const auto said = static_cast<double>(find_study(study)->evaluations);
  EXPECT_NEAR(static_cast<double>(evaluations), said, 0.1 * said) << study;
}

// `run` on the study's file.
inline StudyResult run_shipped(decltype(Study::run) run,
                               const std::string& study,
                               const Settings& settings) {
  Config file = load_config(data_folder() / "studies" / (study + ".yaml"));
  for (const std::string& setting : settings) {
    set_value(file, setting);
  }
  std::atomic<std::size_t> evaluations{0};
  StudyResult result = run(file, DataFolders::in({data_folder()}), [&] { ++evaluations; });
  if (settings.empty()) {
    expect_about_as_many(study, evaluations);
  }
  return result;
}

// What it says of settings that it refuses; empty if it does not.
inline std::string complaint(StudyResult (*run)(const Settings&), const Settings& settings) {
  try {
    run(settings);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// --plot writes tables and figures into files of their names.
inline bool has_names_once(const StudyResult& result) {
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

// Under the variation of the study's file that is written so.
inline const Otherwise& otherwise(const StudyResult& result,
                                  const std::string& id,
                                  const std::string& with) {
  return *std::ranges::find(claim_of(result, id).otherwise, with, &Otherwise::with);
}

}  // namespace cairn::study
