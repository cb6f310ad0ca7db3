#include "cairn/lower/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/check.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/fold.hpp"

namespace cairn::lower {

namespace {

using comm::Traffic;
using platform::StorePart;
using sim::Demand;
using sim::PhaseProgram;

constexpr double kOfLargeMessages = 0.0;  // CollectiveTemplate::size of the one for large messages

// Nodes that store and forward delay messages by their size, up to this one.
Bytes most_stored(const platform::Graph& graph) {
  Bytes most(0.0);
  for (const platform::NodeClass& node_class : graph.node_classes()) {
    most = std::max(most, node_class.store_and_forward);
  }
  return most;
}

double smallest_share(const comm::Schedule& schedule) {
  double smallest = 1.0;
  for (const comm::Part& part : schedule.parts) {
    for (const comm::Message& message : part.messages) {
      smallest = std::min(smallest, part.share * message.share);
    }
  }
  return smallest;
}

// Everything unfolded: every device, link and memory is there.
class Probe {
 public:
  Probe(const platform::Platform& platform,
        const chip::Device& device,
        const MachineOptions& options)
      : platform_(platform),
        options_(options),
        builder_(platform, comm::View::kEveryMember),
        stored_(most_stored(platform.graph)) {
    std::vector<std::uint32_t> group;
    if (options.devices < platform.device_count()) {
      group.resize(options.devices);
      std::iota(group.begin(), group.end(), 0U);
    }
    layout_ = comm::make_layout(platform, group);
    machine_.kernels =
        builder_.program().program.add(sim::Issuer{.name = "kernels", .per_member = true});
    machine_.out_queue =
        builder_.program().program.add(sim::Issuer{.name = "copy out", .per_member = true});
    machine_.in_queue =
        builder_.program().program.add(sim::Issuer{.name = "copy in", .per_member = true});
    add_devices(device);
  }

  // Nothing if the algorithm can do it.
  std::optional<Infeasible> add(const CollectiveKey& key) {
    const comm::Collective collective{.op = key.op, .size = key.size, .group = layout_.members};
    ensure(layout_.positions > 1, "a collective of a single device");
    const comm::Algorithm* algorithm = choose(key.op);
    if (algorithm == nullptr) {
      return Infeasible{"collective",
                        fmt::format("{} cannot do {} among {} of the {} devices of {}",
                                    options_.algorithm.empty() ? "ring" : options_.algorithm,
                                    comm::info(key.op).name,
                                    layout_.positions,
                                    platform_.device_count(),
                                    platform_.name)};
    }
    const comm::Schedule schedule = algorithm->schedule(collective, layout_);
    const bool large = key.size * smallest_share(schedule) >= stored_;
    CollectiveTemplate entry{.op = key.op,
                             .size = large ? kOfLargeMessages : key.size.si(),
                             .algorithm = std::string(algorithm->name)};
    const auto same = [&](const CollectiveTemplate& other) {
      return other.op == entry.op && other.size == entry.size;
    };
    if (std::ranges::none_of(machine_.collectives, same)) {
      made_for_.push_back(key.size);
      machine_.collectives.push_back(std::move(entry));
      first_task_.push_back(builder_.program().program.tasks.size());
      builder_.add(collective, layout_, schedule, {.chunks = 1, .window = 1});
    }
    return std::nullopt;
  }

  Machine run() {
    comm::CollectiveProgram program = builder_.take();
    first_task_.push_back(program.program.tasks.size());
    sim::collapse_steps(program.program);
    std::vector<std::uint32_t> members(layout_.positions, 1);
    if (options_.fold) {
      if (auto folded = sim::fold(program.program)) {
        members = folded->rank_members.front();
        std::vector<Traffic> traffic;
        for (std::size_t r = 0; r < folded->resource.size(); ++r) {
          traffic.push_back(program.traffic[folded->resource[r]]);
          traffic.back().members = folded->resource_members[r];
        }
        program.program = std::move(folded->program);
        program.traffic = std::move(traffic);
      }
    }
    take_devices(program, members);
    for (std::size_t c = 0; c < machine_.collectives.size(); ++c) {
      for (std::size_t t = first_task_[c]; t < first_task_[c + 1]; ++t) {
        auto part = std::get<PhaseProgram>(std::move(program.program.tasks[t].what));
        part.payload /= made_for_[c].si();
        part.chunk_size /= made_for_[c].si();
        machine_.collectives[c].parts.push_back(std::move(part));
      }
    }
    program.program.tasks.clear();
    machine_.program = std::move(program.program);
    machine_.traffic = std::move(program.traffic);
    return std::move(machine_);
  }

