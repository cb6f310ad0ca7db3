#include "cairn/study/technology_choices.hpp"

#include <optional>

#include "cairn/tech/library.hpp"

namespace cairn::study {

namespace {

// Missing values default to those of the technology.
struct MemoryChoice {
  std::string name{};
  Config technology{};
  std::uint32_t stacks = 4;
  std::optional<BytesPerSecond> bandwidth{};
  std::optional<Bytes> capacity{};
};

const Schema<MemoryChoice>& schema_of(const MemoryChoice*) {
  static const auto kSchema =
      Schema<MemoryChoice>("memory", "a main memory technology")
          .required("name", &MemoryChoice::name, "name in results", "hbm2")
          .required("technology",
                    &MemoryChoice::technology,
                    "technology of a stack: a name or a map",
                    "hbm2")
          .optional("stacks", &MemoryChoice::stacks, "stacks per device")
          .at_least(1)
          .optional(
              "bandwidth", &MemoryChoice::bandwidth, "bandwidth per device, overrides the stacks")
          .positive()
          .optional(
              "capacity", &MemoryChoice::capacity, "capacity per device, overrides the stacks")
          .positive();
  return kSchema;
}

struct NetworkChoice {
  std::string name{};
  Config technology{};
  std::optional<BytesPerSecond> bandwidth{};
};

const Schema<NetworkChoice>& schema_of(const NetworkChoice*) {
  static const auto kSchema =
      Schema<NetworkChoice>("network", "a technology of links between devices")
          .required("name", &NetworkChoice::name, "name in results", "ndr")
          .required("technology",
                    &NetworkChoice::technology,
                    "technology of a link: a name or a map",
                    "infiniband-ndr-x8")
          .optional("bandwidth",
                    &NetworkChoice::bandwidth,
                    "bandwidth per direction, overrides the link's rate")
          .positive();
  return kSchema;
}

struct WrittenFile : DeepFlowFile {
  std::uint32_t devices = 512;
  std::vector<Metres> nodes{};
  std::vector<MemoryChoice> memories{};
  std::vector<NetworkChoice> networks{};
};

const Schema<WrittenFile>& schema_of(const WrittenFile*) {
  static const auto kSchema =
      deepflow_schema<WrittenFile>("technologies, assumptions and claims")
          .required("devices", &WrittenFile::devices, "number of devices", "512")
          .at_least(2)
          .at_most(65536)
          .required("nodes", &WrittenFile::nodes, "logic nodes, oldest first", "[12 nm, 7 nm]")
          .positive()
          .required("memories", &WrittenFile::memories, "slowest first", "[{...}]")
          .required("networks", &WrittenFile::networks, "slowest first", "[{...}]");
  return kSchema;
}

}  // namespace

TechnologyFile read_technology_file(const Config& config, const DataFolders& folders) {
  const auto written = read_config<WrittenFile>(config);
  check_filled(config, {"nodes", "memories", "networks"});
  TechnologyFile file{{written}, written.devices, written.nodes, {}, {}};
  const Folders& library = folders.devices.templates.technologies;
  for (const auto& [name, technology, stacks, bandwidth, capacity] : written.memories) {
    const tech::OffChipMemory stack = tech::read_off_chip_memory(technology, library);
    file.memories.push_back({name,
                             bandwidth.value_or(stack.rate * stacks * stack.links),
                             capacity.value_or(stack.capacity * stacks)});
  }
  for (const auto& [name, technology, bandwidth] : written.networks) {
    file.networks.push_back({name, bandwidth.value_or(tech::read_link(technology, library).rate)});
  }
  return file;
}

}  // namespace cairn::study
