// Another program, run without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::report {

struct ChildResult {
  bool started = false;
  int status = 0;       // exit status; 128 + signal if one ended it
  std::string error{};  // its standard error (the first 64 KiB), or why it did not start
};

// Runs arguments[0], found in PATH, in `folder` with these arguments, and waits for its end. Its
// input is empty, its output thrown away.
ChildResult run_in(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

}  // namespace cairn::report
