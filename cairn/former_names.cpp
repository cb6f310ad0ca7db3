#include "cairn/former_names.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "cairn/base/config_set.hpp"

namespace cairn {

namespace {

struct FormerKey {
  std::string_view former;
  std::string_view now;
};

struct FormerValue {
  std::string_view key;
  std::string_view former;
  std::string_view now;
};

constexpr std::array<FormerKey, 3> kKeys{{{"kernels", "launch"},
                                          {"memory.overlay", "memory.offload"},
                                          {"memory.overlay_state", "memory.offload_state"}}};

constexpr std::array<FormerValue, 2> kValues{
    {{"memory.offload", "what_does_not_fit", "on_demand"},
     {"strategy.gradient_sync", "unshared", "contention_free"}}};

std::string current_key(const std::string& key) {
  for (const auto& [former, now] : kKeys) {
    if (key == former || key.starts_with(std::string(former) + ".")) {
      return std::string(now) + key.substr(former.size());
    }
  }
  return key;
}

std::string current_value(std::string_view key, const std::string& value) {
  for (const FormerValue& each : kValues) {
    if (key == each.key && value == each.former) {
      return std::string(each.now);
    }
  }
  return value;
}

class Updater {
 public:
  // `key`: what the design calls `config`, by its current name.
  void update(Config& config, const std::string& key) {
    switch (config.kind) {
      case Config::Kind::kScalar:
        replace(config.text, current_value(key, config.text), config.where);
        break;
      case Config::Kind::kList:
        for (Config& item : config.items) {
          update(item, key);
        }
        break;
      case Config::Kind::kMap:
        update_keys(config, key);
        for (std::size_t i = 0; i < config.items.size(); ++i) {
          update(config.items[i], joined_key(key, config.keys[i]));
        }
        break;
      case Config::Kind::kNull:
        break;
    }
  }

  // `vary`: keys of designs, each with its values or with {values, when, ...}.
  void update_axes(Config& vary) {
    if (vary.kind != Config::Kind::kMap) {
      return;
    }
    update_keys(vary, "");
    for (std::size_t i = 0; i < vary.items.size(); ++i) {
      Config& axis = vary.items[i];
      if (axis.kind != Config::Kind::kMap) {
        update(axis, vary.keys[i]);
        continue;
      }
      for (std::size_t part = 0; part < axis.items.size(); ++part) {
        const bool names_keys = axis.keys[part] == "when";
        update(axis.items[part], names_keys ? "" : vary.keys[i]);
      }
    }
  }

  void update(std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      return;
    }
    std::string key = assignment.substr(0, equals);
    std::string value = assignment.substr(equals + 1);
    const Where where{.file = "--set", .line = 0, .key = key};
    replace(key, current_key(key), where);
    replace(value, current_value(key, value), where);
    assignment = key + "=" + value;
  }

  std::vector<std::string> notes{};

 private:
  void update_keys(Config& map, const std::string& outer) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const std::string now = current_key(joined_key(outer, map.keys[i]));
      const std::string inner = outer.empty() ? now : now.substr(outer.size() + 1);
      if (map.keys[i] != inner && map.find(inner) != nullptr) {
        throw ConfigError(
            map.items[i].where,
            fmt::format("is the former name of \"{}\", which is given too (remove one)", inner));
      }
      replace(map.keys[i], inner, map.items[i].where);
    }
  }

  void replace(std::string& name, const std::string& now, const Where& where) {
    if (name != now) {
      notes.push_back(
          ConfigError(where, fmt::format("\"{}\" is now called \"{}\"", name, now)).what());
      name = now;
    }
  }
};

}  // namespace

std::vector<std::string> update_former_names(Config& design) {
  Updater updater;
  updater.update(design, "");
  return updater.notes;
}

std::vector<std::string> update_former_names(std::string& assignment) {
  Updater updater;
  updater.update(assignment);
  return updater.notes;
}

std::vector<std::string> update_former_names_of_search(Config& search) {
  Updater updater;
  for (std::size_t i = 0; i < search.keys.size(); ++i) {
    if (search.keys[i] == "design") {
      updater.update(search.items[i], "");
    } else if (search.keys[i] == "vary") {
      updater.update_axes(search.items[i]);
    }
  }
  return updater.notes;
}

}  // namespace cairn
