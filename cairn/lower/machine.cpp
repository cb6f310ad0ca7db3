#include "cairn/lower/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "cairn/base/cancellation.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/lower/alike.hpp"
#include "cairn/lower/device_ranks.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/fold.hpp"

namespace cairn::lower {

namespace {

using comm::Traffic;
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
    devices_.emplace(platform, device, options, builder_);
    for (std::uint32_t stage = 0; stage < mesh.stages(); ++stage) {
      devices_->add(devices_of(stage));
    }
    machine_.has_store = devices_->has_store();
    machine_.store_capacity = devices_->store_capacity();
  }

  // Nothing if the algorithm can do it.
  std::optional<Infeasible> add(const CollectiveKey& key) {
    const Feasible<Exchanged> made =
        key.kind.op == comm::Op::kSendReceive ? from_stage_to_stage(key) : in_groups(key);
    if (!made) {
      return made.reason();
    }
    const comm::Chunking chunking{.chunks = chunks_of(key.size, made->schedule, made->most_chunks),
                                  .window = comm::window_at(options_.endpoint),
                                  .through_engines = true};
    const bool large = key.size * smallest_share(made->schedule) >= stored_;
    const bool any_size = large && made->protocol == nullptr && chunking.chunks == 1 &&
                          !comm::cuts_by_itself(options_.endpoint);
    const double size = any_size ? kOfLargeMessages : key.size.si();
    const auto same = [&](const CollectiveTemplate& other) {
      return other.kind == key.kind && other.size == size;
    };
    if (std::ranges::none_of(machine_.collectives, same)) {
      made_for_.push_back(key.size);
      machine_.collectives.push_back(
          {.kind = key.kind,
           .size = size,
           .algorithm = made->algorithm,
           .protocol = made->protocol == nullptr ? std::string() : made->protocol->name});
      first_task_.push_back(builder_.program().program.tasks.size());
      builder_.add(
          collective(key), made->layout, made->schedule, chunking, made->protocol, made->buffers);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Infeasible> engines_lack() {
    const auto lack = builder_.engines_lack();
    return lack ? lack : comm::chunks_that_do_not_fit(builder_.program().program);
  }

  // `progress`: of devices, whether or not one of them stands for all.
  Machine run(sim::Progress progress) {
    if (options_.locate_links) {
      machine_.of_link = builder_.locate_links();
    }
    comm::CollectiveProgram program = builder_.take();
    first_task_.push_back(program.program.tasks.size());
    sim::collapse_steps(program.program, sim::Collapse::kWhereExact, progress);
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
    devices_->take(program, members, machine_);
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
  // How a collective of the plan is done.
  struct Exchanged {
    std::string algorithm{};
    const platform::Protocol* protocol = nullptr;  // null: the platform has none for it
    comm::Layout layout{};                         // of those that take part
    comm::Schedule schedule{};
    std::vector<comm::Buffers> buffers{};  // where not all devices take part as one group
    std::uint32_t most_chunks = 1;         // that phases gain from
  };

  [[nodiscard]] comm::Collective collective(const CollectiveKey& key) const {
    return {.op = key.kind.op, .size = key.size, .group = layout_.members};
  }

  [[nodiscard]] Exchanged from_stage_to_stage(const CollectiveKey& key) const {
    const std::vector<comm::Transfer> all = transfers(key.kind);
    std::vector<comm::Layout> layouts;
    layouts.reserve(all.size());
    for (const comm::Transfer& transfer : all) {
      layouts.push_back(comm::layout_of(layout_, {transfer.from, transfer.to}));
    }
    // One that stands for all is between the two devices of its own layout.
    const std::array first{comm::Transfer{0, 1}};
    using Transfers = std::span<const comm::Transfer>;
    const Transfers done = by_statement() ? Transfers(first) : Transfers(all);
    return {.algorithm = "point to point",
            .protocol = choose_protocol(collective(key), layouts, comm::kDirect),
            .layout = by_statement() ? layouts.front() : layout_,
            .schedule = comm::schedule_of_transfers(done),
            .buffers = comm::buffers_of_transfers(by_statement() ? 2 : layout_.positions, done)};
  }

  [[nodiscard]] Feasible<Exchanged> in_groups(const CollectiveKey& key) const {
    const std::vector<comm::Group> groups = groups_of(key.kind);
    ensure(groups.front().size() > 1, "a collective of a single device");
    const bool among_all = groups.front().size() == layout_.positions;
    std::vector<comm::Layout> layouts;
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
    const comm::Collective asked = collective(key);
    Exchanged made{.algorithm = std::string(algorithm->name),
                   .protocol = choose_protocol(asked, layouts, *algorithm),
                   .most_chunks = comm::chunks_at(
                       options_.endpoint, asked.size, algorithm->chunks(asked, layouts.front()))};
    if (among_all || by_statement()) {
      made.layout = layouts.front();
      made.schedule = algorithm->schedule(asked, made.layout);
    } else {
      made.layout = layout_;
      made.schedule = comm::schedule_in_groups(asked, layout_, groups, *algorithm);
      made.buffers = comm::buffers_in_groups(asked, layout_.positions, groups);
    }
    return made;
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

  [[nodiscard]] DeviceRanks::Stage devices_of(std::uint32_t stage) const {
    const std::uint32_t shards = mesh_.shards_of_stage();
    DeviceRanks::Stage devices{.shards = shards};
    for (std::uint32_t position = 0; position < simulated(); ++position) {
      devices.devices.push_back(layout_.device(stage * shards + position));
    }
    return devices;
  }

  // Devices of a stage.
  [[nodiscard]] std::uint32_t simulated() const {
    return by_statement() ? 1 : mesh_.shards_of_stage();
  }

  const platform::Platform& platform_;
  const plan::Mesh& mesh_;
  const MachineOptions& options_;
  comm::ProgramBuilder builder_;
  Bytes stored_;
  comm::Layout layout_;
  std::optional<DeviceRanks> devices_;
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
  Probe probe(platform, device, mesh, placement, alike && options.fold, options);
  for (const CollectiveKey& key : collectives) {
    check_cancelled();
    if (auto why_not = probe.add(key)) {
      return *why_not;
    }
  }
  if (auto why_not = probe.engines_lack()) {
    return *why_not;
  }
  return probe.run(alike ? sim::Progress::kLockstep : sim::Progress::kEachForItself);
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
