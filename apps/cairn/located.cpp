#include "apps/cairn/located.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "apps/cairn/data.hpp"
#include "cairn/base/config_reader.hpp"

namespace cairn::app {

namespace {

using Path = std::vector<std::string_view>;

// "strategy.batch": strategy, batch.
Path path_of(std::string_view key) {
  Path path;
  while (!key.empty()) {
    const std::size_t end = std::min(key.find('.'), key.size());
    path.push_back(key.substr(0, end));
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return path;
}

// The deepest existing entry of `path`; nothing if `to_the_end` and the path does not exist.
const Config* follow(const Config& config, const Path& path, bool to_the_end) {
  const Config* place = &config;
  for (const std::string_view key : path) {
    const Config* found = place->kind == Config::Kind::kMap ? place->find(key) : nullptr;
    if (found == nullptr) {
      return to_the_end ? nullptr : place;
    }
    place = found;
  }
  return place;
}

// Engine values come from the endpoint or, if absent there, from the device.
Where of_engine(std::string_view what, const Config& design) {
  const auto folders = chip::DeviceFolders::in(data_roots());
  if (const Config* endpoint = design.find("endpoint")) {
    const Config written = endpoint->kind == Config::Kind::kMap
                               ? *endpoint
                               : load_named(scalar_text(*endpoint, "a name or a map"),
                                            data_folders("endpoints"),
                                            "an endpoint",
                                            endpoint->where)
                                     .config;
    if (const Config* here = follow(written, {"engine", what}, true)) {
      return here->where;
    }
  }
  if (const Config* device = design.find("device")) {
    const Config written = chip::written_out(*device, folders);
    if (const Config* here = follow(written, {"fabric", "engine", what}, true)) {
      return here->where;
    }
    const Config chip = chip::all_written_out(*device, folders);
    if (const Config* here = follow(chip, {"template", "fabric", "engine", what}, true)) {
      return here->where;
    }
    if (const Config* named = written.find("template")) {
      return named->where;
    }
  }
  return follow(design, {"endpoint"}, false)->where;
}

}  // namespace

Infeasible located(Infeasible reason, const Config& design) {
  constexpr std::string_view kOfEngine = "endpoint.engine.";
  const std::string_view key = lack_key(reason.lack);
  const Config* place = follow(design, path_of(key), false);
  Where where =
      key.starts_with(kOfEngine) ? of_engine(key.substr(kOfEngine.size()), design) : place->where;
  if (place == &design && where.key.empty()) {  // the design leaves the key to its default
    where = {.file = design.where.file, .line = 0, .key = std::string(key)};
  }
  reason.detail += fmt::format(" ({})", to_text(where));
  return reason;
}

}  // namespace cairn::app
