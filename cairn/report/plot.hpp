// Charts on disk: numbers, a gnuplot script that can be changed, and pictures where gnuplot is
// installed.
#pragma once

#include <filesystem>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::report {

struct Plotted {
  std::filesystem::path script{};
  bool drawn = false;
  std::string note{};  // why there are no pictures
};

// Makes the folder if it is not there; throws ConfigError at `where` if it cannot be one.
void make_folder(const std::filesystem::path& folder, const Where& where);

// Throws ConfigError at `where` if no file could be written into the folder now. Makes nothing: a
// folder that is not there must be one that could be made.
void check_folder_writable(const std::filesystem::path& folder, const Where& where);

// Writes STEM.dat and STEM.gp into `folder` (made if it is not there) and runs gnuplot, which makes
// STEM.svg and STEM.pdf; no other file is touched. Throws ConfigError at `where` for what cannot be
// written, and when gnuplot fails.
Plotted plot(const Chart& chart, const std::filesystem::path& folder, const Where& where);

}  // namespace cairn::report
