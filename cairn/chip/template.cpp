#include "cairn/chip/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "cairn/base/config_set.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/chip/level.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/chip/written_template.hpp"

namespace cairn::chip {

namespace {

// The value of `key`, if `map` is a map that has it. C may be const.
template <class C>
C* child(C* map, std::string_view key) {
  return map != nullptr && map->kind == Config::Kind::kMap
             ? const_cast<C*>(map->find(key))  // NOLINT(*-const-cast): constness of C
             : nullptr;
}

// The map of a component, and the kind of its technology.
template <class C>
struct Component {
  std::string path{};  // "levels[1]"
  C* config = nullptr;
  std::string_view kind{};
};

template <class C>
std::vector<Component<C>> components_of(C& config) {
  std::vector<Component<C>> components;
  const auto add = [&](const std::string& path, C* map, std::string_view kind) {
    if (map != nullptr && map->kind == Config::Kind::kMap) {
      components.push_back({path, map, kind});
    }
  };
  add("core", child(&config, "core"), "compute");
  C* levels = child(&config, "levels");
  add("levels", levels, "on-chip-memory");  // a single map instead of a list
  if (levels != nullptr && levels->kind == Config::Kind::kList) {
    for (std::size_t i = 0; i < levels->items.size(); ++i) {
      add(fmt::format("levels[{}]", i), &levels->items[i], "on-chip-memory");
    }
  }
  add("main_memory", child(&config, "main_memory"), "off-chip-memory");
  C* network = child(&config, "network");
  add("network.intra_package", child(network, "intra_package"), "links");
  add("network.inter_package", child(network, "inter_package"), "links");
  return components;
}

// Inlines technologies given by name whose path is `wanted`.
template <class Wanted>
void write_out_technologies(Config& config, const TemplateFolders& folders, const Wanted& wanted) {
  const auto write_out = [&](const std::string& path, Config* named, std::string_view kind) {
    if (named != nullptr && named->kind == Config::Kind::kScalar && wanted(path)) {
      *named = tech::written_out(*named, kind, folders.technologies);
    }
  };
  write_out("scaling", child(&config, "scaling"), "scaling");
  write_out("package", child(&config, "package"), "packages");
  for (const auto& component : components_of(config)) {
    write_out(
        component.path + ".technology", child(component.config, "technology"), component.kind);
  }
}

void check_sums(const Config& config) {
  for (const char* share : {"area", "power", "perimeter"}) {
    double sum = 0.0;
    for (const auto& component : components_of(config)) {
      const Config* written = component.config->find(share);
      if (written == nullptr) {
        continue;
      }
      sum += read_number(*written);
      if (sum > kMaxShareSum) {
        reject(*written,
               fmt::format(
                   "brings the shares of {} to {:.4g} (expected at most 1 in total)", share, sum));
      }
    }
  }
}

// The same rules as for the levels of a device, and names that differ from other components.
void check_level_names(const WrittenTemplate& written, const Config& config) {
  std::vector<Level> levels;
  for (const WrittenLevel& level : written.levels) {
    levels.push_back({.name = level.name, .scope = level.scope});
  }
  check_levels(levels, config);
  std::set<std::string> names{"core", "main_memory", "intra_package", "inter_package", kEngineName};
  for (std::size_t i = 0; i < written.levels.size(); ++i) {
    if (!names.insert(written.levels[i].name).second) {
      const Config& list = *config.find("levels");
      const Config& level = list.kind == Config::Kind::kList ? list.items[i] : list;
      reject(*level.find("name"), "is the name of another component (expected a unique name)");
    }
  }
}

void check_precision(const std::string& precision, const Config& technology) {
  const auto known = enum_names<Precision>();
  if (std::ranges::find(known, precision) == known.end()) {
    const Config* written =
        technology.kind == Config::Kind::kMap ? technology.find("precision") : nullptr;
    reject(written == nullptr ? technology : *written,
           fmt::format("computes in {}, which is not a known precision ({})",
                       in_quotes(precision),
                       suggestion(precision, known)));
  }
}

std::string nodes_text(const tech::ScalingLaw& law) {
  std::string text;
  for (const tech::LogicNode& node : law.nodes) {
    text += (text.empty() ? "" : ", ") + to_text(node.node);
  }
  return text;
}

// Scaling steps to the node of the template; throws ConfigError at `node`.
int steps_to(const tech::ScalingLaw& law, Metres from, const Config& node) {
  const auto to = read_config<Metres>(node);
  const std::optional<int> steps = tech::steps_between(law, from, to);
  if (!steps) {
    reject(node,
           fmt::format("cannot be reached from {} (nodes of the scaling law: {})",
                       to_text(from),
                       nodes_text(law)));
  }
  return *steps;
}

void scale(Template& design, const tech::ScalingLaw& law, const Config& node) {
  const auto to = read_config<Metres>(node);
  const int steps = steps_to(law, design.core.unit.node, node);
  design.core.unit = tech::scaled(design.core.unit, law, to);
  for (LevelTemplate& level : design.levels) {
    steps_to(law, level.memory.node, node);
    level.memory = tech::scaled(level.memory, law, to);
  }
  design.main_memory.memory = tech::scaled(design.main_memory.memory, law, steps);
}

std::optional<NetworkTemplate> read_network(const std::optional<WrittenNetwork>& written,
                                            const Folders& library) {
  if (!written) {
    return std::nullopt;
  }
  tech::Link link = tech::read_link(written->technology, library);
  return NetworkTemplate{.link = std::move(link),
                         .topology = written->topology,
                         .shares = {written->area, written->power, written->perimeter}};
}

Config default_law(const Config& config) {
  return {.kind = Config::Kind::kScalar,
          .where = {config.where.file, config.where.line, "scaling"},
          .text = "crossflow",
          .keys = {},
          .items = {}};
}

}  // namespace

Template read_template(const Config& config, const TemplateFolders& folders) {
  const auto written = read_config<WrittenTemplate>(config);
  check_sums(config);
  check_level_names(written, config);
  const Folders& library = folders.technologies;
  const WrittenMainMemory& memory = written.main_memory;
  // Member by member: GCC 12 destroys members twice if an initializer of a braced list throws.
  Template design;
  design.name = written.name;
  design.description = written.description;
  design.source = written.source;
  design.chip_area = written.chip_area;
  design.package_area = written.package_area;
  design.power = written.power;
  design.core.unit = tech::read_compute_unit(written.core.technology, library);
  check_precision(design.core.unit.precision, written.core.technology);
  design.core.mcus_per_bundle = written.core.mcus_per_bundle;
  design.core.dataflow = written.core.dataflow;
  design.core.shares = {.area = written.core.area, .power = written.core.power};
  design.main_memory.memory = tech::read_off_chip_memory(memory.technology, library);
  design.main_memory.shares = {memory.area, memory.power, memory.perimeter};
  design.intra_package = read_network(written.network.intra_package, library);
  design.inter_package = read_network(written.network.inter_package, library);
  design.fabric = written.fabric;
  for (const WrittenLevel& level : written.levels) {
    tech::OnChipMemory technology = tech::read_on_chip_memory(level.technology, library);
    design.levels.push_back({.name = level.name,
                             .memory = std::move(technology),
                             .scope = level.scope,
                             .shares = {.area = level.area, .power = level.power}});
  }
  if (written.package.kind != Config::Kind::kNull) {
    design.package = tech::read_package(written.package, library);
  }
  const bool named = written.scaling.kind != Config::Kind::kNull;
  if (written.node || named) {
    const tech::ScalingLaw law =
        tech::read_scaling_law(named ? written.scaling : default_law(config), library);
    if (written.node) {
      scale(design, law, *config.find("node"));
    }
  }
  return design;
}

void set_value_of_template(Config& config,
                           const std::string& assignment,
                           const TemplateFolders& folders,
                           const std::string& called) {
  write_out_technologies(
      config, folders, [&](const std::string& path) { return assignment.starts_with(path + "."); });
  set_value_within(config, called, assignment);
}

Config with_technologies(Config config, const TemplateFolders& folders) {
  write_out_technologies(config, folders, [](const std::string&) { return true; });
  return config;
}

std::string template_reference() {
  const auto reference = []<class T>(const T*) { return ConfigReader<T>::schema().reference(); };
  return reference(static_cast<const WrittenTemplate*>(nullptr)) + "\n" +
         reference(static_cast<const WrittenCore*>(nullptr)) + "\n" +
         reference(static_cast<const WrittenLevel*>(nullptr)) + "\n" +
         reference(static_cast<const WrittenMainMemory*>(nullptr)) + "\n" +
         reference(static_cast<const WrittenNetworks*>(nullptr)) + "\n" +
         reference(static_cast<const WrittenNetwork*>(nullptr)) + "\n" +
         reference(static_cast<const FabricInterface*>(nullptr)) + "\n" +
         reference(static_cast<const CollectivesEngine*>(nullptr)) + "\n" +
         reference(static_cast<const EnginePart*>(nullptr));
}

}  // namespace cairn::chip
