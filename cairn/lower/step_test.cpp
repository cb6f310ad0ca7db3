#include "cairn/lower/step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/platform/topology/dc_dla.hpp"
#include "cairn/platform/topology/dgx1.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::lower {
namespace {

constexpr BytesPerSecond kLink{25e9};

chip::Device device() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes::infinity(), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

std::vector<kernel::Cost> costs_of(const plan::Plan& plan) {
  std::vector<kernel::Cost> costs;
  costs.reserve(plan.graph.operators.size());
  for (const model::Operator& op : plan.graph.operators) {
    costs.push_back(
        kernel::cost(kernel::work_of(plan.graph, op, chip::Precision::kFp16), device()));
  }
  return costs;
}

comm::CollectivePolicy by(const comm::Algorithm& algorithm) {
  return {.algorithm = {.algorithm = &algorithm}, .chunk_size = Bytes(0.0)};
}

Feasible<Machine> machine_for(const platform::Platform& platform,
                              const plan::Plan& plan,
                              const MachineOptions& options) {
  platform::Router router(platform);
  comm::Realizer realizer(router, options.endpoint, options.collectives);
  return make_machine(
      realizer, device(), plan.mesh, plan::first_devices(plan.mesh), collectives_of(plan), options);
}

sim::Timeline simulate_step(const platform::Platform& platform,
                            const plan::Plan& plan,
                            const memory::Policy& policy,
                            const MachineOptions& options) {
  const std::vector<kernel::Cost> costs = costs_of(plan);
  const Machine machine = machine_for(platform, plan, options).value();
  const memory::Schedule schedule =
      memory::schedule(plan,
                       costs,
                       policy,
                       {.store = Bytes::infinity(), .store_bandwidth = machine.store_bandwidth})
          .value();
  return sim::simulate(lower_schedule(plan, schedule, costs, machine).program);
}

plan::Plan plan_of(const model::Graph& forward, const plan::Strategy& strategy, std::uint32_t n) {
  return *plan::parallelize(with_backward_pass(forward), strategy, *plan::make_mesh(strategy, n));
}

platform::Platform any_platform() {
  namespace topology = platform::topology;
  const Seconds latency(*rc::gen::element(0.0, 300e-9, 1e-6));
  const Bytes stored(*rc::gen::element(0.0, 4096.0));
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return topology::make_cube_mesh({.bandwidth = kLink,
                                       .latency = latency,
                                       .host = true,
                                       .devices_per_uplink = *rc::gen::element(1U, 2U, 4U)});
    case 1:
      return topology::make_hc_dla({.bandwidth = kLink, .latency = latency});
    case 2:
      return topology::make_mc_dla_star_b(
          {.bandwidth = kLink, .latency = latency, .store_and_forward = stored});
    case 3:
      return topology::make_dc_dla({.devices = static_cast<std::uint64_t>(*rc::gen::inRange(2, 10)),
                                    .bandwidth = kLink,
                                    .latency = latency});
    default:
      return topology::make_mc_dla_ring(
          {.devices = static_cast<std::uint64_t>(*rc::gen::inRange(2, 10)),
           .bandwidth = kLink,
           .latency = latency,
           .store_and_forward = stored});
  }
}

model::Graph any_network() {
  const auto batch = static_cast<double>(*rc::gen::inRange(16, 256));
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return build(model::AlexNet{}, batch, {});
    case 1:
      return build(model::RecurrentNet{.hidden = 512, .steps = 6}, batch, {});
    default:
      return build(model::Vgg{.stages = {1, 1, 1, 1, 1}}, batch, {});
  }
}

