#include "cairn/chip/device.hpp"

namespace cairn::chip {

const Schema<ComputeArray>& schema_of(const ComputeArray*) {
  static const auto kSchema =
      Schema<ComputeArray>("array", "processing elements with MACs and local SRAM")
          .required("pes", &ComputeArray::pes, "processing elements", "1024")
          .at_least(1)
          .required("macs_per_pe", &ComputeArray::macs_per_pe, "MACs of each of them", "125")
          .at_least(1)
          .required("frequency", &ComputeArray::frequency, "of the MACs", "1 GHz")
          .positive()
          .required("sram_per_pe",
                    &ComputeArray::sram_per_pe,
                    "local memory of each, one half of it being filled while the other is used",
                    "32 KiB")
          .positive()
          .optional("utilization",
                    &ComputeArray::utilization,
                    "part of the MACs that works, instead of mapping shapes onto the array")
          .positive()
          .at_most(1);
  return kSchema;
}

const Schema<DeviceMemory>& schema_of(const DeviceMemory*) {
  static const auto kSchema =
      Schema<DeviceMemory>("memory", "on-package memory")
          .required("capacity", &DeviceMemory::capacity, "of one device", "16 GiB")
          .positive()
          .required("bandwidth", &DeviceMemory::bandwidth, "reads and writes together", "900 GB/s")
          .positive()
          .optional("latency", &DeviceMemory::latency, "until the first byte")
          .not_negative();
  return kSchema;
}

const Schema<Device>& schema_of(const Device*) {
  static const auto kSchema =
      Schema<Device>("device", "an accelerator")
          .optional("name", &Device::name, "what results call it")
          .optional("description", &Device::description, "one line")
          .optional("source", &Device::source, "where its figures are from")
          .required("array", &Device::array, "what computes", "{pes: 1024, ...}")
          .required("memory", &Device::memory, "what it works from", "{...}")
          .optional("power", &Device::power, "thermal design power")
          .not_negative();
  return kSchema;
}

Device read_device(const Config& config, const Folders& folders) {
  if (config.kind == Config::Kind::kMap) {
    auto device = read_config<Device>(config);
    if (device.name.empty()) {
      device.name = "device";
    }
    return device;
  }
  return read_device(scalar_text(config, "a device (a text or a map)"), folders, config.where);
}

Device read_device(const std::string& text, const Folders& folders, const Where& where) {
  const NamedFile file = load_named(text, folders, "a device", where);
  auto device = read_config<Device>(file.config);
  if (device.name.empty()) {
    device.name = file.name;
  }
  return device;
}

}  // namespace cairn::chip
