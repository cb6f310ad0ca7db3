// Draws of messages on device resources: memory, cores, bus.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

namespace {

// Resources of an endpoint.
constexpr std::size_t kMemory = 0;
constexpr std::size_t kCores = 1;
constexpr std::size_t kBusOut = 2;
constexpr std::size_t kBusIn = 3;
constexpr std::size_t kAlus = 4;
constexpr std::array kPartNames{"memory", "cores", "bus out", "bus in", "ALUs"};

BytesPerSecond capacity_of(const Endpoint& endpoint, std::size_t part) {
  switch (part) {
    case kMemory:
      return endpoint.memory;
    case kCores:
      return endpoint.cores_move;
    case kAlus:
      return endpoint.engine.alus;
    default:
      return endpoint.bus;
  }
}

// Kernels do not use it.
bool reserved(const Endpoint& endpoint, std::size_t part) {
  return endpoint.sharing == Sharing::kReserved && (part == kMemory || part == kCores);
}

}  // namespace

void ProgramBuilder::share(Id<platform::Node> device, const KernelResources& resources) {
  beside_kernels_ = true;
  if (endpoint_.executor == Executor::kIdeal || endpoint_.sharing == Sharing::kReserved) {
    return;
  }
  const std::size_t node = index_of(device);
  kernels_part_[kMemory][node] = resources.memory.value;
  if (resources.cores) {
    kernels_part_[kCores][node] = resources.cores->value;
  }
}

// Devices between sender and receiver forward the message through their memories.
MemoryTraffic ProgramBuilder::draw_at_devices(const platform::Route& route,
                                              Id<platform::Node> sender,
                                              Id<platform::Node> receiver,
                                              const Charges& charges,
                                              std::vector<sim::Draw>& draws) {
  const platform::Graph& graph = platform_->graph;
  MemoryTraffic moved = charges.sender;
  moved += charges.receiver;
  draw_at_device(sender, {.memory = charges.sender, .sent = 1.0}, draws);
  draw_at_device(receiver, {.memory = charges.receiver, .received = 1.0}, draws);
  for (const platform::Hop& hop : route.hops) {
    const Id<platform::Node> between = graph.link(hop.link).to;
    if (between == receiver || graph.class_of(between).kind != platform::NodeKind::kDevice) {
      continue;
    }
    const double share = hop.share * graph.link(hop.link).members;
    const MemoryTraffic forwarded = charges.forwarder * share;
    moved += forwarded;
    draw_at_device(between, {.memory = forwarded, .sent = share, .received = share}, draws);
  }
  return moved;
}

// All memory traffic passes the cores.
void ProgramBuilder::draw_at_device(Id<platform::Node> device,
                                    const Handled& handled,
                                    std::vector<sim::Draw>& draws) {
  const double moved = handled.memory.read + handled.memory.written;
  draw_part(device, kMemory, moved, draws);
  draw_part(device, kCores, moved, draws);
  draw_part(device, kBusOut, handled.sent, draws);
  draw_part(device, kBusIn, handled.received, draws);
}

void ProgramBuilder::draw_at_alus(Id<platform::Node> device,
                                  double amount,
                                  std::vector<sim::Draw>& draws) {
  draw_part(device, kAlus, amount, draws);
}

// DMA between memory and engine; `direction` is that of the engine.
bool ProgramBuilder::add_dma(std::span<const Buffers> buffers,
                             const GroupLayout& layout,
                             Direction direction,
                             sim::PhaseProgram& phases) {
  if (endpoint_.executor != Executor::kEngine) {
    return false;
  }
  const bool reads = direction == Direction::kIn;
  const bool counts = reads || endpoint_.accounting == Accounting::kExact;
  const auto first = static_cast<std::uint32_t>(phases.lanes.size());
  for (std::uint32_t position = 0; position < layout.senders(); ++position) {
    const double share = reads ? buffers[position].in : buffers[position].out;
    const Id<platform::Node> device = platform_->graph.devices()[layout.device(position)];
    sim::Demand demand;
    draw_part(device, kMemory, counts ? 1.0 : 0.0, demand.draws);
    draw_part(device, reads ? kBusOut : kBusIn, 1.0, demand.draws);
    if (share == 0.0 || demand.draws.empty()) {
      continue;
    }
    const double moved = counts ? share * phases.payload * stands_for_ : 0.0;
    result_.moved += reads ? MemoryTraffic{.read = moved} : MemoryTraffic{.written = moved};
    phases.lanes.push_back({.from = position,
                            .to = position,
                            .work = share,
                            .demand = result_.program.add(std::move(demand))});
  }
  const auto end = static_cast<std::uint32_t>(phases.lanes.size());
  if (end > first) {
    phases.phases.push_back({.steps = 1, .first_lane = first, .end_lane = end});
  }
  return end > first;
}

void ProgramBuilder::draw_part(Id<platform::Node> device,
                               std::size_t part,
                               double amount,
                               std::vector<sim::Draw>& draws) {
  const BytesPerSecond capacity = capacity_of(endpoint_, part);
  if (amount == 0.0 || !std::isfinite(capacity.si())) {
    return;
  }
  const std::size_t node = index_of(device);
  if (const std::uint32_t shared = kernels_part_[part][node]; shared != kUnused) {
    draw(draws, Id<sim::Resource>(shared), amount);
    if (capacity >= result_.traffic[shared].bandwidth) {
      return;
    }
  }
  std::uint32_t& index = part_resource_[part][node];
  if (index == kUnused) {
    index = add_resource({.name = fmt::format(
                              "{}{} of {}",
                              beside_kernels_ && reserved(endpoint_, part) ? "reserved " : "",
                              kPartNames[part],
                              name_of(device)),
                          .members = members_of(device),
                          .bandwidth = capacity,
                          .kind = ResourceKind::kEndpoint})
                .value;
  }
  draw(draws, Id<sim::Resource>(index), amount);
}

}  // namespace cairn::comm