// A step with one device per class takes as long as with all devices.
RC_GTEST_PROP(StepProperty, FoldedEqualsUnfolded, ()) {
  const platform::Platform platform = any_platform();
  const plan::Plan plan = plan_of(
      any_network(),
      {.parallelism = *rc::gen::element(plan::Parallelism::kData, plan::Parallelism::kModel)},
      platform.device_count());
  const memory::Policy policy{
      .offload = *rc::gen::element(memory::Offload::kNone, memory::Offload::kEverything)};
  MachineOptions options{
      .page_placement = *rc::gen::element(platform::PagePlacement::kLocal,
                                          platform::PagePlacement::kBandwidthAware),
      .contention = *rc::gen::arbitrary<bool>()};

  const sim::Timeline folded = simulate_step(platform, plan, policy, options);
  options.fold = false;
  const sim::Timeline unfolded = simulate_step(platform, plan, policy, options);

  const double picoseconds = std::abs(folded.end.since(unfolded.end).si()) * 1e12;
  RC_ASSERT(picoseconds <= static_cast<double>(unfolded.events));
}

// Around a switch one device of each stage represents all, whatever the groups of collectives.
RC_GTEST_PROP(StepProperty, AroundASwitchFoldedEqualsUnfolded, ()) {
  const auto platform = platform::read_platform(
      *rc::gen::element<std::string>("switch:8@25GB/s", "switch:8x2@25GB/s,1us"), {});
  plan::Strategy strategy = plan::read_strategy(parse_config(
      *rc::gen::element<std::string>(
          "RC-2-2-d2", "RC-1-4-d2", "CR-4-d2", "d8", "RC-1-2-d2-p2", "CR-2-d1-p4", "d4-p2"),
      "test"));
  strategy.micro_batches = strategy.stages == 1 ? 1U : *rc::gen::element(1U, 4U);
  const plan::Plan plan = plan_of(  // recurrent cells cannot form stages
      strategy.stages == 1 ? any_network() : build(model::AlexNet{}, 64.0, {}),
      strategy,
      8);
  comm::Endpoint endpoint;
  endpoint.executor = *rc::gen::element(comm::Executor::kIdeal, comm::Executor::kCores);
  endpoint.memory = BytesPerSecond(200e9);
  MachineOptions options{.contention = *rc::gen::arbitrary<bool>(), .endpoint = endpoint};
  const sim::Timeline folded = simulate_step(platform, plan, {}, options);
  options.fold = false;
  const sim::Timeline unfolded = simulate_step(platform, plan, {}, options);

  const double picoseconds = std::abs(folded.end.since(unfolded.end).si()) * 1e12;
  RC_ASSERT(picoseconds <= static_cast<double>(unfolded.events));
}

// Neighbours on the ring are those of the placement, folded or not.
TEST(Step, FoldedEqualsUnfoldedForAnyPlacement) {
  const auto ring = platform::read_platform("ring:8@25GB/s,500ns", {});
  const plan::Plan plan = plan_of(build(model::AlexNet{}, 64.0, {}), {}, 8);
  const auto time = [&](const plan::Placement& placement, bool fold) {
    platform::Router router(ring);
    const MachineOptions options{.collectives = by(comm::kRing), .fold = fold};
    comm::Realizer realizer(router, options.endpoint, options.collectives);
    const auto machine =
        make_machine(realizer, device(), plan.mesh, placement, collectives_of(plan), options);
    const auto costs = costs_of(plan);
    const auto schedule = memory::schedule(plan, costs, {}, {}).value();
    return sim::simulate(lower_schedule(plan, schedule, costs, *machine).program)
        .end.since(SimTime{})
        .si();
  };
  const plan::Placement apart{0, 4, 1, 5, 2, 6, 3, 7};

  EXPECT_NEAR(time(apart, true), time(apart, false), 1e-9);
  EXPECT_GT(time(apart, true), 1.5 * time(plan::first_devices(plan.mesh), true));
}