 private:
  // Of the ranks.
  enum Phase : std::size_t { kKernel, kOut, kIn, kPhases };

  // nullptr if the one that is asked for cannot do it.
  [[nodiscard]] const comm::Algorithm* choose(comm::Op op) const {
    const auto can = [&](const comm::Algorithm* algorithm) {
      return algorithm->supports(op, layout_);
    };
    if (!options_.algorithm.empty()) {
      const comm::Algorithm* algorithm = comm::find_algorithm(options_.algorithm);
      ensure(algorithm != nullptr, "an algorithm that is not known");
      return can(algorithm) ? algorithm : nullptr;
    }
    return can(&comm::kRings) ? &comm::kRings : can(&comm::kRing) ? &comm::kRing : nullptr;
  }

  // One rank per device; each computes, moves out and moves in, one phase after the other.
  void add_devices(const chip::Device& device) {
    const std::uint32_t count = layout_.positions;
    PhaseProgram ranks{.name = "devices", .issuer = machine_.kernels, .ranks = count};
    ranks.payload = ranks.chunk_size = 1.0;
    std::vector<std::vector<Demand>> demands(kPhases);
    machine_.has_store = true;
    for (std::uint32_t position = 0; position < count; ++position) {
      const std::uint32_t rank = layout_.device(position);
      const auto memory = builder_.add_resource({.name = fmt::format("memory of device {}", rank),
                                                 .bandwidth = device.memory.bandwidth,
                                                 .is_link = false});
      const auto store = platform::backing_store(platform_, rank, options_.placement);
      machine_.has_store = machine_.has_store && !store.empty();
      demands[kKernel].push_back({.draws = {{memory}}});
      demands[kOut].push_back(transfer(memory, store, true));
      demands[kIn].push_back(transfer(memory, store, false));
    }
    machine_.store_capacity = store_capacity();
    for (std::vector<Demand>& phase : demands) {
      const auto first = static_cast<std::uint32_t>(ranks.lanes.size());
      for (std::uint32_t position = 0; position < count; ++position) {
        ranks.lanes.push_back(
            {.from = position,
             .to = position,
             .work = 1.0,
             .demand = builder_.program().program.add(std::move(phase[position]))});
      }
      ranks.phases.push_back({.first_lane = first, .end_lane = first + count});
    }
    builder_.program().program.add(sim::Task{std::move(ranks)});
  }

