#include "cairn/lower/machine.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "cairn/base/cancellation.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/comm/realize.hpp"
#include "cairn/lower/device_ranks.hpp"
#include "cairn/lower/exchange_choice.hpp"
#include "cairn/lower/symmetry.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/fold.hpp"

namespace cairn::lower {

namespace {

using sim::PhaseProgram;

constexpr Bytes kAnySize{0.0};

// Store-and-forward nodes delay messages by their size, up to this one.
Bytes max_stored(const platform::Graph& graph) {
  Bytes stored(0.0);
  for (const platform::NodeClass& node_class : graph.node_classes()) {
    stored = std::max(stored, node_class.store_and_forward);
  }
  return stored;
}

double smallest_share(const comm::CollectiveSchedule& schedule) {
  double smallest = 1.0;
  for (const comm::Part& part : schedule.parts) {
    for (const comm::Message& message : part.messages) {
      smallest = std::min(smallest, part.share * message.share);
    }
  }
  return smallest;
}

// Every device, link and memory, or one of each class where is_fully_symmetric().
class Probe {
 public:
  Probe(platform::Router& router,
        const chip::Device& device,
        const plan::Mesh& mesh,
        const comm::GroupLayout& layout,
        bool by_class,
        const MachineOptions& options)
      : platform_(router.platform()),
        mesh_(mesh),
        options_(options),
        builder_(router,
                 by_class ? comm::View::kOnePerClass : comm::View::kEveryMember,
                 options.endpoint,
                 by_class ? mesh.stages() : 1),
        stored_(max_stored(platform_.graph)),
        layout_(by_class ? comm::make_group_layout(platform_, {}) : layout) {
    layout_.first_position_only = by_class;
    devices_.emplace(platform_, device, options, builder_);
    for (std::uint32_t stage = 0; stage < mesh.stages(); ++stage) {
      devices_->add(devices_of(stage));
    }
    machine_.has_store = devices_->has_store();
    machine_.store_capacity = devices_->store_capacity();
  }

  void add(const ExchangeChoice& exchange, const comm::Realizer& realizer) {
    const CollectiveKey& key = exchange.key;
    const std::string algorithm = key.kind.op == comm::Op::kSendReceive
                                      ? "point to point"
                                      : comm::name_of(exchange.choice.algorithm);
    const bool scales = exchange.choice.protocols.empty() && exchange.choice.chunks == 1 &&
                        !comm::engine_sets_chunk_size(options_.endpoint);
    if (scales && stored_ == Bytes(0.0)) {
      if (const auto known = made_.find({key.kind, algorithm, kAnySize}); known != made_.end()) {
        machine_.template_of[key] = known->second;
        return;
      }
    }
    const comm::Realized made = by_statement()
                                    ? realize_by_statement(exchange, realizer)
                                    : realizer.realize(exchange.request, exchange.choice, false);
    const bool large = key.size * smallest_share(made.schedule) >= stored_;
    const auto [known, is_new] = made_.try_emplace(
        {key.kind, algorithm, scales && large ? kAnySize : key.size}, machine_.collectives.size());
    machine_.template_of[key] = known->second;
    if (is_new) {
      made_for_.push_back(key.size);
      machine_.collectives.push_back({.kind = key.kind,
                                      .algorithm = algorithm,
                                      .protocol = comm::protocol_names(made.schedule)});
      first_task_.push_back(builder_.program().program.tasks.size());
      builder_.add({.op = key.kind.op, .size = key.size, .group = made.layout.members},
                   made.layout,
                   made.schedule,
                   made.chunking,
                   made.buffers);
    }
  }

  [[nodiscard]] std::optional<Infeasible> check_engines() {
    const auto reason = builder_.check_engines();
    return reason ? reason : comm::check_chunks(builder_.program().program);
  }

