// The platform as a training step uses it: one program for the engine without tasks, in which
// devices that behave alike are one, and what each kind of activity draws on.
//
// Devices, links and memories form classes as in sim/fold.hpp. They are found once, on a program in
// which every device computes, moves data to its backing store and back, and takes part in every
// collective of the plan; whatever order a step does this in, alike remains alike.
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
  platform::Placement placement = platform::Placement::kBandwidthAware;
  // False: collectives, transfers and kernels do not slow each other down; devices still share what
  // they share when all do the same.
  bool contention = true;
  bool fold = true;
  comm::Endpoint endpoint{};  // of collectives, at each device
  // Of each device's memory, besides that of its kernels, for those in the background; absent: they
  // share it.
  std::optional<BytesPerSecond> background{};
  bool locate_links = false;  // Machine::of_link is wanted
};

// Who competes at a device. Each device of a class is one of its own, beside those of other
// classes.
struct DeviceIssuers {
  Id<sim::Issuer> kernels{};
  Id<sim::Issuer> out{};  // transfers to the backing store
  Id<sim::Issuer> in{};   // and back
};

// What all devices of a class do and meet.
struct DeviceClass {
  std::uint32_t members = 1;
  std::uint32_t stage = 0;
  DeviceIssuers issuers{};
  Id<sim::Demand> kernel{};      // work in bytes of the device's memory
  Id<sim::Demand> background{};  // likewise
  Id<sim::Demand> offload{};     // work in bytes
  Id<sim::Demand> prefetch{};    // likewise
  // Where collectives use the cores that kernels use: all of them, in bytes/s that they could move.
  std::optional<sim::Draw> cores{};
};

using plan::ExchangeKind;

// A collective of the plan, by what matters for its template.
struct CollectiveKey {
  ExchangeKind kind{};
  Bytes size{};

  auto operator<=>(const CollectiveKey&) const = default;
};

// One that is ready to run: its parts, for a size of one byte.
struct CollectiveTemplate {
  ExchangeKind kind{};
  std::vector<sim::PhaseProgram> parts{};
  std::string algorithm{};
  std::string protocol{};  // empty: the platform has none for it
};

struct Machine {
  sim::Program program{};                // resources, issuers, demands; no tasks
  std::vector<comm::Traffic> traffic{};  // parallel to program.resources
  comm::ResourceOfLink of_link{};        // if wanted
  std::vector<DeviceClass> devices{};
  std::vector<CollectiveTemplate> collectives{};
  std::map<CollectiveKey, std::size_t> template_of{};  // in `collectives`
  Bytes store_capacity{0.0};                           // of one device's share, the least
  BytesPerSecond store_bandwidth{};  // to the backing store when all devices use it, the least
  bool has_store = false;
};

// `realizer`: of the platform, and of the endpoint and collectives of `options`. `placement`: the
// device of each shard of the mesh. Infeasible: an algorithm cannot do a collective of the plan
// there.
Feasible<Machine> make_machine(comm::Realizer& realizer,
                               const chip::Device& device,
                               const plan::Mesh& mesh,
                               const plan::Placement& placement,
                               std::span<const CollectiveKey> collectives,
                               const MachineOptions& options);

// Precondition: `key` is of the plan that the machine was made for.
const CollectiveTemplate& template_for(const Machine& machine, const CollectiveKey& key);

}  // namespace cairn::lower
