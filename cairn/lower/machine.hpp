// The platform as a training step uses it: a simulator program without tasks, in which identical
// devices are one class, and the demands of each kind of activity.
//
// Devices, links and memories form classes as in sim/fold.hpp. They are found once, on a program in
// which every device computes, offloads, prefetches, and takes part in every collective of the
// plan. The classes do not depend on the order of these in a step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/plan/exchange_request.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/platform/backing_store.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::lower {

struct MachineOptions {
  comm::CollectivePolicy collectives{};
  platform::PagePlacement page_placement = platform::PagePlacement::kBandwidthAware;
  // False: collectives, transfers and kernels do not slow each other down; activities of the same
  // kind on different devices still share resources.
  bool contention = true;
  bool fold = true;
  comm::Endpoint endpoint{};  // of collectives
  // Memory bandwidth of each device that is reserved for background kernels; absent: all kernels
  // share the memory.
  std::optional<BytesPerSecond> background{};
  bool locate_links = false;  // fill Machine::of_link
};

// Issuers of a device. Each device of a class competes separately with issuers of other classes.
struct DeviceIssuers {
  Id<sim::Issuer> kernels{};
  Id<sim::Issuer> out{};  // offloads
  Id<sim::Issuer> in{};   // prefetches
};

// Issuers and demands of all devices of a class.
struct DeviceClass {
  std::uint32_t members = 1;
  std::uint32_t stage = 0;
  DeviceIssuers issuers{};
  Id<sim::Demand> kernel{};      // per byte of main memory traffic
  Id<sim::Demand> background{};  // per byte of main memory traffic
  Id<sim::Demand> offload{};     // per byte
  Id<sim::Demand> prefetch{};    // per byte
  // All cores, in bytes/s that they can move; only if collectives and kernels share them.
  std::optional<sim::Draw> cores{};
};

using plan::ExchangeKind;

// The properties of a collective that determine its template.
struct CollectiveKey {
  ExchangeKind kind{};
  Bytes size{};

  auto operator<=>(const CollectiveKey&) const = default;
};

// The parts of a collective, for a payload of one byte.
struct CollectiveTemplate {
  ExchangeKind kind{};
  std::vector<sim::PhaseProgram> parts{};
  std::string algorithm{};
  std::string protocol{};  // empty: none
};

struct Machine {
  sim::Program program{};                // resources, issuers, demands; no tasks
  std::vector<comm::Traffic> traffic{};  // parallel to program.resources
  comm::ResourceOfLink of_link{};        // if MachineOptions::locate_links
  std::vector<DeviceClass> devices{};
  std::vector<CollectiveTemplate> collectives{};
  std::map<CollectiveKey, std::size_t> template_of{};  // index in `collectives`
  Bytes store_capacity{0.0};                           // per device, minimum
  BytesPerSecond store_bandwidth{};  // to the backing store when all devices use it, minimum
  bool has_store = false;
};

// `realizer`: of the platform, and of the endpoint and collectives of `options`. `placement`: the
// device of each shard of the mesh. Infeasible: an algorithm does not support a collective of the
// plan there.
Feasible<Machine> make_machine(comm::Realizer& realizer,
                               const chip::Device& device,
                               const plan::Mesh& mesh,
                               const plan::Placement& placement,
                               std::span<const CollectiveKey> collectives,
                               const MachineOptions& options);

// Precondition: `key` is a collective of the machine's plan.
const CollectiveTemplate& template_for(const Machine& machine, const CollectiveKey& key);

}  // namespace cairn::lower
