// Options that several commands share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cairn/verb.hpp"

namespace cairn::app {

inline constexpr const char* kPlatformHelp =
    "a preset (cairn list platforms), a YAML file, or inline:\nTOPOLOGY:DIMS@BANDWIDTH,LATENCY";
inline constexpr const char* kPlatformWritten = "ring:8@25GB/s,500ns";
inline constexpr const char* kWholeDetail = "with --json: no effect, the output is always complete";

// A file or folder that a command writes.
Option output_option(const char* name,
                     const char* type,
                     const char* doc,
                     std::optional<std::string>& value);

Option settings_option(std::vector<std::string>& settings, const char* doc);
Option fold_option(std::string& fold);
Option unroll_option(bool& unroll);
Option trace_option(std::optional<std::string>& trace);
Option plot_option(std::optional<std::string>& plot, const char* doc);

// The design argument.
Option design_option(std::string& design);

// --json and --report. `detail`: help of --detail; nullptr: no such option.
void add_output(std::vector<Option>& options, Output& output, const char* detail = nullptr);

}  // namespace cairn::app
