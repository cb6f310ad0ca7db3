#include "cairn/memory/schedule.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cairn/memory/bound.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/model/test_support/any_gpt.hpp"
#include "cairn/plan/test_support/strategies.hpp"

namespace cairn::memory {
namespace {

using model::Graph;
using model::Tensor;
using model::TensorKind;

chip::Device device() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes(16e9), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

const Limits kRoom{.capacity = Bytes::infinity(),
                   .store = Bytes::infinity(),
                   .store_bandwidth = BytesPerSecond(16e9)};

plan::Plan plan_of(const Graph& forward, const plan::Strategy& strategy = {}, std::uint32_t n = 1) {
  return *plan::parallelize(with_backward_pass(forward), strategy, *plan::make_mesh(strategy, n));
}

Feasible<Schedule> try_schedule(const plan::Plan& plan,
                                const Policy& policy,
                                Limits limits = kRoom) {
  std::vector<kernel::Cost> costs;
  costs.reserve(plan.graph.operators.size());
  for (const model::Operator& op : plan.graph.operators) {
    costs.push_back(
        kernel::cost(kernel::work_of(plan.graph, op, chip::Precision::kFp16), device()));
  }
  return schedule(plan, costs, policy, limits);
}

Schedule schedule_of(const plan::Plan& plan, const Policy& policy) {
  return try_schedule(plan, policy).value();
}

// A chain of equal layers.
Graph chain(std::uint32_t layers, double batch = 1024.0) {
  model::Net net("chain", batch);
  auto x = net.input("x", {.samples = batch, .channels = 256});
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    x = net.activation("relu", net.fully_connected("fc", x, 256));
  }
  return std::move(net).take();
}

constexpr Policy kOffload{.offload = Offload::kEverything};

TEST(Schedule, WithoutOffloadTransfersNothing) {
  const Schedule result = schedule_of(plan_of(chain(10)), {});

  EXPECT_TRUE(std::ranges::none_of(result.actions, &Action::moves));
  EXPECT_EQ(result.fullest().offloaded, Bytes(0.0));
}

// Every layer's output and the input: 11 activations of 1024 x 256 elements of 2 bytes.
TEST(Schedule, OffloadsEveryActivationOnce) {
  const Schedule result = schedule_of(plan_of(chain(10)), kOffload);

  EXPECT_DOUBLE_EQ(result.fullest().offloaded.si(), 11 * 1024.0 * 256 * 2);
  EXPECT_EQ(result.fullest().moved, result.fullest().offloaded);
}

TEST(Schedule, PeakMemoryIsLinearInDepthWithoutOffloadAndFlatWithIt) {
  const auto peak = [](std::uint32_t layers, const Policy& policy) {
    const Schedule result = schedule_of(plan_of(chain(layers)), policy);
    return (result.fullest().peak - result.fullest().weights).si();
  };
  const double map = 1024.0 * 256 * 2;

  EXPECT_DOUBLE_EQ(peak(40, {}) - peak(20, {}), 20 * map);
  EXPECT_DOUBLE_EQ(peak(80, {}) - peak(40, {}), 40 * map);
  EXPECT_DOUBLE_EQ(peak(40, kOffload), peak(20, kOffload));
  EXPECT_DOUBLE_EQ(peak(80, kOffload), peak(20, kOffload));
}

TEST(Schedule, OffloadMakesPeakMemoryFlatInTheFramesOfAVideo) {
  const auto peak = [](std::uint32_t frames, const Policy& policy) {
    const model::VideoNet video{.frames = frames, .frames_at_once = 2};
    return schedule_of(plan_of(build(video, 8.0, {})), policy).fullest().peak.si();
  };
  const double frame = peak(8, {}) - peak(6, {});

  Policy all = kOffload;
  all.offload_state = true;

  EXPECT_NEAR(peak(64, {}) - peak(8, {}), 28 * frame, 1e-6 * frame);
  // With activations alone, the max-pool indices stay.
  EXPECT_GT(peak(64, kOffload) - peak(8, kOffload), frame);
  // One kernel selects the tokens of all frames.
  EXPECT_LT(peak(64, all) - peak(8, all), 0.01 * 28 * frame);
}

// Each transfer waits for the previous one in the same direction.
TEST(Schedule, TransfersInOrderFormTwoChains) {
  Policy policy = kOffload;
  policy.in_order = true;
  const Schedule result = schedule_of(plan_of(chain(10)), policy);
  for (const ActionKind kind : {ActionKind::kOffload, ActionKind::kPrefetch}) {
    std::optional<Id<Action>> last;
    for (std::size_t i = 0; i < result.actions.size(); ++i) {
      const Action& action = result.actions[i];
      if (action.kind != kind) {
        continue;
      }
      if (last) {
        EXPECT_NE(std::ranges::find(action.after, *last), action.after.end());
      }
      last = Id<Action>(i);
    }
    EXPECT_TRUE(last);
  }
}

TEST(Schedule, CompressionDividesTransferredBytes) {
  Policy policy = kOffload;
  policy.compression.fully_connected = 2.0;
  const double map = 1024.0 * 256 * 2;

  const Schedule result = schedule_of(plan_of(chain(10)), policy);

  EXPECT_DOUBLE_EQ(result.fullest().moved.si(), 10 * map / 2 + map);  // the input is not compressed
  EXPECT_DOUBLE_EQ(result.fullest().offloaded.si(), 11 * map);
}

// conv -> relu -> pool -> conv: the pool is recomputed from its input.
TEST(Schedule, CheapOperatorsAreRecomputedWhereThatBeatsOffloading) {
  const plan::Plan plan = plan_of(build(model::Vgg{}, 8.0, {}));

  const Schedule recomputed = schedule_of(plan, kOffload);
  const Schedule offloaded =
      schedule_of(plan, {.offload = Offload::kEverything, .recompute = false});

  // Published: 10.42 M elements are read by contractions, 14.86 M are written by them.
  const model::Counts counts = count(build(model::Vgg{}, 8.0, {}));
  const double image = 8.0 * 3 * 224 * 224;
  const double logits = 8.0 * 1000;
  EXPECT_NEAR(
      recomputed.fullest().offloaded.si() / 2.0, counts.contraction_outputs + image, 2.0 * logits);
  EXPECT_GT(recomputed.fullest().recomputed, Bytes(0.0));
  EXPECT_NEAR((recomputed.fullest().offloaded + recomputed.fullest().recomputed).si(),
              offloaded.fullest().offloaded.si(),
              1.0);
}

TEST(Schedule, HighCompressionFavorsOffloadingOverRecomputation) {
  const plan::Plan plan = plan_of(build(model::Vgg{}, 8.0, {}));
  Policy policy = kOffload;
  policy.compression.other = 1e6;

  EXPECT_EQ(schedule_of(plan, policy).fullest().recomputed, Bytes(0.0));
}

TEST(Schedule, WithMasksOnlyInputsOfContractionsAreOffloaded) {
  const model::NetOptions masks{.activation_saves = model::ActivationSaves::kMask};
  const model::Counts counts = count(build(model::Vgg{}, 8.0, {}));

  const Schedule result = schedule_of(plan_of(build(model::Vgg{}, 8.0, masks)), kOffload);

  const double softmax = 8.0 * 1000;
  EXPECT_NEAR(result.fullest().offloaded.si() / 2.0, counts.contraction_inputs, 2.0 * softmax);
}

TEST(Schedule, ReportsTheExcessAndTheKernelIfItDoesNotFit) {
  const plan::Plan plan = plan_of(chain(10));
  const Bytes peak = schedule_of(plan, {}).fullest().peak;

  const auto result = try_schedule(plan, {}, {.capacity = peak - Bytes(1000.0)});

  ASSERT_FALSE(result.feasible());
  EXPECT_EQ(result.reason().limit(), "device memory");
  EXPECT_NE(result.reason().detail.find("1 kB more than"), std::string::npos)
      << result.reason().detail;
  EXPECT_NE(result.reason().detail.find("relu (data gradient)"), std::string::npos);
}

TEST(Schedule, ReportsATensorThatIsLargerThanTheDevice) {
  const plan::Plan plan = plan_of(chain(3));
  const double map = 1024.0 * 256 * 2;

  const auto result =
      try_schedule(plan, kOffload, {.capacity = Bytes(0.9 * map), .store = kRoom.store});

  ASSERT_FALSE(result.feasible());
  EXPECT_GT(result.reason().constraint_violation,
            1.0 / 0.9 - 1.0);  // more than the tensor alone: all live memory counts
  EXPECT_NE(result.reason().detail.find("tensor x needs 524.3 kB"), std::string::npos)
      << result.reason().detail;
}

Graph any_network() {
  const auto batch = static_cast<double>(*rc::gen::inRange(1, 64));
  const model::NetOptions options{
      .pool_saves = *rc::gen::element(model::PoolSaves::kIndices, model::PoolSaves::kMaps),
      .activation_saves =
          *rc::gen::element(model::ActivationSaves::kMap, model::ActivationSaves::kMask)};
  switch (*rc::gen::inRange(0, 9)) {
    case 5:
      return build(model::any_gpt(), batch, options);
    case 7:
      return build(model::Dlrm{.tables = 9,
                               .rows = 100,
                               .dim = 8,
                               .lookups = 3,
                               .dense = 13,
                               .bottom = {32},
                               .top = {64}},
                   batch,
                   options);
    case 6:
      return build(
          model::Gnmt{.layers = 3, .hidden = 64, .vocab = 100, .steps = 4}, batch, options);
    case 0:
      return build(model::AlexNet{}, batch, options);
    case 1:
      return build(model::GoogLeNet{}, batch, options);
    case 2:
      return build(model::ResNet{.projections = *rc::gen::arbitrary<bool>()}, batch, options);
    case 3:
      return build(
          model::RecurrentNet{.cell = model::Cell::kLstm, .hidden = 64, .steps = 6, .layers = 2},
          batch,
          options);
    case 4:
      return build(model::VideoNet{.frames = 3}, batch, options);
    default:
      return build(model::Vgg{}, batch, options);
  }
}

plan::Plan any_plan() {
  const plan::Strategy strategy = plan::any_strategy();
  const auto plan = plan::parallelize(with_backward_pass(any_network()),
                                      strategy,
                                      *plan::make_mesh(strategy, plan::devices_of(strategy)));
  RC_PRE(plan.feasible());
  return *plan;
}

Policy any_policy() {
  return {.offload = *rc::gen::element(
              Offload::kNone, Offload::kEverything, Offload::kConvolutions, Offload::kOnDemand),
          .overlap = *rc::gen::element(Overlap::kLayer, Overlap::kFree, Overlap::kNone),
          .window = static_cast<std::uint32_t>(*rc::gen::inRange(1, 4)),
          .recompute = *rc::gen::arbitrary<bool>(),
          .offload_state = *rc::gen::arbitrary<bool>()};
}

// Whether `action` waits for `other`, directly or transitively.
bool comes_after(const Schedule& schedule, std::size_t action, std::size_t other) {
  std::vector<bool> before(schedule.actions.size(), false);
  before[action] = true;
  for (std::size_t a = action + 1; a-- > other;) {
    if (before[a]) {
      for (const Id<Action> earlier : schedule.actions[a].after) {
        before[earlier.index()] = true;
      }
    }
  }
  return before[other];
}

// Each tensor that the backward pass reads is available exactly once: kept, offloaded and
// prefetched, or recomputed.
RC_GTEST_PROP(ScheduleProperty, InputsOfTheBackwardPassAreAvailableOnce, ()) {
  const plan::Plan plan = any_plan();
  Limits limits = kRoom;
  const Policy policy = any_policy();
  const Bytes all = schedule_of(plan, {}).fullest().peak;
  limits.capacity = all * *rc::gen::element(0.5, 0.8, 1.0);
  const auto tried = try_schedule(plan, policy, limits);
  RC_PRE(tried.feasible());
  const Schedule& result = *tried;

  const auto storage_of = [&](Id<Tensor> tensor) {
    return plan.graph.tensor(tensor).storage.value;
  };
  std::set<std::uint32_t> absent;
  std::map<std::uint32_t, std::size_t> offload;
  std::map<std::uint32_t, std::size_t> arrival;
  std::map<std::uint32_t, int> fetched;
  std::map<std::uint32_t, int> recomputed_times;
  Bytes out(0.0);
  Bytes in(0.0);
  for (std::size_t a = 0; a < result.actions.size(); ++a) {
    const Action& action = result.actions[a];
    if (action.kind == ActionKind::kOffload) {
      RC_ASSERT(!absent.contains(action.subject));
      absent.insert(action.subject);
      offload[action.subject] = a;
      out += action.bytes;
    } else if (action.kind == ActionKind::kPrefetch) {
      RC_ASSERT(absent.contains(action.subject));
      RC_ASSERT(comes_after(result, a, offload[action.subject]));
      absent.erase(action.subject);
      arrival[action.subject] = a;
      ++fetched[action.subject];
      in += action.bytes;
    } else if (action.kind != ActionKind::kExchange) {
      const model::Operator& op = plan.graph.operators[action.subject];
      for (const Id<Tensor> input : op.inputs) {
        RC_ASSERT(!absent.contains(storage_of(input)));
        if (arrival.contains(storage_of(input))) {
          RC_ASSERT(comes_after(result, a, arrival[storage_of(input)]));
        }
      }
      if (action.kind == ActionKind::kRecompute) {
        ++recomputed_times[op.outputs.front().value];
      }
    }
  }
  RC_ASSERT(absent.empty());
  RC_ASSERT(std::abs(out.si() - in.si()) <= 1e-9 * out.si());  // summed in different order
  for (const auto& [storage, times] : fetched) {
    RC_ASSERT(times == 1);
  }
  for (const auto& [tensor, times] : recomputed_times) {
    RC_ASSERT(times == 1);
  }
}

// A live range covers every action that uses the storage: freed memory is not read.
RC_GTEST_PROP(ScheduleProperty, MemoryIsLiveWheneverItIsUsed, ()) {
  const plan::Plan plan = any_plan();
  const Schedule result = schedule_of(plan, any_policy());

  const auto covered = [&](std::uint32_t storage, std::size_t action) {
    return std::ranges::any_of(result.live_ranges, [&](const LiveRange& range) {
      const bool begun = !range.from || range.from->index() <= action;
      const bool ended =
          !range.until.empty() &&
          std::ranges::all_of(range.until, [&](Id<Action> last) { return last.index() < action; });
      return range.storage.value == storage && begun && !ended;
    });
  };
  for (std::size_t a = 0; a < result.actions.size(); ++a) {
    const Action& action = result.actions[a];
    if (action.moves()) {
      RC_ASSERT(covered(action.subject, a));
    } else if (action.computes()) {
      for (const Id<Tensor> input : plan.graph.operators[action.subject].inputs) {
        RC_ASSERT(covered(plan.graph.tensor(input).storage.value, a));
      }
    }
  }
}

// A pipeline is only decided by simulation.
RC_GTEST_PROP(ScheduleProperty, OnDemandOffloadsNoMoreThanNeeded, ()) {
  const plan::Plan plan = any_plan();
  RC_PRE(plan.mesh.stages() == 1U);
  Limits limits = kRoom;
  const Bytes all = schedule_of(plan, {}).fullest().peak;
  limits.capacity = all * *rc::gen::element(0.4, 0.6, 0.8, 0.95, 1.0);
  const Policy policy{.offload = Offload::kOnDemand};

  const auto fitted = try_schedule(plan, policy, limits);
  const Schedule everything = schedule_of(plan, kOffload);

  if (fitted.feasible()) {
    RC_ASSERT(fitted->fullest().peak <= limits.capacity);
    RC_ASSERT(fitted->fullest().offloaded + fitted->fullest().recomputed <=
              everything.fullest().offloaded + everything.fullest().recomputed + Bytes(1.0));
  }
  RC_ASSERT(fitted.feasible() || everything.fullest().peak > limits.capacity * 0.99 ||
            limits.capacity < all);
  if (limits.capacity == all) {
    RC_ASSERT(fitted.feasible());
    RC_ASSERT(fitted->fullest().offloaded == Bytes(0.0));
  }
}

}  // namespace
}  // namespace cairn::memory
