// The order of work on a device over several consecutive steps.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"
#include "cairn/model/training.hpp"

namespace cairn::memory {

// The order of exchanges over the same devices.
enum class ExchangeOrder : std::uint8_t {
  kSequential,  // each begins when the previous one has ended, as in a stream
  kFirstIn,     // all that are ready run; the oldest has priority
  kLastIn,      // all that are ready run; the newest has priority: the first layers' gradients
};

struct Sequence {
  std::uint32_t steps = 1;
  model::Updates updates = model::Updates::kAtEnd;
  ExchangeOrder exchanges = ExchangeOrder::kSequential;

  bool operator==(const Sequence&) const = default;
};

inline constexpr std::uint32_t kMaxSteps = 1000;

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::ExchangeOrder> {
  using E = cairn::memory::ExchangeOrder;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kSequential, "in_turn"}, {E::kFirstIn, "fifo"}, {E::kLastIn, "lifo"}}};
};
