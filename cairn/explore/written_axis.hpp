// An axis of a search as its file writes it: choices, a range, or all spreads of a strategy.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::explore {

enum class AxisScale : std::uint8_t { kLinear, kLog };

struct WrittenAxis {
  Config from{};
  Config to{};
  AxisScale scale = AxisScale::kLinear;
  bool whole = false;
  std::string budget{};
  Config values{};
  std::vector<plan::Parallelism> spread{};
  std::vector<std::uint32_t> stages{};  // empty: any number
  Config when{};
};

const Schema<WrittenAxis>& schema_of(const WrittenAxis*);

// Exactly one of `values` (a list), `from` with `to` (scalars), and `spread` is given; a plain list
// is `values`. Throws ConfigError.
WrittenAxis read_axis(const Config& config);

// The reference of all keys of an axis, with examples.
std::string axis_reference();

}  // namespace cairn::explore

template <>
struct cairn::EnumNames<cairn::explore::AxisScale> {
  using E = cairn::explore::AxisScale;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kLinear, "linear"}, {E::kLog, "log"}}};
};