  Demand transfer(Id<sim::Resource> memory, const std::vector<StorePart>& store, bool out) {
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

  // All devices store alike: with x bytes of each, a memory holds x times the shares it has of
  // them. The fullest is full first.
  [[nodiscard]] Bytes store_capacity() const {
    Bytes least = Bytes::infinity();
    for (const auto& [key, shares] : stored_shares_) {
      const platform::NodeMemory& memory = platform_.graph.class_of(key.first).memory;
      least = std::min(least, memory.capacity / (memory.groups * shares));
    }
    return least;
  }

  Id<sim::Resource> store_resource(const StorePart& part) {
    const auto key = std::pair(part.node, part.group);
    if (const auto known = stores_.find(key); known != stores_.end()) {
      return known->second;
    }
    const platform::Graph& graph = platform_.graph;
    const bool whole = graph.class_of(part.node).memory.groups == 1;
    const auto resource = builder_.add_resource(
        {.name = fmt::format("memory of {}{}",
                             graph.name(part.node),
                             whole ? std::string() : fmt::format(", group {}", part.group)),
         .bandwidth = part.bandwidth,
         .is_link = false});
    stores_.emplace(key, resource);
    return resource;
  }

  void take_devices(comm::CollectiveProgram& program, const std::vector<std::uint32_t>& members) {
    const auto ranks = std::get<PhaseProgram>(program.program.tasks.front().what);
    const std::array load{load_of(program.program, ranks, kKernel),
                          load_of(program.program, ranks, kOut),
                          load_of(program.program, ranks, kIn)};
    machine_.store_bandwidth = BytesPerSecond::infinity();
    for (std::uint32_t r = 0; r < ranks.ranks; ++r) {
      const auto demand = [&](Phase phase, const char* name) {
        const Id<Demand> id = lane_of(ranks, phase, r).demand;
        const BytesPerSecond rate(lone_rate(program.program, id, load[phase]));
        if (phase != kKernel) {
          machine_.store_bandwidth = std::min(machine_.store_bandwidth, rate);
        }
        return options_.contention ? id : alone(program, id, rate, name);
      };
      machine_.devices.push_back({.members = members[r],
                                  .kernel = demand(kKernel, "memory of a device"),
                                  .offload = demand(kOut, "way out of a device"),
                                  .prefetch = demand(kIn, "way into a device")});
    }
  }

  // What all devices together draw on each resource for a byte of each.
  static std::vector<double> load_of(const sim::Program& program,
                                     const PhaseProgram& ranks,
                                     std::size_t phase) {
    std::vector<double> load(program.resources.size(), 0.0);
    for (std::uint32_t r = 0; r < ranks.ranks; ++r) {
      for (const sim::Draw& draw : program.demands[lane_of(ranks, phase, r).demand.index()].draws) {
        load[draw.resource.index()] += draw.amount * draw.count;
      }
    }
    return load;
  }

  static const sim::Lane& lane_of(const PhaseProgram& ranks, std::size_t phase, std::uint32_t r) {
    return ranks.lanes[ranks.phases[phase].first_lane + r];
  }

  // The rate of an activity when only its own kind runs, on all devices alike.
  static double lone_rate(const sim::Program& program,
                          Id<Demand> id,
                          const std::vector<double>& load) {
    const Demand& demand = program.demands[id.index()];
    double rate = demand.speed_limit;
    for (const sim::Draw& draw : demand.draws) {
      const std::size_t resource = draw.resource.index();
      rate = std::min(rate, program.resources[resource].capacity / load[resource]);
    }
    return rate;
  }

  // The same on a resource of its own, which is as fast as those it would share when only its own
  // kind runs.
  static Id<Demand> alone(comm::CollectiveProgram& program,
                          Id<Demand> id,
                          BytesPerSecond bandwidth,
                          const char* name) {
    const auto own = program.program.add(sim::Resource{.name = name, .capacity = bandwidth.si()});
    program.traffic.push_back({.name = name, .bandwidth = bandwidth, .is_link = false});
    const Seconds latency = program.program.demands[id.index()].latency;
    return program.program.add(Demand{.draws = {{own}}, .latency = latency});
  }

  const platform::Platform& platform_;
  const MachineOptions& options_;
  comm::ProgramBuilder builder_;
  Bytes stored_;
  comm::Layout layout_;
  std::map<std::pair<Id<platform::Node>, std::uint32_t>, Id<sim::Resource>> stores_;
  std::map<std::pair<Id<platform::Node>, std::uint32_t>, double> stored_shares_;
  std::vector<Bytes> made_for_;          // by template
  std::vector<std::size_t> first_task_;  // by template
  Machine machine_;
};

}  // namespace

Feasible<Machine> make_machine(const platform::Platform& platform,
                               const chip::Device& device,
                               std::span<const CollectiveKey> collectives,
                               const MachineOptions& options) {
  Probe probe(platform, device, options);
  for (const CollectiveKey& key : collectives) {
    if (auto why_not = probe.add(key)) {
      return *why_not;
    }
  }
  return probe.run();
}

const CollectiveTemplate& template_for(const Machine& machine, const CollectiveKey& key) {
  const CollectiveTemplate* large = nullptr;
  for (const CollectiveTemplate& entry : machine.collectives) {
    if (entry.op == key.op && entry.size == key.size.si()) {
      return entry;
    }
    if (entry.op == key.op && entry.size == kOfLargeMessages) {
      large = &entry;
    }
  }
  ensure(large != nullptr, "a collective that the machine was not made for");
  return *large;
}

}  // namespace cairn::lower
