// Options that several verbs share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cairn/verb.hpp"

namespace cairn::app {

inline constexpr const char* kPlatformHelp =
    "a preset (cairn list platforms), a YAML file, or inline:\nTOPOLOGY:DIMS@BANDWIDTH,LATENCY";
inline constexpr const char* kPlatformWritten = "ring:8@25GB/s,500ns";
inline constexpr const char* kWholeDetail = "with --json: the same, which is always whole";

Option settings_option(std::vector<std::string>& settings, const char* doc);
Option fold_option(std::string& fold);
Option trace_option(std::optional<std::string>& trace);
Option plot_option(std::optional<std::string>& plot, const char* doc);

// The design that a verb is about.
Option design_option(std::string& design);

// --json and --report. `detail`: what --detail adds; nullptr: the verb has none.
void add_output(std::vector<Option>& options, Output& output, const char* detail = nullptr);

}  // namespace cairn::app
