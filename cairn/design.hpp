// A design: everything that is evaluated. Which model is trained, on which devices, joined how,
// spread how, with what done about memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "cairn/base/bounded_cache.hpp"
#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/read_device.hpp"
#include "cairn/lower/machine.hpp"
#include "cairn/memory/dispatch.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/model/training.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/topology.hpp"

namespace cairn {

// Where the bandwidth of links that leave devices comes from.
enum class Links : std::uint8_t {
  kGiven,  // the platform says it, whatever the device
  kChip,   // what a generated chip's shares make of it
};

template <>
struct EnumNames<Links> {
  static constexpr std::array<EnumName<Links>, 2> kNames{
      {{Links::kGiven, "given"}, {Links::kChip, "chip"}}};
};

struct Design {
  std::string name{};
  model::ModelSource model{};
  model::Training training{};
  chip::Device device{};
  platform::Platform platform{};
  plan::Strategy strategy{};
  memory::Policy memory{};
  memory::Dispatch kernels{};  // with the order of steps and exchanges
  lower::MachineOptions machine{};

  [[nodiscard]] bool in_background() const { return training.tables == model::Tables::kBackground; }

  // That train: those that the strategy says, or all of the platform.
  [[nodiscard]] std::uint32_t devices() const {
    return strategy.devices == 0 ? platform.device_count() : strategy.devices;
  }

  [[nodiscard]] lower::MachineOptions machine_options() const;

  // What of a device kernels have, beside the endpoint of its collectives and the background.
  [[nodiscard]] chip::Device for_kernels() const;
  // What those in the background have.
  [[nodiscard]] chip::Device for_background() const;
};

// Where names of models, devices and platforms are looked up.
struct DataFolders {
  Folders models{};
  chip::DeviceFolders devices{};
  Folders platforms{};
  Folders endpoints{};

  [[nodiscard]] platform::SearchPath platform_presets() const;

  // models/, platforms/, endpoints/ and those of devices in each of these.
  static DataFolders in(const Folders& roots);
};

// Reads designs; parts that many of them share are read once. Any number of threads may ask.
class DesignReader {
 public:
  explicit DesignReader(DataFolders folders) : folders_(std::move(folders)) {}

  // A map with the keys `model`, `device`, `platform` (names, files or maps), and optionally
  // `training`, `strategy`, `memory`, `kernels`, `steps`, `collectives`, `endpoint`, `placement`,
  // `contention`, `links`, `name`, `description`. Infeasible if its device is a chip that cannot be
  // made, or lacks the links that it is to have. Throws ConfigError.
  Feasible<Design> read(const Config& config);

  [[nodiscard]] const DataFolders& folders() const { return folders_; }

 private:
  // As it is written; whether keys without effect are mistakes shows in what is said of it.
  struct Written {
    Config config{};

    bool operator==(const Written& other) const {
      return config.may_be_unused == other.config.may_be_unused &&
             same_content(config, other.config);
    }
  };

  DataFolders folders_;
  BoundedCache<Written, const Feasible<chip::Device>, 32> devices_{};
  BoundedCache<Written, const platform::Platform, 32> platforms_{};
  BoundedCache<Written, const model::ModelSource, 32> models_{};
};

Feasible<Design> read_design(const Config& config, const DataFolders& folders);

// The reference of all keys, for --help and the documentation.
std::string design_reference();

}  // namespace cairn
