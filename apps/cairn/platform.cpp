// cairn platform: what a platform is made of.
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/result.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/platform/dot.hpp"
#include "cairn/platform/facts.hpp"
#include "cairn/report/platform_document.hpp"

namespace cairn::app {

std::string platform(const PlatformRequest& request) {
  if (request.json && request.dot) {
    throw ConfigError(at("--dot"), "excludes --json");
  }
  const platform::Platform platform = read_platform(request.platform, request.settings, "platform");
  if (request.dot) {
    return platform::to_dot(platform);
  }
  return rendered(report::document_of(platform, platform::facts_of(platform)), request.json);
}

}  // namespace cairn::app
