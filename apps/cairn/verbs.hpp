// The verbs: from a request to what goes to standard output. They throw ConfigError for what the
// user got wrong.
#pragma once

#include <string>

#include "apps/cairn/request.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::app {

Feasible<std::string> run(const RunRequest& request);
std::string study(const StudyRequest& request);
Feasible<std::string> search(const SearchRequest& asked);
Feasible<std::string> sensitivity(const SensitivityRequest& request);
Feasible<std::string> collective(const CollectiveRequest& request);
std::string platform(const PlatformRequest& request);
Feasible<std::string> chip(const ChipRequest& request);
Feasible<std::string> kernel(const KernelRequest& request);
Feasible<std::string> validate(const ValidateRequest& request);
Feasible<std::string> calibrate(const CalibrateRequest& request);
std::string list(const ListRequest& request);

}  // namespace cairn::app
