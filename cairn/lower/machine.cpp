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
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/lower/alike.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/fold.hpp"

namespace cairn::lower {

namespace {

using comm::Traffic;
using platform::StorePart;
using sim::Demand;
using sim::PhaseProgram;

// CollectiveTemplate::size of the one for large messages that are not cut into chunks.
constexpr double kOfLargeMessages = 0.0;

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

// Every device, link and memory, or one of each class where all_alike().
class Probe {
 public:
  Probe(const platform::Platform& platform,
        const chip::Device& device,
        const plan::Mesh& mesh,
        const plan::Placement& placement,
        bool alike,
        const MachineOptions& options)
      : platform_(platform),
        mesh_(mesh),
        options_(options),
        builder_(platform,
                 alike ? comm::View::kOnePerClass : comm::View::kEveryMember,
                 options.endpoint,
                 alike ? mesh.stages() : 1),
        stored_(most_stored(platform.graph)) {
    ensure(placement.size() == mesh.shards(), "a placement of another mesh");
    const bool in_rank_order = alike || (all_devices() && std::ranges::is_sorted(placement));
    layout_ = comm::make_layout(platform, in_rank_order ? std::vector<std::uint32_t>{} : placement);
    layout_.first_position_only = alike;
    machine_.kernels =
        builder_.program().program.add(sim::Issuer{.name = "kernels", .per_member = true});
    machine_.out_queue =
        builder_.program().program.add(sim::Issuer{.name = "copy out", .per_member = true});
    machine_.in_queue =
        builder_.program().program.add(sim::Issuer{.name = "copy in", .per_member = true});
    machine_.has_store = true;
    for (std::uint32_t stage = 0; stage < mesh.stages(); ++stage) {
      add_devices(device, stage);
    }
    machine_.store_capacity = store_capacity();
  }

