// cairn platform: components and topology of a platform.
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/platform/dot.hpp"
#include "cairn/platform/facts.hpp"
#include "cairn/report/platform_document.hpp"

namespace cairn::app {

std::vector<Option> options_of(PlatformRequest& request) {
  std::vector<Option> options{
      {.name = "PLATFORM",
       .doc = kPlatformHelp,
       .value = &request.platform,
       .example = kPlatformWritten},
      settings_option(request.settings,
                      "change a value of the platform, e.g. bandwidth=\"50 GB/s\"")};
  add_output(options, request.output);
  options.push_back({"--dot", "", "print the graph in DOT format for Graphviz", &request.dot});
  return options;
}

Answer platform(const PlatformRequest& request) {
  if (request.dot && (request.output.json || request.output.report)) {
    throw ConfigError(at("--dot"),
                      request.output.json ? "cannot be combined with --json"
                                          : "cannot be combined with --report");
  }
  const platform::Platform platform = read_platform(request.platform, request.settings, "PLATFORM");
  if (request.dot) {
    Answer graph{report::Document{}};
    graph.text = platform::to_dot(platform);
    return graph;
  }
  return report::document_of(platform, platform::facts_of(platform));
}

}  // namespace cairn::app
