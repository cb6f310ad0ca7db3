// The endpoint executes a collective at each device, on resources of the device:
//
//   ideal   none: messages get the full link bandwidth
//   cores   k cores and main memory, as NCCL's kernels: each byte is read, reduced and written
//           there, step by step
//   engine  an engine beside the links: its DMA reads the device's input once and writes its
//           result once; all intermediate data is in the engine's own memory
//
// Resources that are reserved for communication (k cores, b bytes/s of memory) are never used by
// kernels; for shared resources, collectives and kernels compete.
// Rashidi et al., "Enabling Compute-Communication Overlap in Distributed Deep Learning Training
// Platforms", ISCA 2021.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/device.hpp"

namespace cairn::comm {

enum class Executor : std::uint8_t { kIdeal, kCores, kEngine };

// The accesses to main memory that are counted.
enum class Accounting : std::uint8_t {
  kPaper,  // reads only; for cores, a fixed number per byte sent
  kExact,  // reads and writes of every step, including the first and the last
};

// Whether kernels may use the cores and the memory bandwidth of collectives.
enum class Sharing : std::uint8_t {
  kShared,    // collectives and kernels get a fair share
  kReserved,  // only collectives use them, even when none is running
};

// Overrides of the device's engine.
struct EngineChoice {
  std::optional<Bytes> sram{};
  std::optional<double> fsms{};
  std::optional<double> alus{};
  std::optional<Bytes> chunk{};
  std::optional<Bytes> packet{};
  std::optional<chip::EngineSplit> split{};
  std::optional<chip::EngineOrder> order{};
};

const Schema<EngineChoice>& schema_of(const EngineChoice*);

// The endpoint as configured.
struct EndpointChoice {
  std::string description{};
  std::string source{};
  Executor executor = Executor::kIdeal;
  Accounting accounting = Accounting::kExact;
  Sharing sharing = Sharing::kShared;
  std::optional<std::uint32_t> sms{};      // maximum; absent: all
  std::optional<BytesPerSecond> memory{};  // maximum; absent: all
  double reads_per_sent = 1.5;
  EngineChoice engine{};
};

const Schema<EndpointChoice>& schema_of(const EndpointChoice*);

// Resources of an engine. By default none is a limit.
struct EngineLimits {
  Bytes sram = Bytes::infinity();
  double fsms = std::numeric_limits<double>::infinity();
  BytesPerSecond alus = BytesPerSecond::infinity();  // all ALUs together
  std::optional<Bytes> chunk{};                      // absent: the algorithm's default
  Bytes packet{0.0};  // stored by each forwarding device before it sends on
  chip::EngineSplit split = chip::EngineSplit::kHeuristic;
  chip::EngineOrder order = chip::EngineOrder::kLifo;

  bool operator==(const EngineLimits&) const = default;
};

// Resources of each device that collectives use.
struct Endpoint {
  Executor executor = Executor::kIdeal;
  Accounting accounting = Accounting::kExact;
  Sharing sharing = Sharing::kShared;
  double reads_per_sent = 1.5;  // kPaper: memory reads per byte sent
  double cores = 0.0;
  BytesPerSecond cores_move = BytesPerSecond::infinity();  // throughput of all `cores`
  BytesPerSecond memory = BytesPerSecond::infinity();      // reads and writes together
  BytesPerSecond bus = BytesPerSecond::infinity();         // each direction
  EngineLimits engine{};
  SquareMetres area{};  // of the engine
  Watts power{};        // of the engine

  bool operator==(const Endpoint&) const = default;
};

// Number of chunks of a payload for which the algorithm proposes `wanted`: an engine needs several,
// so that its DMA overlaps with the links.
std::uint32_t chunks_at(const Endpoint& endpoint, Bytes size, std::uint32_t wanted);

// Whether the engine sets the chunk size.
bool engine_sets_chunk_size(const Endpoint& endpoint);

// Maximum number of chunks in flight: as many as fit into an engine.
std::uint32_t window_at(const Endpoint& endpoint);

// Reads the endpoint and resolves it for `device`. Throws ConfigError at a request that exceeds the
// device: its cores, its bandwidth, or an engine that it does not have.
Endpoint endpoint_of(const Config& config, const chip::Device& device);

// `device` without the resources that the endpoint reserves.
chip::Device left_for_kernels(chip::Device device, const Endpoint& endpoint);

// Bytes per second that all cores of a device can move.
BytesPerSecond cores_move(const chip::Device& device);

// Throws ConfigError at the key of an endpoint that leaves no core or no bandwidth for kernels.
void check_leaves_resources(const Config& config,
                            const chip::Device& device,
                            const Endpoint& endpoint);

}  // namespace cairn::comm

template <>
struct cairn::EnumNames<cairn::comm::Executor> {
  using E = comm::Executor;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kIdeal, "ideal"}, {E::kCores, "cores"}, {E::kEngine, "engine"}}};
};

template <>
struct cairn::EnumNames<cairn::comm::Sharing> {
  using E = comm::Sharing;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kShared, "shared"}, {E::kReserved, "reserved"}}};
};

template <>
struct cairn::EnumNames<cairn::comm::Accounting> {
  using E = comm::Accounting;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kPaper, "paper"}, {E::kExact, "exact"}}};
};
