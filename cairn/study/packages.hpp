// Several nodes in a package: how they are joined, which strategies there are in them, and what
// each takes at least.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/study/system_search.hpp"

namespace cairn::study {

enum class Inside : std::uint8_t { kMesh, kSwitch };

// Who has the links to other packages.
enum class Outside : std::uint8_t {
  kNode,     // every node has its own
  kPackage,  // the nodes of a package share what one node would have
};

struct Packages {
  std::uint32_t devices = 0;  // of all packages: a multiple of `nodes`
  std::uint32_t nodes = 1;    // of one
  Inside inside = Inside::kMesh;
  BytesPerSecond bandwidth{};  // of a link inside
  Seconds latency{};           // likewise
  Outside outside = Outside::kNode;
};

// Packages around a switch, a rail for each node of them.
platform::Platform joined(const Packages& packages, BytesPerSecond network, Seconds latency);

// All of them; which axis is inside packages is part of a strategy: k1 or, of row-column, k2.
std::vector<plan::Strategy> strategies_in(const Packages& packages,
                                          const DeepFlowAssumptions& assumptions);

// What each of these takes at least: around a switch, without latency. If the shards that are
// neighbours are more than a package holds, their ring leaves it, and its messages go out over at
// most two rails: that of who sends and that of who receives. Otherwise nodes have all links of a
// package at once.
std::vector<Seconds> least_times(const Packages& packages,
                                 const DeepFlowAssumptions& assumptions,
                                 const MadeChip& chip,
                                 const std::vector<plan::Strategy>& strategies);

}  // namespace cairn::study

template <>
struct cairn::EnumNames<cairn::study::Inside> {
  using E = cairn::study::Inside;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kMesh, "mesh"}, {E::kSwitch, "switch"}}};
};

template <>
struct cairn::EnumNames<cairn::study::Outside> {
  using E = cairn::study::Outside;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kNode, "node"}, {E::kPackage, "package"}}};
};