// Each of two devices that offload activations over one trunk competes separately with the
// collectives there, folded or not.
TEST(Step, FoldedEqualsUnfoldedWhereOffloadsAndCollectivesShareALink) {
  const auto platform = platform::read_platform(
      parse_config("topology: graph\n"
                   "nodes: [{name: a, count: 2}, {name: b, count: 2}, {name: s, kind: switch}, "
                   "{name: t, kind: switch}, {name: h, kind: host_socket}]\n"
                   "links:\n"
                   "  - {from: a, to: s, bandwidth: 100 GB/s}\n"
                   "  - {from: b, to: t, bandwidth: 100 GB/s}\n"
                   "  - {from: s, to: t, bandwidth: 25 GB/s}\n"
                   "  - {from: t, to: h, bandwidth: 100 GB/s}\n",
                   "test.yaml"),
      {});
  const plan::Plan plan = plan_of(build(model::AlexNet{}, 16.0, {}), {}, 4);
  const memory::Policy policy{.offload = memory::Offload::kEverything,
                              .overlap = memory::Overlap::kFree};

  const sim::Timeline folded =
      simulate_step(platform, plan, policy, {.collectives = by(comm::kDirect)});
  const sim::Timeline unfolded =
      simulate_step(platform, plan, policy, {.collectives = by(comm::kDirect), .fold = false});

  EXPECT_LT(folded.events, unfolded.events);
  EXPECT_NEAR(folded.end.since(SimTime{}).si(),
              unfolded.end.since(SimTime{}).si(),
              1e-12 * static_cast<double>(unfolded.events));
}

// Kernels that run as they are ready: with one slot and in a chain as if one by one, and for any
// concurrency no faster than cores and memory allow.
RC_GTEST_PROP(StepProperty, ConcurrentKernelsShareCoresAndMemory, ()) {
  const auto one = platform::topology::make_dc_dla({.bandwidth = kLink});
  const plan::Plan plan = plan_of(any_network(), {.devices = 1}, 1);
  const std::vector<kernel::Cost> costs = costs_of(plan);
  const Machine machine = machine_for(one, plan, {}).value();
  const auto step = [&](const memory::LaunchPolicy& launch) {
    const auto schedule =
        memory::schedule(plan, costs, {}, {.store_bandwidth = machine.store_bandwidth}, launch);
    return sim::simulate(lower_schedule(plan, *schedule, costs, machine).program)
        .end.since(SimTime{});
  };
  Seconds compute(0.0);
  Seconds memory(0.0);
  for (const kernel::Cost& cost : costs) {
    compute += cost.compute;
    memory += cost.memory / device().memory.bandwidth;
  }
  const Seconds program = step({});
  const Seconds several = step({.at_once = static_cast<std::uint32_t>(*rc::gen::inRange(2, 20))});

  RC_ASSERT(step({.order = memory::KernelOrder::kReady}) <= program * (1.0 + 1e-6));
  RC_ASSERT(several >= std::max(compute, memory) * (1.0 - 1e-6));
  RC_ASSERT(several <= program * (1.0 + 1e-6));
}

// Link traffic equals the bytes that the schedule transfers: bytes are conserved.
RC_GTEST_PROP(StepProperty, LinkTrafficEqualsScheduledTransfers, ()) {
  const auto ring = platform::topology::make_mc_dla_ring({.bandwidth = kLink});
  const plan::Plan plan = plan_of(any_network(), {}, 8);
  const std::vector<kernel::Cost> costs = costs_of(plan);
  const MachineOptions options{.fold = *rc::gen::arbitrary<bool>()};
  const Machine machine = machine_for(ring, plan, options).value();
  const memory::Schedule schedule =
      memory::schedule(plan,
                       costs,
                       {.offload = memory::Offload::kEverything},
                       {.store = Bytes::infinity(), .store_bandwidth = machine.store_bandwidth})
          .value();
  const sim::Timeline timeline =
      sim::simulate(lower_schedule(plan, schedule, costs, machine).program);

  double at_memory_nodes = 0.0;
  for (std::size_t r = 0; r < machine.traffic.size(); ++r) {
    if (machine.traffic[r].name.starts_with("memory of memory-node")) {
      at_memory_nodes += timeline.use[r].drawn * machine.traffic[r].members;
    }
  }
  const double moved = 2.0 * 8.0 * schedule.fullest().moved.si();  // there and back, eight devices
  RC_ASSERT(std::abs(at_memory_nodes - moved) <= 1e-9 * moved);
}

