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
  // Of training steps.
  double compute_scale = 1.0;
  bool fp32_gradients = false;
  Bytes bucket{0.0};
  Bytes chunk{65536.0};
  Seconds start{0.0};
  double link_efficiency = 0.94;
  memory::ExchangeOrder order = memory::ExchangeOrder::kLastIn;
  model::Optimizer optimizer = model::Optimizer::kFree;
  // Of the workload with tables.
  double lookups = 20.0;                   // rows of each, of a sample
  BytesPerSecond background_memory{80e9};  // where they are in the background
  // Of the sweep over the engine's size.
  Bytes engine_payload{32e6};
  std::vector<Seconds> engine_latency{};  // by dimension
  chip::EngineSplit engine_split = chip::EngineSplit::kTime;
};

const Schema<AceAssumptions>& schema_of(const AceAssumptions*);

// Those that the table and the sweeps of endpoints depend on ...
struct EndpointInputs {
  Bytes payload{};
  std::uint32_t chunks = 0;
  bool latency = false;
  comm::Accounting accounting{};

  bool operator==(const EndpointInputs&) const = default;
};

// ... and the sweep over the engine's size.
struct EngineInputs {
  Bytes payload{};
  std::vector<Seconds> latency{};  // by dimension
  chip::EngineSplit split{};
  comm::Accounting accounting{};

  bool operator==(const EngineInputs&) const = default;
};

// What is measured together.
struct Motivation {
  Config device{};
  Config platform{};
  std::vector<Bytes> payloads{};
  std::vector<std::uint32_t> sms{};
  std::vector<double> gemm{};
  std::vector<double> look_up{};
  double row_width = 128.0;
};

const Schema<Motivation>& schema_of(const Motivation*);

// The sweep over the engine's memory and state machines.
struct AceEngineSweep {
  std::vector<Dims> sizes{};
  std::vector<Bytes> sram{};
  std::vector<std::uint32_t> fsms{};
  Bytes published_sram{};
  std::uint32_t published_fsms = 0;
};

const Schema<AceEngineSweep>& schema_of(const AceEngineSweep*);

// Tables in the background.
struct AceLoop {
  std::string workload{};
  // Of the sweep over what it depends on.
  Dims sweep_size{};
  std::vector<std::string> configurations{};
  std::vector<double> lookups{};
  std::vector<BytesPerSecond> memory{};
};

const Schema<AceLoop>& schema_of(const AceLoop*);

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
  AceEngineSweep engine{};
  Config configurations{};
  Config workloads{};
  std::uint32_t steps = 2;
  AceLoop loop{};
  Motivation motivation{};
  SquareMetres chip_area{};
  Config claims{};
};

const Schema<AceFile>& schema_of(const AceFile*);

// Tables and sweeps of endpoints, with their findings.
void study_endpoints(const AceFile& file,
                     const EndpointInputs& inputs,
                     const chip::Device& device,
                     const Tick& tick,
                     StudyResult& result);

void study_motivation(const Motivation& asked,
                      const DataFolders& folders,
                      const Tick& tick,
                      StudyResult& result);

class AceRunner;

// Training steps, with their findings.
void study_steps(const AceFile& file,
                 const AceAssumptions& assumptions,
                 const AceRunner& runner,
                 StudyResult& result);

// DLRM's loop with tables in the background, after its steps in turn.
void study_loop(const AceFile& file,
                const AceAssumptions& assumptions,
                const chip::Device& device,
                const AceRunner& runner,
                StudyResult& result);

// NPUs of a torus.
std::uint32_t count(const Dims& dims);

// The engine's size, with its findings.
void study_engine(const AceFile& file,
                  const EngineInputs& inputs,
                  const chip::Device& device,
                  const Tick& tick,
                  StudyResult& result);

// After claims are judged.
void add_figures(const AceFile& file, StudyResult& result);

StudyResult run_ace(const Config& config, const DataFolders& folders, const Tick& tick);

std::vector<ClaimRange> range_ace(const Config& config,
                                  const DataFolders& folders,
                                  const Tick& tick);

}  // namespace cairn::study
