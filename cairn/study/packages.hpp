// Several nodes in a package: their interconnect, their strategies, and lower bounds of step times.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/study/system_search.hpp"

namespace cairn::study {

enum class Inside : std::uint8_t { kMesh, kSwitch };

// The owner of the links to other packages.
enum class Outside : std::uint8_t {
  kNode,     // every node has its own
  kPackage,  // the nodes of a package share one node's bandwidth
};

struct Packages {
  std::uint32_t devices = 0;  // in all packages: a multiple of `nodes`
  std::uint32_t nodes = 1;    // per package
  Inside inside = Inside::kMesh;
  BytesPerSecond bandwidth{};  // of a link inside a package
  Seconds latency{};           // of a link inside a package
  Outside outside = Outside::kNode;
};

// Packages around a switch, with one rail per node of a package.
platform::Platform connect_packages(const Packages& packages,
                                    BytesPerSecond network,
                                    Seconds latency);

// All strategies. The axis inside packages is part of a strategy: k1 or, for row-column, k2.
std::vector<plan::Strategy> strategies_in(const Packages& packages,
                                          const DeepFlowAssumptions& assumptions);

// Lower bounds of the step times: around a switch, without latency. A ring of more neighbouring
// shards than a package holds leaves it, and its messages use at most two rails, the sender's and
// the receiver's; another algorithm may first combine what the nodes of a package send, so that
// all rails of the package serve each of them. Otherwise a node is given all links of a package
// at once.
std::vector<Seconds> lower_bounds(const Packages& packages,
                                  const DeepFlowAssumptions& assumptions,
                                  const GeneratedChip& chip,
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
