// Runs another program without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::report {

struct ChildResult {
  bool started = false;
  int status = 0;       // exit status; 128 + signal if one ended it
  std::string error{};  // first 64 KiB of its standard error, or why it did not start
};

// Runs arguments[0], found in PATH, in `folder` with these arguments, and waits for its end.
// Standard input is empty, standard output is discarded.
ChildResult run_in(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

}  // namespace cairn::report
