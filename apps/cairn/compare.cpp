// cairn compare: explains why results differ.
#include "cairn/report/compare.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

// Otherwise `text` is a file with the output of --json. Without an extension, a file that exists
// is a result: a pipe of the shell has no name of its own.
bool is_design(const std::string& text) {
  const std::string extension = std::filesystem::path(text).extension().string();
  if (extension == ".yaml" || extension == ".yml") {
    return true;
  }
  std::error_code ignored;
  const bool is_path = text.find('/') != std::string::npos || extension == ".json" ||
                       std::filesystem::exists(std::filesystem::symlink_status(text, ignored));
  return !is_path;
}

// Reads a result, or runs a design with detail.
Feasible<report::ReadResult> result_of(const std::string& text) {
  if (!is_design(text)) {
    return report::read_result(text, kVersion);
  }
  RunRequest request;
  request.design = text;
  request.output.detail = true;
  Answer answer = run(request);
  if (!answer.document) {
    return answer.document.reason();
  }
  report::Document document = std::move(answer.document).value();
  document.version = kVersion;
  return report::read_result(document, text);
}

}  // namespace

std::vector<Option> options_of(CompareRequest& request) {
  std::vector<Option> options{
      {.name = "A",
       .doc = "--json output of a command, or a design",
       .value = &request.a,
       .example = "before.json"},
      {.name = "B",
       .doc = "a second one of the same command; with --detail, more is compared",
       .value = &request.b,
       .example = "after.json"},
      {"MORE", "", "further ones, each compared with A", &request.more}};
  add_output(options, request.output, kWholeDetail);
  return options;
}

Answer compare(const CompareRequest& request) {
  std::vector<std::string> texts{request.a, request.b};
  texts.insert(texts.end(), request.more.begin(), request.more.end());
  if (texts.size() > report::kMaxCompared) {
    throw ConfigError(at("MORE"),
                      std::to_string(texts.size()) + " results (expected at most " +
                          std::to_string(report::kMaxCompared) + ")");
  }
  std::vector<report::ReadResult> results;  // errors of the first are reported first
  for (const std::string& text : texts) {
    auto result = result_of(text);
    if (!result) {
      return result.reason();
    }
    results.push_back(std::move(result).value());
  }
  std::vector<report::Compared> compared;
  for (std::size_t i = 1; i < results.size(); ++i) {
    compared.push_back(report::compare(results.front(), results[i]));
  }
  return report::document_of(compared);
}

}  // namespace cairn::app
