#include "cairn/platform/topology.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cairn/platform/shared_keys.hpp"
#include "cairn/platform/topology/dc_dla.hpp"
#include "cairn/platform/topology/dgx1.hpp"
#include "cairn/platform/topology/dragonfly.hpp"
#include "cairn/platform/topology/fat_tree.hpp"
#include "cairn/platform/topology/fully_connected.hpp"
#include "cairn/platform/topology/given_graph.hpp"
#include "cairn/platform/topology/grid.hpp"
#include "cairn/platform/topology/islands.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/platform/topology/mc_dla_plane.hpp"
#include "cairn/platform/topology/switched.hpp"

namespace cairn::platform {

namespace {

using namespace topology;

template <class Parameters>
std::vector<Parameter> keys() {
  auto all = schema_of(static_cast<const Parameters*>(nullptr)).parameters();
  for (Parameter& shared : schema_of(static_cast<const SharedKeys*>(nullptr)).parameters()) {
    all.push_back(std::move(shared));
  }
  return all;
}

template <class Parameters, Platform (*Make)(const Parameters&, const Config&)>
Platform make(const Config& config, const SearchPath& /*presets*/) {
  return Make(read_config<Parameters>(config), config);
}

template <class Parameters>
Size size(const Config& config, const SearchPath& /*presets*/) {
  return size_of(read_config<Parameters>(config));
}

// For topologies that are small whatever their parameters.
template <class Parameters, Platform (*Make)(const Parameters&, const Config&)>
Size small_size(const Config& config, const SearchPath& /*presets*/) {
  return size_of(Make(read_config<Parameters>(config), config).graph);
}

constexpr std::array kTopologies{
    Topology{"ring",
             "devices connected in a ring",
             "devices",
             keys<Ring1D>,
             make<Ring1D, make_ring>,
             size<Ring1D>},
    Topology{"rings",
             "parallel rings over the same order of devices",
             "devices x rings",
             keys<ParallelRings>,
             make<ParallelRings, make_rings>,
             size<ParallelRings>},
    Topology{"torus",
             "an n-dimensional grid whose dimensions are rings",
             "dims...",
             keys<Grid>,
             make<Grid, make_torus>,
             size<Grid>},
    Topology{"mesh",
             "an n-dimensional grid whose dimensions are lines",
             "dims...",
             keys<Grid>,
             make<Grid, make_mesh>,
             size<Grid>},
    Topology{"fully_connected",
             "a cable between every two devices",
             "devices",
             keys<FullyConnected>,
             make<FullyConnected, make_fully_connected>,
             size<FullyConnected>},
    Topology{"switch",
             "devices around one switch, or several identical switches",
             "devices x planes",
             keys<Star>,
             make<Star, make_switch>,
             size<Star>},
    Topology{"dgx2",
             "DGX-2: 16 devices on two boards of six NVSwitches",
             "",
             keys<Dgx2>,
             make<Dgx2, make_dgx2>,
             small_size<Dgx2, make_dgx2>},
    Topology{"cube_mesh",
             "DGX-1V: eight devices, 24 cables in three rings; with host: true also the host side",
             "",
             keys<CubeMesh>,
             make<CubeMesh, make_cube_mesh>,
             small_size<CubeMesh, make_cube_mesh>},
    Topology{"dc_dla",
             "devices on rings, the host behind PCIe (DC-DLA of any size)",
             "devices x rings",
             keys<DeviceCentric>,
             make<DeviceCentric, make_dc_dla>,
             size<DeviceCentric>},
    Topology{"hc_dla",
             "eight devices, half their links to the host sockets (HC-DLA)",
             "",
             keys<HostCentric>,
             make<HostCentric, make_hc_dla>,
             small_size<HostCentric, make_hc_dla>},
    Topology{"mc_dla_ring",
             "devices alternating with memory-nodes on rings (MC-DLA, Fig. 7c)",
             "devices x rings",
             keys<MemoryRing>,
             make<MemoryRing, make_mc_dla_ring>,
             size<MemoryRing>},
    Topology{"mc_dla_star_a",
             "eight devices, each with its memory-node (MC-DLA, Fig. 7a)",
             "",
             keys<MemoryCentric>,
             make<MemoryCentric, make_mc_dla_star_a>,
             small_size<MemoryCentric, make_mc_dla_star_a>},
    Topology{"mc_dla_star_b",
             "eight devices, memory-nodes folded inward (MC-DLA, Fig. 7b)",
             "",
             keys<MemoryCentric>,
             make<MemoryCentric, make_mc_dla_star_b>,
             small_size<MemoryCentric, make_mc_dla_star_b>},
    Topology{"mc_dla_plane",
             "system nodes of devices and memory-nodes on device-side switches (MC-DLA, Fig. 15)",
             "devices x system_nodes",
             keys<MemoryPlane>,
             make<MemoryPlane, make_mc_dla_plane>,
             size<MemoryPlane>},
    Topology{"fat_tree",
             "a tree of switches with several parents each: leaf/spine, k-ary n-tree",
             "dims...",
             keys<FatTree>,
             make<FatTree, make_fat_tree>,
             size<FatTree>},
    Topology{"dragonfly",
             "groups of routers connected by global cables",
             "groups x routers x devices x global_links",
             keys<Dragonfly>,
             make<Dragonfly, make_dragonfly>,
             size<Dragonfly>},
    Topology{"islands",
             "islands of one platform connected by another, rail by rail",
             "",
             keys<Islands>,
             make_islands,
             size_of_islands},
    Topology{"graph",
             "nodes and links as given",
             "",
             keys<GivenGraph>,
             make<GivenGraph, make_graph>,
             size<GivenGraph>},
};

}  // namespace

std::string reference_text(const Topology& topology) {
  return cairn::reference_text(
      std::string(topology.name), std::string(topology.doc), topology.parameters());
}

std::span<const Topology> topologies() {
  return kTopologies;
}

const Topology* find_topology(std::string_view name) {
  const auto* found = std::ranges::find(kTopologies, name, &Topology::name);
  return found == kTopologies.end() ? nullptr : found;
}

std::vector<std::string> topology_names() {
  std::vector<std::string> names;
  names.reserve(kTopologies.size());
  for (const Topology& known : kTopologies) {
    names.emplace_back(known.name);
  }
  return names;
}

}  // namespace cairn::platform
