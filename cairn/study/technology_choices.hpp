// The logic nodes, memories and networks that a technology study compares, from its file and the
// technology library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/study/deepflow.hpp"

namespace cairn::study {

struct Memory {  // per device
  std::string name{};
  BytesPerSecond bandwidth{};
  Bytes capacity{};
};

struct Network {
  std::string name{};
  BytesPerSecond bandwidth{};  // per device and direction
};

struct TechnologyFile : DeepFlowFile {
  std::uint32_t devices = 0;
  std::vector<Metres> nodes{};
  std::vector<Memory> memories{};
  std::vector<Network> networks{};
};

// Throws ConfigError, also for empty lists.
TechnologyFile read_technology_file(const Config& config, const DataFolders& folders);

}  // namespace cairn::study
