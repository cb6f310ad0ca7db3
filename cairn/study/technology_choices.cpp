#include "cairn/study/technology_choices.hpp"

#include <optional>

#include "cairn/tech/library.hpp"

namespace cairn::study {

namespace {

// What is not given is that of the technology.
struct MemoryChoice {
  std::string name{};
  Config technology{};
  std::uint32_t stacks = 4;
  std::optional<BytesPerSecond> bandwidth{};
  std::optional<Bytes> capacity{};
};

const Schema<MemoryChoice>& schema_of(const MemoryChoice*) {
  static const auto kSchema =
      Schema<MemoryChoice>("memory", "a technology of main memory")
          .required("name", &MemoryChoice::name, "what results call it", "hbm2")
          .required(
              "technology", &MemoryChoice::technology, "of its stacks: a name or a map", "hbm2")
          .optional("stacks", &MemoryChoice::stacks, "of a device")
          .at_least(1)
          .optional("bandwidth", &MemoryChoice::bandwidth, "of a device, instead of its stacks'")
          .positive()
          .optional("capacity", &MemoryChoice::capacity, "of a device, instead of its stacks'")
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
          .required("name", &NetworkChoice::name, "what results call it", "ndr")
          .required("technology",
                    &NetworkChoice::technology,
                    "of a device's link: a name or a map",
                    "infiniband-ndr-x8")
          .optional("bandwidth", &NetworkChoice::bandwidth, "each way, instead of the link's rate")
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
          .required("devices", &WrittenFile::devices, "that train together", "512")
          .at_least(2)
          .at_most(65536)
          .required("nodes", &WrittenFile::nodes, "of logic, from the oldest", "[12 nm, 7 nm]")
          .positive()
          .required("memories", &WrittenFile::memories, "from the slowest", "[{...}]")
          .required("networks", &WrittenFile::networks, "from the slowest", "[{...}]");
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