  // `progress`: of devices, folded or not.
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
        program.traffic = comm::traffic_of_classes(program.traffic, *folded);
        for (std::uint32_t& resource : machine_.of_link) {
          resource = resource == comm::kUnused ? comm::kUnused : folded->resource_class[resource];
        }
        program.program = std::move(folded->program);
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
  // The first group or transfer of its stage: all are identical, and in the platform's order.
  [[nodiscard]] comm::Realized realize_by_statement(const ExchangeChoice& exchange,
                                                    const comm::Realizer& realizer) const {
    const ExchangeKind& kind = exchange.key.kind;
    const std::uint32_t shards = mesh_.shards_of_stage();
    comm::Request request{.collective = exchange.request.collective, .all = &layout_};
    if (kind.op == comm::Op::kSendReceive) {
      const comm::GroupLayout pair =
          comm::layout_of(layout_, {kind.stage * shards, kind.to_stage * shards});
      request.all = &pair;
      request.groups = {{0, 1}};
      return realizer.realize(request, exchange.choice, false);
    }
    comm::Group group(mesh_.group_size(kind.axes));
    std::iota(group.begin(), group.end(), kind.stage * shards);
    request.groups = {std::move(group)};
    return realizer.realize(request, exchange.choice, true);
  }

  // One of each represents all, by the platform's stated symmetry: see is_fully_symmetric().
  [[nodiscard]] bool by_statement() const { return layout_.first_position_only; }

  [[nodiscard]] DeviceRanks::Stage devices_of(std::uint32_t stage) const {
    const std::uint32_t shards = mesh_.shards_of_stage();
    DeviceRanks::Stage devices{.shards = shards};
    for (std::uint32_t position = 0; position < simulated(); ++position) {
      devices.devices.push_back(layout_.device(stage * shards + position));
    }
    return devices;
  }

  // Number of simulated devices of a stage.
  [[nodiscard]] std::uint32_t simulated() const {
    return by_statement() ? 1 : mesh_.shards_of_stage();
  }

  const platform::Platform& platform_;
  const plan::Mesh& mesh_;
  const MachineOptions& options_;
  comm::ProgramBuilder builder_;
  Bytes stored_;
  comm::GroupLayout layout_;
  std::optional<DeviceRanks> devices_;
  // Templates by kind, algorithm, and the size they were built for.
  std::map<std::tuple<ExchangeKind, std::string, Bytes>, std::size_t> made_;
  std::vector<Bytes> made_for_;          // by template
  std::vector<std::size_t> first_task_;  // by template
  Machine machine_;
};

}  // namespace

Feasible<Machine> make_machine(comm::Realizer& realizer,
                               const chip::Device& device,
                               const plan::Mesh& mesh,
                               const plan::Placement& placement,
                               std::span<const CollectiveKey> collectives,
                               const MachineOptions& options) {
  ensure(placement.size() == mesh.shards(), "placement does not match the mesh");
  platform::Router& router = realizer.router();
  const platform::Platform& platform = router.platform();
  comm::check_protocols(platform);
  const comm::GroupLayout layout = comm::make_group_layout(platform, placement);
  const auto exchanges = choose_exchanges(collectives, mesh, layout, realizer);
  if (!exchanges) {
    return exchanges.reason();
  }
  const bool symmetric = is_fully_symmetric(platform, mesh, *exchanges, options);
  Probe probe(router, device, mesh, layout, symmetric && options.fold, options);
  for (const ExchangeChoice& exchange : *exchanges) {
    check_cancelled();
    probe.add(exchange, realizer);
  }
  if (auto reason = probe.check_engines()) {
    return *reason;
  }
  return probe.run(symmetric ? sim::Progress::kLockstep : sim::Progress::kIndependent);
}

const CollectiveTemplate& template_for(const Machine& machine, const CollectiveKey& key) {
  const auto found = machine.template_of.find(key);
  ensure(found != machine.template_of.end(), "collective is not part of the machine's plan");
  return machine.collectives[found->second];
}

}  // namespace cairn::lower
