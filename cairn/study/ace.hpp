// ACE (Rashidi et al., ISCA 2021): the cost of communication at the endpoint, and the engine that
// offloads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/study/study_file.hpp"

namespace cairn::study {

using Dims = std::vector<std::uint32_t>;

// Choices that the paper leaves open.
struct AceAssumptions {
  Bytes payload{1e9};
  std::uint32_t chunks = 1024;
  bool latency = false;
  comm::Accounting accounting = comm::Accounting::kPaper;
  // Training steps.
  double compute_scale = 1.0;
  bool fp32_gradients = false;
  Bytes bucket{0.0};
  Bytes chunk{65536.0};
  Seconds start{0.0};
  double link_efficiency = 0.94;
  memory::ExchangeOrder order = memory::ExchangeOrder::kLastIn;
  model::Optimizer optimizer = model::Optimizer::kFree;
  // The workload with embedding tables.
  double lookups = 20.0;                   // rows per table and sample
  BytesPerSecond background_memory{80e9};  // bandwidth of background lookups and updates
  // The sweep over the engine's size.
  Bytes engine_payload{32e6};
  std::vector<Seconds> engine_latency{};  // by dimension
  chip::EngineSplit engine_split = chip::EngineSplit::kTime;
};

const Schema<AceAssumptions>& schema_of(const AceAssumptions*);

// Inputs of the table and the sweeps of endpoints; equal inputs give equal results.
struct EndpointInputs {
  Bytes payload{};
  std::uint32_t chunks = 0;
  bool latency = false;
  comm::Accounting accounting{};

  bool operator==(const EndpointInputs&) const = default;
};

// Inputs of the sweep over the engine's size.
struct EngineInputs {
  Bytes payload{};
  std::vector<Seconds> latency{};  // by dimension
  chip::EngineSplit split{};
  comm::Accounting accounting{};

  bool operator==(const EngineInputs&) const = default;
};

// An all-reduce beside kernels on one GPU.
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

// Embedding tables looked up and updated in the background.
struct AceLoop {
  std::string workload{};
  // The sweep over lookups and background bandwidth.
  Dims sweep_size{};
  std::vector<std::string> configurations{};
  std::vector<double> lookups{};
  std::vector<BytesPerSecond> memory{};
};

const Schema<AceLoop>& schema_of(const AceLoop*);

// The study's file.
struct AceFile : StudyKeys {
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
};

const Schema<AceFile>& schema_of(const AceFile*);

// Tables and sweeps of endpoints, and their findings.
StudyResult study_endpoints(const AceFile& file,
                            const EndpointInputs& inputs,
                            const chip::Device& device,
                            const Tick& tick);

StudyResult study_motivation(const Motivation& asked, const DataFolders& folders, const Tick& tick);

class AceRunner;

// Training steps, and their findings.
void study_steps(const AceFile& file,
                 const AceAssumptions& assumptions,
                 const AceRunner& runner,
                 StudyResult& result);

// DLRM's loop with tables in the background. Needs the findings of study_steps.
void study_loop(const AceFile& file,
                const AceAssumptions& assumptions,
                const chip::Device& device,
                const AceRunner& runner,
                StudyResult& result);

// NPUs of a torus.
std::uint32_t count(const Dims& dims);

// The sweep over the engine's size, and its findings.
StudyResult study_engine(const AceFile& file,
                         const EngineInputs& inputs,
                         const chip::Device& device,
                         const Tick& tick);

// Needs judged claims: published numbers are marked in the figures.
void add_figures(const AceFile& file, StudyResult& result);

PreparedStudy prepare_ace(const Config& config, const DataFolders& folders, const Tick& tick);

}  // namespace cairn::study
