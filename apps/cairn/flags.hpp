// The verbs and their flags, for the command line library; each fills in its request.
#pragma once

#include "apps/cairn/request.hpp"

namespace CLI {
class App;
}

namespace cairn::app {

CLI::App* add_run(CLI::App& app, RunRequest& request);
CLI::App* add_study(CLI::App& app, StudyRequest& request);
CLI::App* add_search(CLI::App& app, SearchRequest& request);
CLI::App* add_sensitivity(CLI::App& app, SensitivityRequest& request);
CLI::App* add_collective(CLI::App& app, CollectiveRequest& request);
CLI::App* add_platform(CLI::App& app, PlatformRequest& request);
CLI::App* add_chip(CLI::App& app, ChipRequest& request);
CLI::App* add_kernel(CLI::App& app, KernelRequest& request);
CLI::App* add_validate(CLI::App& app, ValidateRequest& request);
CLI::App* add_calibrate(CLI::App& app, CalibrateRequest& request);
CLI::App* add_compare(CLI::App& app, CompareRequest& request);
CLI::App* add_list(CLI::App& app, ListRequest& request);

}  // namespace cairn::app
