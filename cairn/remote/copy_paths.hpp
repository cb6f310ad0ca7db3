// Resources that a copy uses: links and ports of its route, the device's group of the memory-node's
// memory, and the device's own memory.
//
//   local to remote    device memory 1, links of the route, group 1
//   remote to local    the same, over the reverse route
//   local to local     device memory 2 (read and written)
//
// A copy first takes the latency of the source memory, then that of the route.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "cairn/platform/backing_store.hpp"
#include "cairn/sim/engine.hpp"

namespace cairn::remote {

// The device's own memory. The defaults are those of Kwon and Rhu, MICRO 2018, Table II (100 cycles
// at 1 GHz), with the 16 GiB of the V100.
struct LocalMemory {
  std::uint64_t capacity = std::uint64_t{16} << 30U;
  BytesPerSecond bandwidth{900e9};
  Seconds latency{100e-9};
};

enum class Direction : std::uint8_t { kLocalToRemote, kRemoteToLocal, kLocalToLocal };

class CopyPaths {
 public:
  // Adds the resources to the engine.
  CopyPaths(const platform::Platform& platform,
            const std::vector<platform::StorePart>& store,
            const LocalMemory& local,
            sim::Engine& engine);

  // The demand of `bytes` to or from memory-node `node`; `node` is ignored for local to local.
  Id<sim::Demand> demand(Direction direction, std::size_t node, Bytes bytes, sim::Engine& engine);

 private:
  struct Path {
    platform::Route route{};
    std::vector<sim::Draw> draws{};
    Seconds source_latency{};
  };

  struct Node {
    Path out;
    Path in;
  };

  Path local_;
  std::vector<Node> nodes_;
  // Demands are cached by latency, which depends on the size only for store-and-forward routes.
  std::map<std::tuple<Direction, std::size_t, double>, Id<sim::Demand>> known_;
};

}  // namespace cairn::remote
