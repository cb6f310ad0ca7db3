#include "cairn/former_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

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

constexpr std::array<FormerKey, 12> kKeys{
    {{"kernels", "launch"},
     {"placement", "page_placement"},
     {"memory.overlay", "memory.offload"},
     {"memory.overlay_state", "memory.offload_state"},
     {"strategy.k1", "strategy.tensor_rows"},
     {"strategy.k2", "strategy.tensor_columns"},
     {"strategy.resharding", "assumptions.resharding"},
     {"strategy.inner_gradient", "assumptions.inner_gradient"},
     {"strategy.weight_copies", "assumptions.weight_copies"},
     {"strategy.recurrent_sync", "assumptions.recurrent_sync"},
     {"strategy.model_parallel_input", "assumptions.model_parallel_input"},
     {"strategy.partial_sum", "assumptions.partial_sum"}}};

constexpr std::array<FormerValue, 6> kValues{
    {{"memory.offload", "what_does_not_fit", "on_demand"},
     {"strategy.gradient_sync", "unshared", "contention_free"},
     {"strategy.order", "k1", "tensor_rows"},
     {"strategy.order", "k2", "tensor_columns"},
     {"strategy.order", "d", "data"},
     {"strategy.order", "p", "pipeline"}}};

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

// "strategy" of "strategy.data"; empty for "strategy".
std::string_view section_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? "" : key.substr(0, dot);
}

class Updater {
 public:
  void update_design(Config& design) {
    update(design, "");
    for (Moved& moved : std::exchange(moved_, {})) {
      add_to_section(design, std::move(moved));
    }
  }

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
      if (!outer.empty() && section_of(now) != outer) {
        replace(map.keys[i], now, map.items[i].where);
        update(map.items[i], now);
        moved_.push_back({now, std::move(map.items[i])});
        map.keys.erase(map.keys.begin() + static_cast<std::ptrdiff_t>(i));
        map.items.erase(map.items.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
        continue;
      }
      const std::string inner = outer.empty() ? now : now.substr(outer.size() + 1);
      if (map.keys[i] != inner) {
        check_absent(map, inner, map.items[i].where);
      }
      replace(map.keys[i], inner, map.items[i].where);
    }
  }

  // A value that belongs to another section now.
  struct Moved {
    std::string key{};  // "assumptions.resharding"
    Config value{};
  };

  static void add_to_section(Config& design, Moved moved) {
    const std::string section(section_of(moved.key));
    const std::string inner = moved.key.substr(section.size() + 1);
    auto found = std::ranges::find(design.keys, section);
    if (found == design.keys.end()) {
      Config map;
      map.kind = Config::Kind::kMap;
      map.where = moved.value.where;
      map.where.key = section;
      design.keys.push_back(section);
      design.items.push_back(std::move(map));
      found = design.keys.end() - 1;
    }
    Config& map = design.items[static_cast<std::size_t>(found - design.keys.begin())];
    check_absent(map, inner, moved.value.where);
    map.keys.push_back(inner);
    map.items.push_back(std::move(moved.value));
  }

  static void check_absent(const Config& map, const std::string& key, const Where& former) {
    if (map.find(key) != nullptr) {
      throw ConfigError(
          former,
          fmt::format("is the former name of \"{}\", which is given too (remove one)", key));
    }
  }

  void replace(std::string& name, const std::string& now, const Where& where) {
    if (name != now) {
      notes.push_back(
          ConfigError(where, fmt::format("\"{}\" is now called \"{}\"", name, now)).what());
      name = now;
    }
  }

  std::vector<Moved> moved_{};
};

}  // namespace

std::vector<std::string> update_former_names(Config& design) {
  Updater updater;
  updater.update_design(design);
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
      updater.update_design(search.items[i]);
    } else if (search.keys[i] == "vary") {
      updater.update_axes(search.items[i]);
    }
  }
  return updater.notes;
}

}  // namespace cairn
