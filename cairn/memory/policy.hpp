// Policy for activations that the backward pass reads: kept, offloaded to a backing store and
// prefetched, or recomputed.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::memory {

enum class Offload : std::uint8_t {
  kNone,          // everything is kept; infeasible if it does not fit
  kEverything,    // every activation is offloaded (the MC-DLA paper; vDNN-all)
  kConvolutions,  // only inputs of convolutions are offloaded (vDNN-conv)
  kOnDemand,      // only until the rest fits, the longest unused first
};

// Synchronization of transfers and kernels.
enum class Overlap : std::uint8_t {
  kLayer,  // a transfer overlaps with one layer: vDNN synchronizes at the end of each layer
  kFree,   // kernels wait only for their inputs
  kNone,   // kernels wait for each transfer
};

// Compression ratio of offloaded activations, by the kind of operator that wrote them (cDMA: Rhu et
// al., HPCA 2018).
struct Compression {
  double convolution = 1.0;
  double fully_connected = 1.0;
  double recurrent = 1.0;
  double other = 1.0;

  bool operator==(const Compression&) const = default;
};

const Schema<Compression>& schema_of(const Compression*);

// Where embedding tables are stored.
enum class TablesIn : std::uint8_t {
  kDevice,
  kStore,  // the backing store: rows are fetched for the lookup and written back after the update
};

// Whether exceeding the device's memory is infeasible, or only reported.
enum class Capacity : std::uint8_t { kLimit, kIgnored };

struct Policy {
  Offload offload = Offload::kNone;
  Overlap overlap = Overlap::kLayer;
  std::uint32_t window = 1;    // layers that a prefetch may run ahead
  bool recompute = true;       // recompute the outputs of cheap operators where that is faster
  bool offload_state = false;  // also offload gates, cell states, masks and indices
  bool in_order = false;       // transfers of each direction run in order, as in a stream
  TablesIn tables = TablesIn::kDevice;
  Compression compression{};
  Capacity capacity = Capacity::kLimit;

  bool operator==(const Policy&) const = default;

  [[nodiscard]] bool needs_store() const {
    return offload != Offload::kNone || tables == TablesIn::kStore;
  }

  // Nothing is offloaded or recomputed, so the schedule does not depend on the device.
  [[nodiscard]] bool same_on_every_device() const { return offload == Offload::kNone; }
};

const Schema<Policy>& schema_of(const Policy*);

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::Offload> {
  using E = cairn::memory::Offload;
  static constexpr std::array<EnumName<E>, 4> kNames{{{E::kNone, "none"},
                                                      {E::kEverything, "everything"},
                                                      {E::kConvolutions, "convolutions"},
                                                      {E::kOnDemand, "on_demand"}}};
};

template <>
struct cairn::EnumNames<cairn::memory::Overlap> {
  using E = cairn::memory::Overlap;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kLayer, "layer"}, {E::kFree, "free"}, {E::kNone, "none"}}};
};

template <>
struct cairn::EnumNames<cairn::memory::Capacity> {
  using E = cairn::memory::Capacity;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kLimit, "limit"}, {E::kIgnored, "ignored"}}};
};

template <>
struct cairn::EnumNames<cairn::memory::TablesIn> {
  using E = cairn::memory::TablesIn;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kDevice, "device"}, {E::kStore, "store"}}};
};
