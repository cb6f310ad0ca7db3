// Which logic nodes, memories and networks a study of technology compares, from its file and the
// technology library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/study/deepflow.hpp"

namespace cairn::study {

// What is not given is that of the technology.
struct MemoryChoice {
  std::string name{};
  Config technology{};
  std::uint32_t stacks = 4;
  std::optional<BytesPerSecond> bandwidth{};
  std::optional<Bytes> capacity{};
};

const Schema<MemoryChoice>& schema_of(const MemoryChoice*);

struct NetworkChoice {
  std::string name{};
  Config technology{};
  std::optional<BytesPerSecond> bandwidth{};
};

const Schema<NetworkChoice>& schema_of(const NetworkChoice*);

struct TechnologyFile : DeepFlowFile {
  std::uint32_t devices = 512;
  std::vector<Metres> nodes{};
  std::vector<MemoryChoice> memories{};
  std::vector<NetworkChoice> networks{};
};

const Schema<TechnologyFile>& schema_of(const TechnologyFile*);

// Bandwidths and capacities are filled in. Throws ConfigError: also where there is nothing to
// compare.
TechnologyFile read_technology_file(const Config& config, const DataFolders& folders);

}  // namespace cairn::study
