// The verbs: from a request to what goes to standard output. They throw ConfigError for what the
// user got wrong.
#pragma once

#include <memory>
#include <string>

#include "apps/cairn/request.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::app {

// A search says what it has found also when it is interrupted.
struct SearchAnswer {
  Feasible<std::string> text;
  int signal = 0;  // that interrupted it; 0: none
  // Why a file that was asked for could not be written; empty: all were. What was found is printed
  // all the same.
  std::string problem{};
  // Processes that helped; they are let go when this goes, after what was found is printed.
  std::shared_ptr<void> helpers{};
};

Feasible<std::string> run(const RunRequest& request);
std::string study(const StudyRequest& request);
SearchAnswer search(const SearchRequest& asked);
Feasible<std::string> sensitivity(const SensitivityRequest& request);
Feasible<std::string> collective(const CollectiveRequest& request);
std::string platform(const PlatformRequest& request);
Feasible<std::string> chip(const ChipRequest& request);
Feasible<std::string> kernel(const KernelRequest& request);
Feasible<std::string> validate(const ValidateRequest& request);
Feasible<std::string> calibrate(const CalibrateRequest& request);
std::string compare(const CompareRequest& request);
std::string list(const ListRequest& request);

}  // namespace cairn::app
