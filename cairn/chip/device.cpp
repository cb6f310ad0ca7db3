#include "cairn/chip/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cairn/base/must_have.hpp"

namespace cairn::chip {

namespace {

constexpr double kFlopsOfMac = 2.0;
constexpr double kLongestSide = 65536.0;

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

MatrixRates::Member MatrixRates::member_of(Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return &MatrixRates::fp64;
    case Precision::kFp32:
      return &MatrixRates::fp32;
    case Precision::kTf32:
      return &MatrixRates::tf32;
    case Precision::kFp16:
      return &MatrixRates::fp16;
    case Precision::kBf16:
      return &MatrixRates::bf16;
    case Precision::kFp8:
      return &MatrixRates::fp8;
    case Precision::kInt8:
      return &MatrixRates::int8;
  }
  throw Bug("a precision without a rate");
}

const Schema<MatrixRates>& schema_of(const MatrixRates*) {
  static const auto kSchema =
      Schema<MatrixRates>("matrix", "products of one core per cycle, by precision")
          .optional("fp64", &MatrixRates::fp64, "absent: it does not compute in it")
          .positive()
          .optional("fp32", &MatrixRates::fp32, "likewise")
          .positive()
          .optional("tf32", &MatrixRates::tf32, "likewise; fp32 in memory")
          .positive()
          .optional("fp16", &MatrixRates::fp16, "likewise")
          .positive()
          .optional("bf16", &MatrixRates::bf16, "likewise")
          .positive()
          .optional("fp8", &MatrixRates::fp8, "likewise")
          .positive()
          .optional("int8", &MatrixRates::int8, "likewise")
          .positive();
  return kSchema;
}

const Schema<Cores>& schema_of(const Cores*) {
  static const auto kSchema =
      Schema<Cores>("cores", "what computes")
          .required("count", &Cores::count, "multiprocessors, processing elements", "108")
          .whole()
          .at_least(1)
          .required("frequency", &Cores::frequency, "of the cores", "1410 MHz")
          .positive()
          .required("matrix",
                    &Cores::matrix,
                    "products of one core per cycle, by precision",
                    "{fp16: 2048 flop}")
          .required("vector",
                    &Cores::vector,
                    "operations on single elements of one core per cycle",
                    "64 flop")
          .positive()
          .optional("units",
                    &Cores::units,
                    "matrix units of a core; without units, rows and columns: one, as wide as deep")
          .whole()
          .at_least(1)
          .optional("rows", &Cores::rows, "of a unit: outputs that it works on at a time, down")
          .whole()
          .at_least(1)
          .optional("columns", &Cores::columns, "and across")
          .whole()
          .at_least(1)
          .optional("dataflow", &Cores::dataflow, "the operand that stays in a unit")
          .optional("utilization", &Cores::utilization, "most of the throughput that kernels reach")
          .positive()
          .at_most(1)
          .optional("sustained",
                    &Cores::sustained,
                    "part of the throughput beyond which power takes the clock down")
          .positive()
          .at_most(1)
          .optional("groups", &Cores::groups, "of cores; a cluster of tiles lies in one")
          .whole()
          .at_least(1)
          .optional("in_flight",
                    &Cores::in_flight,
                    "most that a core has asked of main memory at a time (none: any)")
          .positive()
          .optional("fixed_utilization",
                    &Cores::fixed_utilization,
                    "part of the matrix throughput, instead of mapping shapes onto the units")
          .positive()
          .at_most(1);
  return kSchema;
}

const Schema<Level>& schema_of(const Level*) {
  static const auto kSchema =
      Schema<Level>("level", "a memory on the chip")
          .required("name", &Level::name, "what results call it", "l2")
          .required("scope", &Level::scope, "a matrix unit's, a core's, or the device's", "global")
          .required("capacity", &Level::capacity, "of one unit, core or device", "40 MB")
          .positive()
          .optional("bandwidth", &Level::bandwidth, "of the whole device, whatever the clock")
          .positive()
          .optional("per_cycle", &Level::per_cycle, "instead: bytes of the whole device per cycle")
          .positive()
          .optional("latency", &Level::latency, "until the first byte")
          .not_negative()
          .optional("utilization", &Level::utilization, "most of the bandwidth that kernels reach")
          .positive()
          .at_most(1)
          .used_if([](const Level& level) { return level.bandwidth || level.per_cycle; },
                   "a bandwidth, or per_cycle")
          .optional("keeps", &Level::keeps, "part that still holds what the last kernel used")
          .not_negative()
          .at_most(1)
          .used_if([](const Level& level) { return level.scope == Scope::kGlobal; },
                   "scope: global");
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
          .not_negative()
          .optional("utilization", &DeviceMemory::utilization, "most of it that kernels reach")
          .positive()
          .at_most(1)
          .optional("waiting", &DeviceMemory::waiting, "of a request, at half the bandwidth")
          .not_negative();
  return kSchema;
}

const Schema<UnalignedTiles>& schema_of(const UnalignedTiles*) {
  static const auto kSchema =
      Schema<UnalignedTiles>("unaligned", "kernels for matrices whose rows are not aligned")
          .optional("alignment", &UnalignedTiles::alignment, "of rows, below which these are used")
          .positive()
          .optional("side", &UnalignedTiles::side, "of a tile, which is a square")
          .whole()
          .at_least(1)
          .optional("slice", &UnalignedTiles::slice, "products of a sum that are loaded together")
          .whole()
          .at_least(1)
          .optional("at_once", &UnalignedTiles::at_once, "most tiles that a core works on")
          .whole()
          .at_least(1)
          .required("per_cycle", &UnalignedTiles::per_cycle, "that a core loads", "14 B")
          .positive()
          .optional("windows_per_cycle",
                    &UnalignedTiles::windows_per_cycle,
                    "of a convolution's windows (none: as others)")
          .positive()
          .optional("latency", &UnalignedTiles::latency, "of a slice, if its core had no other")
          .not_negative();
  return kSchema;
}

const Schema<Tiles>& schema_of(const Tiles*) {
  static const auto kSchema =
      Schema<Tiles>("tiles", "how the library's kernels cut their outputs")
          .optional("sides", &Tiles::sides, "of tiles that exist (none: any)")
          .whole()
          .at_least(1)
          .at_most(kLongestSide)
          .optional("accumulators",
                    &Tiles::accumulators,
                    "of a core, in all (none: what its levels hold)")
          .positive()
          .optional("at_once", &Tiles::at_once, "most tiles that a core works on at a time")
          .whole()
          .at_least(1)
          .optional("fill", &Tiles::fill, "of a tile's time in which its core does not compute")
          .not_negative()
          .optional("splits", &Tiles::splits, "most parts that a sum is cut into")
          .whole()
          .at_least(1)
          .optional("join", &Tiles::join, "to add the parts of sums up")
          .not_negative()
          .optional("cluster", &Tiles::cluster, "tiles that begin together, in one group of cores")
          .whole()
          .at_least(1)
          .optional("window_slice",
                    &Tiles::window_slice,
                    "channels of a window's tap that are loaded together (none: any)")
          .whole()
          .at_least(1)
          .optional("unaligned", &Tiles::unaligned, "where rows of matrices are not aligned");
  return kSchema;
}

const Schema<Device>& schema_of(const Device*) {
  static const auto kSchema =
      Schema<Device>("device", "an accelerator")
          .optional("name", &Device::name, "what results call it")
          .optional("description", &Device::description, "one line")
          .optional("source", &Device::source, "where its figures are from")
          .required("cores", &Device::cores, "what computes", "{count: 108, ...}")
          .optional("levels", &Device::levels, "memories on the chip, from the innermost")
          .required("memory", &Device::memory, "what it works from", "{...}")
          .optional("tiles", &Device::tiles, "how kernels cut their outputs")
          .optional("kernels", &Device::kernels, "what the library's kernels take, by operator")
          .optional("launch", &Device::launch, "of a kernel")
          .not_negative()
          .optional("power", &Device::power, "thermal design power")
          .not_negative()
          .optional("area", &Device::area, "of its silicon")
          .optional("host", &Device::host, "copies to and from its host")
          .optional("fabric", &Device::fabric, "where it meets the network")
          .optional("energy", &Device::energy, "what it spends; power over time, if absent")
          .optional("cost", &Device::cost, "what it costs")
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

void check_levels(const std::vector<Level>& levels, const Config& config) {
  const Config* written = config.find("levels");
  const Config& list = written == nullptr ? config : *written;
  if (levels.size() > kMostLevels) {
    reject(list, fmt::format("has {} levels (expected at most {})", levels.size(), kMostLevels));
  }
  std::set<std::string> names{"memory"};
  Scope inner = Scope::kMcu;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    const Config& place = list.kind == Config::Kind::kList ? list.items[i] : list;
    if (!names.insert(level.name).second) {
      reject(place, fmt::format("is called {}, as something else is too", in_quotes(level.name)));
    }
    if (level.name.empty() || level.name.size() > kLongestLevelName) {
      reject(place,
             fmt::format("is called {} (expected at most {} letters)",
                         in_quotes(level.name),
                         kLongestLevelName));
    }
    if (level.bandwidth && level.per_cycle) {
      reject(place, "has both bandwidth and per_cycle (expected one of them)");
    }
    if (level.scope < inner) {
      reject(
          place,
          fmt::format("is of scope {}, outside a level of scope {} (expected the innermost first)",
                      enum_name(level.scope),
                      enum_name(inner)));
    }
    inner = level.scope;
  }
}

namespace {

// Each operator's at most once.
void check_kernels(const Device& device, const Config& config) {
  std::set<LibraryOperator> known;
  for (std::size_t i = 0; i < device.kernels.size(); ++i) {
    if (!known.insert(device.kernels[i].op).second) {
      const Config& list = *config.find("kernels");
      reject(*list.items[i].find("operator"), "is described twice");
    }
  }
}

// The most that a core computes in a cycle, in any precision.
double most_macs_per_cycle(const Device& device) {
  double most = 0.0;
  for (const auto& [precision, name] : EnumNames<Precision>::kNames) {
    if (device.computes(precision)) {
      most = std::max(most, device.macs_per_cycle_and_core(precision));
    }
  }
  return most;
}

// Data sheets do not give the shape of matrix units: rows = columns = the power of two below the
// cube root of the MACs of a cycle, so that even narrow products fill most of a unit.
void shape_units(Device& device, const Config& cores) {
  for (const char* key : {"units", "rows", "columns"}) {
    if (cores.find(key) != nullptr) {
      return;
    }
  }
  const double side = std::exp2(std::floor(std::log2(most_macs_per_cycle(device)) / 3.0));
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
           fmt::format("has {} energies of levels (expected one for each of {})",
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

std::optional<Infeasible> lacks(const Device& device, Precision precision) {
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
  // Powers of two, and these times 5 and 25, which suit 125 MACs.
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
