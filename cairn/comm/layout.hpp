// A group of devices as seen by algorithms: positions 0..n-1 that may form a grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::comm {

// The algorithm along one dimension, for algorithms by dimension.
enum class DimensionAlgorithm : std::uint8_t { kRing, kDirect, kHalvingDoubling };

struct GridDimension {
  std::uint32_t width = 1;
  std::size_t platform_dim = 0;
  // The group has every coordinate of the platform's dimension, so the platform's own ring steps
  // (Router::ring_step) lead from position to position.
  bool complete = false;
  DimensionAlgorithm algorithm = DimensionAlgorithm::kRing;
};

struct GroupLayout {
  const platform::Platform* platform = nullptr;
  std::vector<std::uint32_t> members{};  // device rank by position; empty: position = rank
  std::uint32_t positions = 0;
  bool whole = false;  // all devices, in rank order

  // position = c0 + width0 * (c1 + width1 * ...), without dimensions of width 1. A group that is
  // not a grid in rank order has one dimension.
  std::vector<GridDimension> grid{};
  bool is_grid = false;  // all combinations of some coordinates of the platform, in rank order

  // Folding by stated symmetry: schedules have only the messages of position 0; every other
  // position sends the same, shifted.
  bool first_position_only = false;

  [[nodiscard]] std::uint32_t device(std::uint32_t position) const {
    return members.empty() ? position : members[position];
  }

  [[nodiscard]] std::uint32_t senders() const { return first_position_only ? 1 : positions; }

  // The position whose coordinates are the sum of both, each modulo its width.
  [[nodiscard]] std::uint32_t shifted(std::uint32_t position, std::uint32_t displacement) const;

  // The position whose coordinate in dimension `dim` is higher by `offset`, wrapping around.
  [[nodiscard]] std::uint32_t along(std::uint32_t position,
                                    std::size_t dim,
                                    std::uint32_t offset) const;
};

// Precondition: members are distinct ranks of the platform (empty: all).
GroupLayout make_group_layout(const platform::Platform& platform,
                              const std::vector<std::uint32_t>& group);

}  // namespace cairn::comm

template <>
struct cairn::EnumNames<cairn::comm::DimensionAlgorithm> {
  using E = comm::DimensionAlgorithm;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kRing, "ring"}, {E::kDirect, "direct"}, {E::kHalvingDoubling, "halving_doubling"}}};
};