  // Nothing if the algorithm can do it.
  std::optional<Infeasible> add(const CollectiveKey& key) {
    const comm::Collective collective{
        .op = key.kind.op, .size = key.size, .group = layout_.members};
    comm::Schedule schedule;
    CollectiveTemplate entry{.kind = key.kind};
    const platform::Protocol* protocol = nullptr;
    const comm::Layout* used = &layout_;
    std::vector<comm::Layout> layouts;
    std::vector<comm::Buffers> buffers;  // where not all devices take part as one group
    std::uint32_t most = 1;              // chunks that phases gain from
    comm::Chunking chunking{.window = comm::window_at(options_.endpoint), .through_engines = true};
    if (key.kind.op == comm::Op::kSendReceive) {
      const std::vector<comm::Transfer> all = transfers(key.kind);
      // One that stands for all is between the two devices of its own layout.
      const std::array first{comm::Transfer{0, 1}};
      using Transfers = std::span<const comm::Transfer>;
      const Transfers done = by_statement() ? Transfers(first) : Transfers(all);
      schedule = comm::schedule_of_transfers(done);
      buffers = comm::buffers_of_transfers(by_statement() ? 2 : layout_.positions, done);
      entry.algorithm = "point to point";
      layouts.reserve(all.size());
      for (const comm::Transfer& transfer : all) {
        layouts.push_back(comm::layout_of(layout_, {transfer.from, transfer.to}));
      }
      protocol = choose_protocol(collective, layouts, comm::kDirect);
      used = by_statement() ? &layouts.front() : used;
    } else {
      const std::vector<comm::Group> groups = groups_of(key.kind);
      ensure(groups.front().size() > 1, "a collective of a single device");
      const bool among_all = groups.front().size() == layout_.positions;
      for (const comm::Group& group : groups) {
        layouts.push_back(among_all ? layout_among_all() : comm::layout_of(layout_, group));
        layouts.back().first_position_only = by_statement();
      }
      const comm::Algorithm* algorithm = choose_algorithm(options_, key.kind.op, layouts);
      if (algorithm == nullptr) {
        return Infeasible{"collective",
                          fmt::format("{} cannot do {} among {} of the {} devices of {}",
                                      options_.algorithm.empty() ? "ring" : options_.algorithm,
                                      comm::info(key.kind.op).name,
                                      groups.front().size(),
                                      platform_.device_count(),
                                      platform_.name)};
      }
      entry.algorithm = algorithm->name;
      protocol = choose_protocol(collective, layouts, *algorithm);
      const bool one = among_all || by_statement();
      used = one ? &layouts.front() : used;
      schedule = one ? algorithm->schedule(collective, *used)
                     : comm::schedule_in_groups(collective, layout_, groups, *algorithm);
      if (!one) {
        buffers = comm::buffers_in_groups(collective, layout_.positions, groups);
      }
      most = comm::chunks_at(
          options_.endpoint, collective.size, algorithm->chunks(collective, layouts.front()));
    }
    chunking.chunks = chunks_of(collective.size, schedule, most);
    const bool large = key.size * smallest_share(schedule) >= stored_;
    entry.protocol = protocol == nullptr ? std::string() : protocol->name;
    const bool any_size = large && protocol == nullptr && chunking.chunks == 1 &&
                          !comm::cuts_by_itself(options_.endpoint);
    entry.size = any_size ? kOfLargeMessages : key.size.si();
    const auto same = [&](const CollectiveTemplate& other) {
      return other.kind == entry.kind && other.size == entry.size;
    };
    if (std::ranges::none_of(machine_.collectives, same)) {
      made_for_.push_back(key.size);
      machine_.collectives.push_back(std::move(entry));
      first_task_.push_back(builder_.program().program.tasks.size());
      builder_.add(collective, *used, schedule, chunking, protocol, buffers);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Infeasible> engines_lack() {
    const auto lack = builder_.engines_lack();
    return lack ? lack : comm::chunks_that_do_not_fit(builder_.program().program);
  }

  Machine run() {
    if (options_.locate_links) {
      machine_.of_link = builder_.locate_links();
    }
    comm::CollectiveProgram program = builder_.take();
    first_task_.push_back(program.program.tasks.size());
    sim::collapse_steps(program.program);
    std::vector<std::vector<std::uint32_t>> members(
        mesh_.stages(),
        std::vector<std::uint32_t>(simulated(), mesh_.shards_of_stage() / simulated()));
    if (options_.fold && !by_statement()) {
      if (auto folded = sim::fold(program.program)) {
        members = std::move(folded->rank_members);
        std::vector<Traffic> traffic;
        for (std::size_t r = 0; r < folded->resource.size(); ++r) {
          traffic.push_back(program.traffic[folded->resource[r]]);
          traffic.back().members = folded->resource_members[r];
        }
        for (std::uint32_t& resource : machine_.of_link) {
          resource = resource == comm::kUnused ? comm::kUnused : folded->resource_class[resource];
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
  enum Phase : std::size_t { kKernel, kOut, kIn, kCores, kPhases };

  // Collectives use cores that kernels use.
  [[nodiscard]] bool shares_cores() const {
    return options_.contention && options_.endpoint.executor == comm::Executor::kCores &&
           options_.endpoint.sharing == comm::Sharing::kShared;
  }

  [[nodiscard]] bool all_devices() const { return mesh_.shards() == platform_.device_count(); }

  // At most as many as phases gain from; an engine cuts by itself.
  [[nodiscard]] std::uint32_t chunks_of(Bytes size,
                                        const comm::Schedule& schedule,
                                        std::uint32_t most) const {
    if (comm::cuts_by_itself(options_.endpoint)) {
      return comm::chunks_of(size, schedule, *options_.endpoint.engine.chunk);
    }
    return options_.chunk == Bytes(0.0)
               ? 1
               : std::min(most, comm::chunks_of(size, schedule, options_.chunk));
  }

  // Algorithms that go by dimensions find these in the order of the platform, others have their
  // neighbours where the placement put them.
  [[nodiscard]] comm::Layout layout_among_all() const {
    const comm::Algorithm* asked = comm::find_algorithm(options_.algorithm);
    return asked != nullptr && asked->by_dimension && all_devices() && !by_statement()
               ? comm::make_layout(platform_, {})
               : layout_;
  }

  // Every shard of a stage to the one in the same place of the other; the first, if all are alike.
  [[nodiscard]] std::vector<comm::Transfer> transfers(const ExchangeKind& kind) const {
    const std::uint32_t count = mesh_.shards_of_stage();
    std::vector<comm::Transfer> result;
    for (std::uint32_t i = 0; i < simulated(); ++i) {
      result.push_back({kind.stage * count + i, kind.to_stage * count + i});
    }
    return result;
  }

  // All of them; one, if they are alike.
  [[nodiscard]] std::vector<comm::Group> groups_of(const ExchangeKind& kind) const {
    if (!by_statement()) {
      return mesh_.groups(kind.axes, kind.stage);
    }
    comm::Group group(mesh_.group_size(kind.axes));
    std::iota(group.begin(), group.end(), kind.stage * mesh_.shards_of_stage());
    return {std::move(group)};
  }

  // One of each stands for all, by the platform's stated symmetry: see all_alike().
  [[nodiscard]] bool by_statement() const { return layout_.first_position_only; }

  // Devices of a stage.
  [[nodiscard]] std::uint32_t simulated() const {
    return by_statement() ? 1 : mesh_.shards_of_stage();
  }

  // One rank per device of the stage; each computes, moves out and moves in, and occupies its cores
  // if that matters, one phase after the other. Devices of different stages never do the same, so
  // that each stage is a task of its own.
  void add_devices(const chip::Device& device, std::uint32_t stage) {
    const std::uint32_t count = simulated();
    PhaseProgram ranks{.name = "devices", .issuer = machine_.kernels, .ranks = count};
    ranks.payload = ranks.chunk_size = 1.0;
    std::vector<std::vector<Demand>> demands(kPhases);
    for (std::uint32_t position = 0; position < count; ++position) {
      const std::uint32_t rank = layout_.device(stage * mesh_.shards_of_stage() + position);
      const auto memory = builder_.add_resource({.name = fmt::format("memory of device {}", rank),
                                                 .members = mesh_.shards_of_stage() / count,
                                                 .bandwidth = device.memory.bandwidth,
                                                 .is_link = false});
      const auto store = platform::backing_store(platform_, rank, options_.placement);
      machine_.has_store = machine_.has_store && !store.empty();
      comm::KernelResources of_kernels{.memory = memory};
      if (shares_cores()) {
        of_kernels.cores = builder_.add_resource({.name = fmt::format("cores of device {}", rank),
                                                  .members = mesh_.shards_of_stage() / count,
                                                  .bandwidth = comm::cores_move(device),
                                                  .is_link = false});
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

  void take_devices(comm::CollectiveProgram& program,
                    const std::vector<std::vector<std::uint32_t>>& members) {
    std::vector<PhaseProgram> stages;
    for (std::uint32_t stage = 0; stage < mesh_.stages(); ++stage) {
      stages.push_back(std::get<PhaseProgram>(program.program.tasks[stage].what));
    }
    const std::array load{load_of(program.program, stages, kKernel),
                          load_of(program.program, stages, kOut),
                          load_of(program.program, stages, kIn)};
    machine_.store_bandwidth = BytesPerSecond::infinity();
    for (std::uint32_t stage = 0; stage < mesh_.stages(); ++stage) {
      for (std::uint32_t r = 0; r < stages[stage].ranks; ++r) {
        const auto demand = [&](Phase phase, const char* name) {
          const Id<Demand> id = lane_of(stages[stage], phase, r).demand;
          const BytesPerSecond rate(lone_rate(program.program, id, load[phase]));
          if (phase != kKernel) {
            machine_.store_bandwidth = std::min(machine_.store_bandwidth, rate);
          }
          return options_.contention ? id : alone(program, id, rate, members[stage][r], name);
        };
        machine_.devices.push_back(
            {.members = members[stage][r],
             .stage = stage,
             .kernel = demand(kKernel, "memory of a device"),
             .background = background(program, stages[stage], r, members[stage][r]),
             .offload = demand(kOut, "way out of a device"),
             .prefetch = demand(kIn, "way into a device")});
        if (shares_cores()) {
          const Id<Demand> cores = lane_of(stages[stage], kCores, r).demand;
          machine_.devices.back().cores = program.program.demands[cores.index()].draws.front();
        }
      }
    }
  }

  Id<Demand> background(comm::CollectiveProgram& program,
                        const PhaseProgram& ranks,
                        std::uint32_t r,
                        std::uint32_t members) const {
    const Id<Demand> kernel = lane_of(ranks, kKernel, r).demand;
    return options_.background
               ? alone(program, kernel, *options_.background, members, "memory for the background")
               : kernel;
  }

  // What all devices together draw on each resource for a byte of each.
  static std::vector<double> load_of(const sim::Program& program,
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
                          std::uint32_t members,
                          const char* name) {
    double carried = 0.0;  // by all links, of a byte of each member
    for (const sim::Draw& draw : program.program.demands[id.index()].draws) {
      const Traffic& traffic = program.traffic[draw.resource.index()];
      carried += traffic.is_link ? draw.amount * draw.count * traffic.members : 0.0;
    }
    const auto own = program.program.add(sim::Resource{.name = name, .capacity = bandwidth.si()});
    program.traffic.push_back({.name = name,
                               .members = members,
                               .bandwidth = bandwidth,
                               .is_link = false,
                               .links_crossed = carried / members});
    const Seconds latency = program.program.demands[id.index()].latency;
    return program.program.add(Demand{.draws = {{own}}, .latency = latency});
  }

  const platform::Platform& platform_;
  const plan::Mesh& mesh_;
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
                               const plan::Mesh& mesh,
                               const plan::Placement& placement,
                               std::span<const CollectiveKey> collectives,
                               const MachineOptions& options) {
  comm::check_protocols(platform);
  const bool alike = all_alike(platform, mesh, placement, collectives, options);
  Probe probe(platform, device, mesh, placement, alike, options);
  for (const CollectiveKey& key : collectives) {
    if (auto why_not = probe.add(key)) {
      return *why_not;
    }
  }
  if (auto why_not = probe.engines_lack()) {
    return *why_not;
  }
  return probe.run();
}

const CollectiveTemplate& template_for(const Machine& machine, const CollectiveKey& key) {
  const CollectiveTemplate* large = nullptr;
  for (const CollectiveTemplate& entry : machine.collectives) {
    if (entry.kind == key.kind && entry.size == key.size.si()) {
      return entry;
    }
    if (entry.kind == key.kind && entry.size == kOfLargeMessages) {
      large = &entry;
    }
  }
  ensure(large != nullptr, "a collective that the machine was not made for");
  return *large;
}

}  // namespace cairn::lower
