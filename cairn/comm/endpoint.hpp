// The endpoint: who executes a collective at each device, and what of the device that takes.
//
//   ideal   nobody: messages get what links give
//   cores   k cores out of main memory, as NCCL's kernels do: each byte is read, added up and
//           written there, step by step
//   engine  an engine beside the links: its DMA reads what a device contributes once and writes
//           what it gets once; all between is in the engine's own memory
//
// What is reserved for communication (k cores, b bytes/s of memory) is communication's alone; what
// is shared, collectives and kernels compete for.
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

// Which accesses to main memory count.
enum class Accounting : std::uint8_t {
  kPaper,  // reads only; of cores, a fixed number per byte sent
  kExact,  // reads and writes of every step, the first and the last included
};

// Whose the cores and the memory bandwidth are that collectives use.
enum class Sharing : std::uint8_t {
  kShared,    // kernels' as well: each gets its fair share of them
  kReserved,  // collectives' alone: kernels run on what is left, whether there is a collective or
              // not
};

// Of the device's engine, in place of what the device says.
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

// As it is written.
struct EndpointChoice {
  std::string description{};
  std::string source{};
  Executor executor = Executor::kIdeal;
  Accounting accounting = Accounting::kExact;
  Sharing sharing = Sharing::kShared;
  std::optional<std::uint32_t> sms{};      // at most; absent: all
  std::optional<BytesPerSecond> memory{};  // at most; absent: all
  double reads_per_sent = 1.5;
  EngineChoice engine{};
};

const Schema<EndpointChoice>& schema_of(const EndpointChoice*);

// What an engine has. Without limits it is never what bounds.
struct EngineLimits {
  Bytes sram = Bytes::infinity();
  double fsms = std::numeric_limits<double>::infinity();
  BytesPerSecond alus = BytesPerSecond::infinity();  // all of them together
  std::optional<Bytes> chunk{};                      // absent: as the algorithm likes it
  Bytes packet{0.0};  // that devices on a message's way store before they send it on
  chip::EngineSplit split = chip::EngineSplit::kHeuristic;
  chip::EngineOrder order = chip::EngineOrder::kLifo;
};

// What collectives have of each device.
struct Endpoint {
  Executor executor = Executor::kIdeal;
  Accounting accounting = Accounting::kExact;
  Sharing sharing = Sharing::kShared;
  double reads_per_sent = 1.5;  // of kPaper: per byte sent
  double cores = 0.0;
  BytesPerSecond cores_move = BytesPerSecond::infinity();  // all of them together
  BytesPerSecond memory = BytesPerSecond::infinity();      // reads and writes together
  BytesPerSecond bus = BytesPerSecond::infinity();         // each direction
  EngineLimits engine{};
  SquareMetres area{};  // of the engine
  Watts power{};
};

// Into how many chunks a payload is best cut where the algorithm would take `wanted`: an engine's
// DMA overlaps with links only if there are several.
std::uint32_t chunks_at(const Endpoint& endpoint, Bytes size, std::uint32_t wanted);

// Whether payloads are cut into chunks of the engine's size, which others may have as well.
bool cuts_by_itself(const Endpoint& endpoint);

// How many chunks may be on their way at once: as many as fit into an engine.
std::uint32_t window_at(const Endpoint& endpoint);

// Reads the choice and finds what it takes of `device`. Throws ConfigError at what the device does
// not have: more cores, more bandwidth, or an engine.
Endpoint endpoint_of(const Config& config, const chip::Device& device);

// All that kernels have of `device` beside such an endpoint.
chip::Device left_for_kernels(chip::Device device, const Endpoint& endpoint);

// What all cores of a device could move.
BytesPerSecond cores_move(const chip::Device& device);

// Complains, where it is written, about an endpoint that leaves nothing for kernels.
void check_leaves_something(const Config& config,
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
