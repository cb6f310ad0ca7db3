// Exchanges of one channel run one after the other: collectives of one stage over the same axes,
// transfers from one stage to another. High-priority, background and contention-free exchanges
// have channels of their own.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/id.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::memory {

struct ExchangeChannel {
  plan::Axes axes{};
  std::uint32_t stage = 0;
  std::uint32_t to_stage = 0;
  bool high_priority = false;
  bool background = false;
  std::optional<std::uint32_t> contention_free{};  // the exchange itself

  auto operator<=>(const ExchangeChannel&) const = default;
};

inline ExchangeChannel channel_of(const plan::Exchange& exchange, Id<plan::Exchange> id) {
  return {.axes = exchange.axes,
          .stage = exchange.stage,
          .to_stage = exchange.to_stage,
          .high_priority = exchange.high_priority,
          .background = exchange.background,
          .contention_free = exchange.contention_free ? std::optional(id.value) : std::nullopt};
}

}  // namespace cairn::memory
