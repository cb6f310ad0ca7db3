// In which order a device takes up what several steps in a row have to do.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"
#include "cairn/model/training.hpp"

namespace cairn::memory {

// Of exchanges over the same devices.
enum class ExchangeOrder : std::uint8_t {
  kInTurn,   // each begins when the one before has ended, as in a stream
  kFirstIn,  // all that are ready; what is short, the oldest has first
  kLastIn,   // likewise, the newest: the gradients of the first layers are needed first
};

struct Sequence {
  std::uint32_t steps = 1;
  model::Updates updates = model::Updates::kAtEnd;
  ExchangeOrder exchanges = ExchangeOrder::kInTurn;

  bool operator==(const Sequence&) const = default;
};

inline constexpr std::uint32_t kMostSteps = 1000;

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::ExchangeOrder> {
  using E = cairn::memory::ExchangeOrder;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kInTurn, "in_turn"}, {E::kFirstIn, "fifo"}, {E::kLastIn, "lifo"}}};
};
