// What is done with feature maps that the backward pass will read again: kept, moved to a backing
// store and back, or made again.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::memory {

enum class Overlay : std::uint8_t {
  kNone,            // everything stays; what does not fit is infeasible
  kEverything,      // every feature map is moved (the MC-DLA paper; vDNN's "all")
  kConvolutions,    // only what convolutions read is moved (vDNN's "conv")
  kWhatDoesNotFit,  // only as much is moved as capacity demands, the longest unused first
};

// How transfers and kernels wait for each other.
enum class Overlap : std::uint8_t {
  kLayer,  // a transfer has the time of one layer: vDNN's synchronization at the end of each
  kFree,   // kernels wait only for what they read
  kNone,   // kernels wait for each transfer
};

// Bytes of a feature map divided by bytes moved, by the kind of operator that made it (cDMA: Rhu et
// al., HPCA 2018).
struct Compression {
  double convolution = 1.0;
  double fully_connected = 1.0;
  double recurrent = 1.0;
  double other = 1.0;

  bool operator==(const Compression&) const = default;
};

const Schema<Compression>& schema_of(const Compression*);

// Where tables lie whose rows are looked up.
enum class TablesIn : std::uint8_t {
  kDevice,
  kStore,  // rows come over the links when they are looked up, and go back when they are updated
};

// What does not fit into the device's memory is infeasible, or only said.
enum class Capacity : std::uint8_t { kLimit, kIgnored };

struct Policy {
  Overlay overlay = Overlay::kNone;
  Overlap overlap = Overlap::kLayer;
  std::uint32_t window = 1;    // layers that a prefetch may run ahead
  bool recompute = true;       // short operators are done again where that beats moving
  bool overlay_state = false;  // gates, cell states, masks and indices are moved too
  bool in_order = false;       // transfers of each direction one after the other, as in a stream
  TablesIn tables = TablesIn::kDevice;
  Compression compression{};
  Capacity capacity = Capacity::kLimit;

  bool operator==(const Policy&) const = default;

  [[nodiscard]] bool needs_store() const {
    return overlay != Overlay::kNone || tables == TablesIn::kStore;
  }

  // Nothing is moved or made again, so that it does not matter what kernels take or devices hold.
  [[nodiscard]] bool same_on_every_device() const { return overlay == Overlay::kNone; }
};

const Schema<Policy>& schema_of(const Policy*);

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::Overlay> {
  using E = cairn::memory::Overlay;
  static constexpr std::array<EnumName<E>, 4> kNames{{{E::kNone, "none"},
                                                      {E::kEverything, "everything"},
                                                      {E::kConvolutions, "convolutions"},
                                                      {E::kWhatDoesNotFit, "what_does_not_fit"}}};
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
