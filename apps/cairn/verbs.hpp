// The commands: from a request to its result. They throw ConfigError for invalid input.
#pragma once

#include <string>
#include <vector>

#include "apps/cairn/request.hpp"
#include "apps/cairn/verb.hpp"

namespace cairn::app {

// All commands, in the order of --help.
const std::vector<Verb>& verbs();

std::vector<Option> options_of(RunRequest& request);
std::vector<Option> options_of(StudyRequest& request);
std::vector<Option> options_of(SearchRequest& request);
std::vector<Option> options_of(SensitivityRequest& request);
std::vector<Option> options_of(CollectiveRequest& request);
std::vector<Option> options_of(ModelRequest& request);
std::vector<Option> options_of(PlatformRequest& request);
std::vector<Option> options_of(ChipRequest& request);
std::vector<Option> options_of(KernelRequest& request);
std::vector<Option> options_of(ValidateRequest& request);
std::vector<Option> options_of(CalibrateRequest& request);
std::vector<Option> options_of(CompareRequest& request);
std::vector<Option> options_of(ListRequest& request);

Answer run(const RunRequest& request);
Answer study(const StudyRequest& request);
Answer search(const SearchRequest& request);
Answer sensitivity(const SensitivityRequest& request);
Answer collective(const CollectiveRequest& request);
Answer model(const ModelRequest& request);
Answer platform(const PlatformRequest& request);
Answer chip(const ChipRequest& request);
Answer kernel(const KernelRequest& request);
Answer validate(const ValidateRequest& request);
Answer calibrate(const CalibrateRequest& request);
Answer compare(const CompareRequest& request);
Answer list(const ListRequest& request);

}  // namespace cairn::app