// Without the memory-nodes on the rings, collectives take as long as on DC-DLA.
TEST(Step, CollectivesWithoutMemoryNodesEqualThoseOfDcDla) {
  namespace topology = platform::topology;
  const auto dc = topology::make_dc_dla({.bandwidth = kLink, .latency = Seconds(600e-9)});
  // Two hops of half the latency, nothing stored on the way.
  const auto mc = topology::make_mc_dla_ring({.bandwidth = kLink, .latency = Seconds(300e-9)});
  const plan::Plan plan = plan_of(build(model::AlexNet{}, 512.0, {}), {}, 8);

  const SimTime on_dc = simulate_step(dc, plan, {}, {}).end;
  const SimTime on_mc = simulate_step(mc, plan, {}, {}).end;

  EXPECT_NEAR(on_dc.since(SimTime{}).si(), on_mc.since(SimTime{}).si(), 1e-9);
}

// Newest first, for any number: each gradient all-reduce goes before all older ones.
TEST(Step, LifoOrdersEveryExchange) {
  const auto two = platform::read_platform("ring:2@25GB/s,500ns", {});
  model::Net net("chain", 2.0);
  auto x = net.input_from_below("x", {.samples = 2.0, .channels = 8.0});
  for (int layer = 0; layer < 40; ++layer) {
    x = net.fully_connected("fc" + std::to_string(layer), x, 8.0);
  }
  const plan::Plan plan = plan_of(std::move(net).take(), {}, 2);
  const std::vector<kernel::Cost> costs(plan.graph.operators.size(), {.time = Seconds(1e-6)});
  const auto schedule =
      memory::schedule(
          plan,
          costs,
          {},
          {},
          {.sequence = {.steps = memory::kMaxSteps, .exchanges = memory::ExchangeOrder::kLastIn}})
          .value();
  ASSERT_FALSE(check_exchanges(schedule));
  const StepProgram program =
      lower_schedule(plan, schedule, costs, machine_for(two, plan, {}).value());

  std::uint32_t last = sim::kTurns;
  std::uint32_t exchanges = 0;
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    if (schedule.actions[a].kind == memory::ActionKind::kExchange) {
      const auto& part =
          std::get<sim::PhaseProgram>(program.program.tasks[program.first_task[a]].what);
      ASSERT_LT(part.turn, last);
      last = part.turn;
      ++exchanges;
    }
  }
  EXPECT_EQ(exchanges, 40U * memory::kMaxSteps);
}

TEST(Step, TooManyExchangesToOrderAreInfeasible) {
  memory::Schedule schedule;
  schedule.launch.sequence.exchanges = memory::ExchangeOrder::kFirstIn;
  schedule.actions.resize(sim::kTurns / 2, {.kind = memory::ActionKind::kExchange});
  EXPECT_FALSE(check_exchanges(schedule));
  schedule.actions.push_back({.kind = memory::ActionKind::kExchange});
  ASSERT_TRUE(check_exchanges(schedule));
  EXPECT_EQ(check_exchanges(schedule)->limit(), "collectives.order");
  schedule.launch.sequence.exchanges = memory::ExchangeOrder::kSequential;
  EXPECT_FALSE(check_exchanges(schedule));
}

TEST(Step, AnAlgorithmThatDoesNotSupportACollectiveIsInfeasible) {
  const auto dc = platform::topology::make_dc_dla({.bandwidth = kLink});
  const plan::Plan plan = plan_of(build(model::AlexNet{}, 64.0, {}), {.devices = 4}, 4);

  const auto machine = machine_for(dc, plan, {.collectives = by(comm::kRings)});

  ASSERT_FALSE(machine.feasible());
  EXPECT_EQ(machine.reason().limit(), "collective");
}

}  // namespace
}  // namespace cairn::lower
