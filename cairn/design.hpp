// A design, the input of an evaluation: model, devices, platform, parallelization strategy and
// memory policy.
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
#include "cairn/memory/launch_policy.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/model/training.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/topology.hpp"

namespace cairn {

// Source of the bandwidth of links that leave devices.
enum class Links : std::uint8_t {
  kGiven,  // the platform
  kChip,   // the generated chip's links to other packages
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
  memory::LaunchPolicy launch{};  // includes the order of steps and exchanges
  lower::MachineOptions machine{};
  bool unroll = false;  // simulate each micro-batch and chunk, also where they repeat

  [[nodiscard]] bool in_background() const { return training.tables == model::Tables::kBackground; }

  // Number of devices that train: as given by the strategy, or all of the platform.
  [[nodiscard]] std::uint32_t devices() const {
    return strategy.devices == 0 ? platform.device_count() : strategy.devices;
  }

  [[nodiscard]] lower::MachineOptions machine_options() const;

  // The device as seen by foreground kernels, without the resources of the collective endpoint and
  // of background kernels.
  [[nodiscard]] chip::Device for_kernels() const;
  // The device as seen by background kernels.
  [[nodiscard]] chip::Device for_background() const;
};

// Where names of models, devices and platforms are looked up.
struct DataFolders {
  Folders models{};
  chip::DeviceFolders devices{};
  Folders platforms{};
  Folders endpoints{};

  [[nodiscard]] platform::SearchPath platform_presets() const;

  // models/, platforms/, endpoints/ and the device folders in each root.
  static DataFolders in(const Folders& roots);
};

// Reads designs; shared parts are cached. Thread-safe.
class DesignReader {
 public:
  explicit DesignReader(DataFolders folders) : folders_(std::move(folders)) {}

  // A map with the keys `model`, `device`, `platform` (names, files or maps), and optionally
  // `training`, `strategy`, `memory`, `launch`, `steps`, `collectives`, `endpoint`, `placement`,
  // `contention`, `links`, `name`, `description`. Infeasible if its chip is infeasible or lacks the
  // links that `links: chip` needs. Throws ConfigError.
  Feasible<Design> read(const Config& config);

  [[nodiscard]] const DataFolders& folders() const { return folders_; }

 private:
  // Cache key: the written value. Includes `may_be_unused`, as it decides whether unused keys are
  // errors.
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
