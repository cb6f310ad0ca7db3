#include "cairn/lower/device_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

namespace cairn::lower {

namespace {

using platform::StorePart;
using sim::Demand;
using sim::PhaseProgram;

// Phases of a rank.
enum Phase : std::size_t { kKernel, kOut, kIn, kCores, kPhases };

const sim::Lane& lane_of(const PhaseProgram& ranks, std::size_t phase, std::uint32_t r) {
  return ranks.lanes[ranks.phases[phase].first_lane + r];
}

// Load of each resource when every device transfers one byte.
std::vector<double> load_of(const sim::Program& program,
                            const std::vector<PhaseProgram>& stages,
                            std::size_t phase) {
  std::vector<double> load(program.resources.size(), 0.0);
  for (const PhaseProgram& ranks : stages) {
    for (std::uint32_t r = 0; r < ranks.ranks; ++r) {
      const Id<Demand> demand = lane_of(ranks, phase, r).demand;
      for (const sim::Draw& draw : program.demands[demand.index()].draws) {
        load[draw.resource.index()] += draw.amount * draw.count;
      }
    }
  }
  return load;
}

// The rate of an activity when all devices run it and nothing else runs.
double lone_rate(const sim::Program& program, Id<Demand> id, const std::vector<double>& load) {
  const Demand& demand = program.demands[id.index()];
  double rate = demand.speed_limit;
  for (const sim::Draw& draw : demand.draws) {
    const std::size_t resource = draw.resource.index();
    rate = std::min(rate, program.resources[resource].capacity / load[resource]);
  }
  return rate;
}

// The same demand on a private resource, as fast as the shared ones when nothing else runs.
Id<Demand> on_private_resource(comm::CollectiveProgram& program,
                               Id<Demand> id,
                               BytesPerSecond bandwidth,
                               std::uint32_t members,
                               const char* name,
                               comm::ResourceKind kind) {
  double link_bytes = 0.0;  // on all links, for one byte of each member
  for (const sim::Draw& draw : program.program.demands[id.index()].draws) {
    const comm::Traffic& traffic = program.traffic[draw.resource.index()];
    const bool is_link = traffic.kind == comm::ResourceKind::kLink;
    link_bytes += is_link ? draw.amount * draw.count * traffic.members : 0.0;
  }
  const auto own = program.program.add(sim::Resource{.name = name, .capacity = bandwidth.si()});
  program.traffic.push_back({.name = name,
                             .members = members,
                             .bandwidth = bandwidth,
                             .kind = kind,
                             .links_crossed = link_bytes / members});
  const Seconds latency = program.program.demands[id.index()].latency;
  return program.program.add(Demand{.draws = {{own}}, .latency = latency});
}

}  // namespace

bool DeviceRanks::shares_cores() const {
  return options_.contention && options_.endpoint.executor == comm::Executor::kCores &&
         options_.endpoint.sharing == comm::Sharing::kShared;
}

void DeviceRanks::add(const Stage& stage) {
  const auto count = static_cast<std::uint32_t>(stage.devices.size());
  sim::Program& program = builder_.program().program;
  for (std::uint32_t position = 0; position < count; ++position) {
    issuers_.push_back({.kernels = program.add(sim::Issuer{.name = "kernels", .per_member = true}),
                        .out = program.add(sim::Issuer{.name = "copy out", .per_member = true}),
                        .in = program.add(sim::Issuer{.name = "copy in", .per_member = true})});
  }
  PhaseProgram ranks{.name = "devices", .issuer = issuers_.back().kernels, .ranks = count};
  ranks.payload = ranks.chunk_size = 1.0;
  std::vector<std::vector<Demand>> demands(kPhases);
  for (const std::uint32_t rank : stage.devices) {
    const auto memory = builder_.add_resource({.name = fmt::format("memory of device {}", rank),
                                               .members = stage.shards / count,
                                               .bandwidth = device_.memory.bandwidth,
                                               .kind = comm::ResourceKind::kDeviceMemory});
    const auto store = platform::backing_store(platform_, rank, options_.page_placement);
    has_store_ = has_store_ && !store.empty();
    comm::KernelResources of_kernels{.memory = memory};
    if (shares_cores()) {
      of_kernels.cores = builder_.add_resource({.name = fmt::format("cores of device {}", rank),
                                                .members = stage.shards / count,
                                                .bandwidth = comm::cores_move(device_),
                                                .kind = comm::ResourceKind::kCores});
      demands[kCores].push_back({.draws = {{*of_kernels.cores}}});
    }
    builder_.share(platform_.graph.devices()[rank], of_kernels);
    demands[kKernel].push_back({.draws = {{memory}}});
    demands[kOut].push_back(transfer(memory, store, true));
    demands[kIn].push_back(transfer(memory, store, false));
  }
  for (std::vector<Demand>& phase : demands) {
    if (phase.empty()) {
      continue;
    }
    const auto first = static_cast<std::uint32_t>(ranks.lanes.size());
    for (std::uint32_t position = 0; position < count; ++position) {
      ranks.lanes.push_back({.from = position,
                             .to = position,
                             .work = 1.0,
                             .demand = program.add(std::move(phase[position]))});
    }
    ranks.phases.push_back({.first_lane = first, .end_lane = first + count});
  }
  program.add(sim::Task{std::move(ranks)});
  ++stages_;
}

Demand DeviceRanks::transfer(Id<sim::Resource> memory,
                             const std::vector<StorePart>& store,
                             bool out) {
  Demand demand{.draws = {{memory}}};
  for (const StorePart& part : store) {
    const platform::Route& route = out ? part.out : part.in;
    builder_.draw_along(route, part.share, demand.draws);
    const Seconds access = out ? Seconds(0.0) : part.latency;
    demand.latency = std::max(demand.latency, route.latency + access);
    if (std::isfinite(part.bandwidth.si())) {
      demand.draws.push_back({store_resource(part), part.share});
    }
    if (out) {
      stored_shares_[std::pair(part.node, part.group)] += part.share;
    }
  }
  return demand;
}

Bytes DeviceRanks::store_capacity() const {
  Bytes capacity = Bytes::infinity();
  for (const auto& [key, shares] : stored_shares_) {
    const platform::NodeMemory& memory = platform_.graph.class_of(key.first).memory;
    capacity = std::min(capacity, memory.capacity / (memory.groups * shares));
  }
  return capacity;
}

Id<sim::Resource> DeviceRanks::store_resource(const StorePart& part) {
  const auto key = std::pair(part.node, part.group);
  if (const auto known = stores_.find(key); known != stores_.end()) {
    return known->second;
  }
  const platform::Graph& graph = platform_.graph;
  const platform::NodeClass& node = graph.class_of(part.node);
  const bool whole = node.memory.groups == 1;
  const bool of_host = node.kind == platform::NodeKind::kHostSocket;
  const auto resource = builder_.add_resource(
      {.name = fmt::format("memory of {}{}",
                           graph.name(part.node),
                           whole ? std::string() : fmt::format(", group {}", part.group)),
       .bandwidth = part.bandwidth,
       .kind = of_host ? comm::ResourceKind::kHostMemory : comm::ResourceKind::kMemoryNode});
  stores_.emplace(key, resource);
  return resource;
}

void DeviceRanks::take(comm::CollectiveProgram& program,
                       std::span<const std::vector<std::uint32_t>> members,
                       Machine& machine) const {
  std::vector<PhaseProgram> stages;
  for (std::uint32_t stage = 0; stage < stages_; ++stage) {
    stages.push_back(std::get<PhaseProgram>(program.program.tasks[stage].what));
  }
  const std::array load{load_of(program.program, stages, kKernel),
                        load_of(program.program, stages, kOut),
                        load_of(program.program, stages, kIn)};
  machine.store_bandwidth = BytesPerSecond::infinity();
  for (std::uint32_t stage = 0; stage < stages_; ++stage) {
    for (std::uint32_t r = 0; r < stages[stage].ranks; ++r) {
      const std::uint32_t count = members[stage][r];
      const auto demand = [&](Phase phase, const char* name) {
        const Id<Demand> id = lane_of(stages[stage], phase, r).demand;
        const BytesPerSecond rate(lone_rate(program.program, id, load[phase]));
        if (phase != kKernel) {
          machine.store_bandwidth = std::min(machine.store_bandwidth, rate);
        }
        const auto kind =
            phase == kKernel ? comm::ResourceKind::kDeviceMemory : comm::ResourceKind::kInjection;
        return options_.contention ? id : on_private_resource(program, id, rate, count, name, kind);
      };
      const auto background = [&] {
        const Id<Demand> kernel = lane_of(stages[stage], kKernel, r).demand;
        const auto& own = options_.background;
        return own ? on_private_resource(program,
                                         kernel,
                                         *own,
                                         count,
                                         "memory for the background",
                                         comm::ResourceKind::kDeviceMemory)
                   : kernel;
      };
      machine.devices.push_back({.members = count,
                                 .stage = stage,
                                 .issuers = issuers_[machine.devices.size()],
                                 .kernel = demand(kKernel, "memory of a device"),
                                 .background = background(),
                                 .offload = demand(kOut, "path out of a device"),
                                 .prefetch = demand(kIn, "path into a device")});
      if (shares_cores()) {
        const Id<Demand> cores = lane_of(stages[stage], kCores, r).demand;
        machine.devices.back().cores = program.program.demands[cores.index()].draws.front();
      }
    }
  }
}

}  // namespace cairn::lower
