#include "cairn/memory/action_list.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

using Actions = std::vector<Id<Action>>;

constexpr Id<Action> kFirst(0U);
constexpr Id<Action> kSecond(1U);
constexpr Id<Action> kThird(2U);

// A plan of some tensors, whose actions the tests add.
struct World {
  Id<model::Tensor> add(StorageUse use) {
    use.first = 0;
    live.storage.push_back(std::move(use));
    rows.emplace_back();
    return plan.graph.add({.name = "t"});
  }

  [[nodiscard]] ActionList list() const { return {plan, live, rows}; }

  plan::Plan plan{};
  Liveness live{};
  std::vector<std::optional<Bytes>> rows{};
};

Schedule taken(ActionList list) {
  Schedule schedule;
  std::move(list).move_to(schedule);
  return schedule;
}

TEST(ActionList, ReaderWaitsForWriterAndNextWriterForBoth) {
  World world;
  const auto x = world.add({.bytes = Bytes(8.0)});
  ActionList list = world.list();

  list.add({}, {}, {x});
  list.add({}, {x}, {});
  list.add({}, {}, {x});

  const Schedule schedule = taken(std::move(list));
  EXPECT_EQ(schedule.actions[0].after, Actions{});
  EXPECT_EQ(schedule.actions[1].after, Actions{kFirst});
  EXPECT_EQ(schedule.actions[2].after, (Actions{kFirst, kSecond}));
}

TEST(ActionList, MemoryIsLiveFromTheWriterUntilItsLastReadersEnd) {
  World world;
  const auto x = world.add({.bytes = Bytes(8.0)});
  ActionList list = world.list();

  list.add({}, {}, {x});
  list.add({}, {x}, {});
  EXPECT_TRUE(list.has_open_range(x.index()));
  list.free(x.index());
  EXPECT_FALSE(list.has_open_range(x.index()));

  const Schedule schedule = taken(std::move(list));
  ASSERT_EQ(schedule.live_ranges.size(), 1U);
  EXPECT_EQ(schedule.live_ranges[0].bytes, Bytes(8.0));
  EXPECT_EQ(schedule.live_ranges[0].from, kFirst);
  EXPECT_EQ(schedule.live_ranges[0].until, (Actions{kSecond, kFirst}));
}

TEST(ActionList, WeightsAreAlwaysLiveAndSamplesFromTheBeginning) {
  World world;
  const auto weight = world.add({.kind = model::TensorKind::kWeight, .from_outside = true});
  const auto samples = world.add({.kind = model::TensorKind::kData, .from_outside = true});
  ActionList list = world.list();

  list.add({}, {weight, samples}, {});
  list.free(weight.index());
  list.free(samples.index());

  EXPECT_TRUE(list.is_always_live(weight.index()));
  EXPECT_FALSE(list.is_always_live(samples.index()));
  const Schedule schedule = taken(std::move(list));
  ASSERT_EQ(schedule.live_ranges.size(), 2U);
  for (const LiveRange& range : schedule.live_ranges) {
    EXPECT_EQ(range.from, std::nullopt);
  }
  EXPECT_EQ(schedule.live_ranges[weight.index()].until, Actions{});
  EXPECT_EQ(schedule.live_ranges[samples.index()].until, Actions{kFirst});
}

TEST(ActionList, RowsOfAStoredTableAreLiveFromTheirFetch) {
  World world;
  const auto table =
      world.add({.bytes = Bytes(1000.0), .kind = model::TensorKind::kWeight, .from_outside = true});
  world.rows[table.index()] = Bytes(10.0);
  ActionList list = world.list();

  EXPECT_FALSE(list.has_open_range(table.index()));
  list.add({.kind = ActionKind::kPrefetch}, {}, {table});

  const Schedule schedule = taken(std::move(list));
  ASSERT_EQ(schedule.live_ranges.size(), 1U);
  EXPECT_EQ(schedule.live_ranges[0].bytes, Bytes(10.0));
  EXPECT_EQ(schedule.live_ranges[0].from, kFirst);
}

// The next step writes the buffer that the previous one read, and reads the one it wrote.
TEST(ActionList, DoubleBuffersSwapBetweenSteps) {
  World world;
  const auto read = world.add({.from_outside = true, .cross_step = true});
  const auto made = world.add({.cross_step = true});
  world.plan.cross_step.push_back({.made = made, .read = read});
  ActionList list = world.list();

  list.add({}, {read}, {});
  list.add({}, {}, {made});
  list.swap_buffers();
  list.add({}, {read}, {});
  list.add({}, {}, {made});

  const Schedule schedule = taken(std::move(list));
  EXPECT_EQ(schedule.actions[kThird.index()].after, Actions{kSecond});
  EXPECT_EQ(schedule.actions.back().after, Actions{kFirst});
}

}  // namespace
}  // namespace cairn::memory
