#include "cairn/chip/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cairn/base/must_have.hpp"

namespace cairn::chip {

namespace {

constexpr double kFlopsOfMac = 2.0;

std::string precisions_of(const Device& device) {
  std::string text;
  for (const auto& [precision, name] : EnumNames<Precision>::kNames) {
    if (device.computes(precision)) {
      text += (text.empty() ? "" : ", ") + std::string(name);
    }
  }
  return text;
}

}  // namespace

const Schema<DeviceMemory>& schema_of(const DeviceMemory*) {
  static const auto kSchema =
      Schema<DeviceMemory>("memory", "main memory, on the package")
          .required("capacity", &DeviceMemory::capacity, "capacity of one device", "16 GiB")
          .positive()
          .required("bandwidth", &DeviceMemory::bandwidth, "reads and writes together", "900 GB/s")
          .positive()
          .optional("latency", &DeviceMemory::latency, "time to the first byte")
          .not_negative()
          .optional("utilization",
                    &DeviceMemory::utilization,
                    "maximum fraction of the bandwidth that kernels reach")
          .positive()
          .at_most(1)
          .optional("waiting",
                    &DeviceMemory::waiting,
                    "queueing delay of a request at half the bandwidth")
          .not_negative();
  return kSchema;
}

const Schema<Device>& schema_of(const Device*) {
  static const auto kSchema =
      Schema<Device>("device", "an accelerator")
          .optional("name", &Device::name, "name in results")
          .optional("description", &Device::description, "one line")
          .optional("source", &Device::source, "source of the figures")
          .required("cores", &Device::cores, "compute cores", "{count: 108, ...}")
          .optional("levels", &Device::levels, "on-chip memories, innermost first")
          .required("memory", &Device::memory, "main memory", "{...}")
          .optional("tiles", &Device::tiles, "how the kernel library tiles outputs")
          .optional("kernels", &Device::kernels, "overhead of the library's kernels, by operator")
          .optional("launch", &Device::launch, "kernel launch overhead")
          .not_negative()
          .optional("power", &Device::power, "thermal design power")
          .not_negative()
          .optional("area", &Device::area, "silicon area")
          .optional("host", &Device::host, "copies to and from the host")
          .optional("fabric", &Device::fabric, "interface to the network")
          .optional("energy", &Device::energy, "energy figures (absent: power times time)")
          .optional("cost", &Device::cost, "cost in dollars")
          .optional("calibration", &Device::calibration, "how it was fitted to measurements");
  return kSchema;
}

double Device::macs_per_cycle_and_core(Precision precision) const {
  const std::optional<Flops> rate = cores.matrix.of(precision);
  return must_have(rate, "a precision that the device computes in").si() / kFlopsOfMac;
}

double Device::macs_per_second(Precision precision) const {
  return cores.count * macs_per_cycle_and_core(precision) * cores.frequency.si();
}

LibraryKernel Device::library_kernel(std::optional<LibraryOperator> op) const {
  const auto known = [&](std::optional<LibraryOperator> wanted) {
    return std::ranges::find_if(kernels,
                                [&](const LibraryKernel& kernel) { return wanted == kernel.op; });
  };
  auto found = known(op);
  if (found == kernels.end() && op) {
    found = known(forward_of(*op));
  }
  return found == kernels.end() ? LibraryKernel{} : *found;
}

std::optional<BytesPerSecond> Device::bandwidth_of(const Level& level) const {
  if (level.bandwidth) {
    return *level.bandwidth * level.utilization;
  }
  if (level.per_cycle) {
    return *level.per_cycle * cores.frequency * level.utilization;
  }
  return std::nullopt;
}

bool same_for_kernels(const Device& one, const Device& other) {
  return one.cores == other.cores && one.levels == other.levels && one.memory == other.memory &&
         one.tiles == other.tiles && one.kernels == other.kernels && one.launch == other.launch;
}

Bytes Device::capacity_of_core() const {
  Bytes capacity(0.0);
  for (const Level& level : levels) {
    if (level.scope == Scope::kMcu) {
      capacity += level.capacity * cores.units;
    } else if (level.scope == Scope::kBundle) {
      capacity += level.capacity;
    }
  }
  return capacity;
}

namespace {

// At most one entry per operator.
void check_kernels(const Device& device, const Config& config) {
  std::set<LibraryOperator> known;
  for (std::size_t i = 0; i < device.kernels.size(); ++i) {
    if (!known.insert(device.kernels[i].op).second) {
      const Config& list = *config.find("kernels");
      reject(*list.items[i].find("operator"),
             "is described twice (expected one entry per operator)");
    }
  }
}

// MACs of a core per cycle in its fastest precision.
double peak_macs_per_cycle(const Device& device) {
  double peak = 0.0;
  for (const auto& [precision, name] : EnumNames<Precision>::kNames) {
    if (device.computes(precision)) {
      peak = std::max(peak, device.macs_per_cycle_and_core(precision));
    }
  }
  return peak;
}

// Data sheets do not give the shape of matrix units: rows = columns = the power of two below the
// cube root of the MACs per cycle, so that even narrow GEMMs fill most of a unit.
void shape_units(Device& device, const Config& cores) {
  for (const char* key : {"units", "rows", "columns"}) {
    if (cores.find(key) != nullptr) {
      return;
    }
  }
  const double side = std::exp2(std::floor(std::log2(peak_macs_per_cycle(device)) / 3.0));
  device.cores.rows = device.cores.columns = std::max(1.0, side);
}

}  // namespace

Device device_of(const Config& config) {
  auto device = read_config<Device>(config);
  check_levels(device.levels, config);
  check_kernels(device, config);
  if (device.energy && device.energy->levels.size() != device.levels.size()) {
    const Config& energy = *config.find("energy");
    const Config* written = energy.find("levels");
    reject(written == nullptr ? energy : *written,
           fmt::format("has {} level energies (expected {}, one per level)",
                       device.energy->levels.size(),
                       device.levels.size()));
  }
  if (precisions_of(device).empty()) {
    reject(*config.find("cores")->find("matrix"),
           "has no precision (expected e.g. \"{fp16: 2048 flop}\")");
  }
  shape_units(device, *config.find("cores"));
  return device;
}

std::optional<Infeasible> check_precision(const Device& device, Precision precision) {
  if (device.computes(precision)) {
    return std::nullopt;
  }
  return Infeasible{Lack::kPrecision,
                    fmt::format("{} does not compute in {}, only in {}",
                                device.name,
                                enum_name(precision),
                                precisions_of(device))};
}

Device pe_array(double pes, double macs_per_pe, Hertz frequency, Bytes sram_per_pe) {
  const Flops rate(kFlopsOfMac * macs_per_pe);
  Device device;
  device.cores = {.count = pes,
                  .frequency = frequency,
                  .units = macs_per_pe,
                  .matrix = {.fp32 = rate, .fp16 = rate, .bf16 = rate},
                  .vector = Flops(macs_per_pe),
                  .dataflow = Dataflow::kOutputStationary};
  device.levels = {{.name = "sram", .scope = Scope::kBundle, .capacity = sram_per_pe}};
  // Powers of two, also times 5 and 25, to suit 125 MACs.
  device.tiles.sides = {1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 96, 100, 125, 128};
  return device;
}

std::string device_reference() {
  const auto reference = []<class T>(const T* tag) { return schema_of(tag).reference(); };
  return reference(static_cast<const Device*>(nullptr)) + "\n" +
         reference(static_cast<const Cores*>(nullptr)) + "\n" +
         reference(static_cast<const MatrixRates*>(nullptr)) + "\n" +
         reference(static_cast<const Level*>(nullptr)) + "\n" +
         reference(static_cast<const DeviceMemory*>(nullptr)) + "\n" +
         reference(static_cast<const Tiles*>(nullptr)) + "\n" +
         reference(static_cast<const UnalignedTiles*>(nullptr)) + "\n" +
         reference(static_cast<const LibraryKernel*>(nullptr)) + "\n" +
         reference(static_cast<const HostCopies*>(nullptr)) + "\n" +
         reference(static_cast<const FabricInterface*>(nullptr)) + "\n" +
         reference(static_cast<const CollectivesEngine*>(nullptr)) + "\n" +
         reference(static_cast<const EnginePart*>(nullptr)) + "\n" +
         reference(static_cast<const EnergyFigures*>(nullptr)) + "\n" +
         reference(static_cast<const Cost*>(nullptr)) + "\n" +
         reference(static_cast<const CostItem*>(nullptr));
}

}  // namespace cairn::chip
