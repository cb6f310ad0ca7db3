#include "cairn/study/technology_choices.hpp"

#include "cairn/tech/library.hpp"

namespace cairn::study {

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

const Schema<TechnologyFile>& schema_of(const TechnologyFile*) {
  static const auto kSchema =
      deepflow_schema<TechnologyFile>("technologies, assumptions and claims")
          .required("devices", &TechnologyFile::devices, "that train together", "512")
          .at_least(2)
          .at_most(65536)
          .required("nodes", &TechnologyFile::nodes, "of logic, from the oldest", "[12 nm, 7 nm]")
          .positive()
          .required("memories", &TechnologyFile::memories, "from the slowest", "[{...}]")
          .required("networks", &TechnologyFile::networks, "from the slowest", "[{...}]");
  return kSchema;
}

TechnologyFile read_technology_file(const Config& config, const DataFolders& folders) {
  auto file = read_config<TechnologyFile>(config);
  check_filled(config, {"nodes", "memories", "networks"});
  const Folders& library = folders.devices.templates.technologies;
  for (MemoryChoice& memory : file.memories) {
    const tech::OffChipMemory stack = tech::read_off_chip_memory(memory.technology, library);
    memory.bandwidth = memory.bandwidth.value_or(stack.rate * memory.stacks * stack.links);
    memory.capacity = memory.capacity.value_or(stack.capacity * memory.stacks);
  }
  for (NetworkChoice& network : file.networks) {
    network.bandwidth =
        network.bandwidth.value_or(tech::read_link(network.technology, library).rate);
  }
  return file;
}

}  // namespace cairn::study
