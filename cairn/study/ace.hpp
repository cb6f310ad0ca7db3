// ACE (Rashidi et al., ISCA 2021): what communication costs the endpoint, and the engine that takes
// it over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

using Dims = std::vector<std::uint32_t>;

// What the paper leaves unsaid.
struct AceAssumptions {
  Bytes payload{1e9};
  std::uint32_t chunks = 1024;
  bool latency = false;
  comm::Accounting accounting = comm::Accounting::kPaper;
};

const Schema<AceAssumptions>& schema_of(const AceAssumptions*);

// The study as it is written.
struct AceFile {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  Config device{};
  Config platform{};  // without its dimensions
  std::vector<Dims> sizes{};
  std::vector<Dims> sweep_sizes{};
  std::vector<BytesPerSecond> memory{};
  std::vector<std::uint32_t> sms{};
  Config configurations{};
  Config claims{};
};

const Schema<AceFile>& schema_of(const AceFile*);

// Tables and sweeps of endpoints, with their findings.
void study_endpoints(const AceFile& file,
                     const AceAssumptions& assumptions,
                     const chip::Device& device,
                     const Tick& tick,
                     StudyResult& result);

StudyResult run_ace(const Config& config, const DataFolders& folders, const Tick& tick);

std::vector<ClaimRange> range_ace(const Config& config,
                                  const DataFolders& folders,
                                  const Tick& tick);

}  // namespace cairn::study
