// Which logic nodes, memories and networks a study of technology compares, from its file and the
// technology library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/study/deepflow.hpp"

namespace cairn::study {

struct Memory {  // of a device
  std::string name{};
  BytesPerSecond bandwidth{};
  Bytes capacity{};
};

struct Network {
  std::string name{};
  BytesPerSecond bandwidth{};  // of a device, each way
};

struct TechnologyFile : DeepFlowFile {
  std::uint32_t devices = 0;
  std::vector<Metres> nodes{};
  std::vector<Memory> memories{};
  std::vector<Network> networks{};
};

// Throws ConfigError: also where there is nothing to compare.
TechnologyFile read_technology_file(const Config& config, const DataFolders& folders);

}  // namespace cairn::study
