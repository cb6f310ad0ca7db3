#include "cairn/tech/library.hpp"

#include <algorithm>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::tech {

namespace {

template <class Component>
const Schema<Component>& schema() {
  return ConfigReader<Component>::schema();
}

template <class Component>
std::string reference() {
  std::string text = schema<Component>().reference();
  if constexpr (requires(Component component) { component.voltage.threshold; }) {
    text += "\n" + schema<Supply>().reference();
  }
  return text;
}

const Kind& kind_of(std::string_view folder) {
  const auto* const found = std::ranges::find(kinds(), folder, &Kind::folder);
  ensure(found != kinds().end(), "an unknown kind of technology");
  return *found;
}

// Checks the voltages too, if the component has any.
template <class Component>
Component read(const Config& config, std::string_view kind, const Folders& library) {
  const Config map = written_out(config, kind, library);
  auto component = read_config<Component>(map);
  if constexpr (requires { component.voltage.threshold; }) {
    check(component.voltage, *map.find("voltage"));
  }
  return component;
}

}  // namespace

const std::array<Kind, 6>& kinds() {
  static const std::array<Kind, 6> kKinds{
      {{"compute", "a compute unit", reference<ComputeUnit>},
       {"on-chip-memory", "an on-chip memory", reference<OnChipMemory>},
       {"off-chip-memory", "an off-chip memory", reference<OffChipMemory>},
       {"links", "a link", reference<Link>},
       {"packages", "a package", reference<Package>},
       {"scaling", "a scaling law", reference<ScalingLaw>}}};
  return kKinds;
}

Folders folders_of(std::string_view kind, const Folders& library) {
  Folders folders = library;
  for (std::filesystem::path& folder : folders) {
    folder /= kind_of(kind).folder;
  }
  return folders;
}

Config written_out(const Config& config, std::string_view kind, const Folders& library) {
  if (config.kind == Config::Kind::kMap) {
    return config;
  }
  const std::string what(kind_of(kind).what);
  const std::string& text = scalar_text(config, what + " (a name or a map)");
  return load_named(text, folders_of(kind, library), what, config.where).config;
}

ComputeUnit read_compute_unit(const Config& config, const Folders& library) {
  return read<ComputeUnit>(config, "compute", library);
}

OnChipMemory read_on_chip_memory(const Config& config, const Folders& library) {
  return read<OnChipMemory>(config, "on-chip-memory", library);
}

OffChipMemory read_off_chip_memory(const Config& config, const Folders& library) {
  return read<OffChipMemory>(config, "off-chip-memory", library);
}

Link read_link(const Config& config, const Folders& library) {
  return read<Link>(config, "links", library);
}

Package read_package(const Config& config, const Folders& library) {
  return read<Package>(config, "packages", library);
}

ScalingLaw read_scaling_law(const Config& config, const Folders& library) {
  return read<ScalingLaw>(config, "scaling", library);
}

}  // namespace cairn::tech
