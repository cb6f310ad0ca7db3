#include "cairn/sim/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "cairn/base/cancellation.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/sim/test_support/programs.hpp"

namespace cairn::sim {
namespace {

using test::activity;
using test::add_phase;
using test::drawing;
using test::holding;
using test::lane;
using test::link;
using test::ns;
using test::phases;
using test::pool;
using ::testing::HasSubstr;

// One link of 1 GB/s (a byte takes 1 ns); work that runs by itself at 1 unit/ns.
class SimulateTest : public ::testing::Test {
 protected:
  Program program;
  Id<Issuer> issuer = program.add(Issuer{"first"});
  Id<Issuer> other_issuer = program.add(Issuer{"second"});
  Id<Resource> wire = program.add(link("wire"));
  Id<Demand> on_wire = program.add(drawing(wire));
  Id<Demand> by_itself = program.add(drawing(std::vector<Draw>{}, 0.0, test::kGigabyte));

  Id<Task> add_work(double nanoseconds, std::vector<Id<Task>> after = {}) {
    return program.add(Task{activity(by_itself, issuer, nanoseconds, 0), std::move(after)});
  }

  // Ranks 0 -> 1 over the wire, in chunks that are all in flight at once.
  Id<Task> add_send(double bytes,
                    std::uint32_t chunks,
                    Id<Issuer> by,
                    std::vector<Id<Task>> after) {
    PhaseProgram p = phases(2, bytes, by);
    p.chunk_size = bytes / chunks;
    p.window = chunks;
    add_phase(p, 1, {lane(0, 1, 1.0, on_wire)});
    return program.add(Task{std::move(p), std::move(after)});
  }

  [[nodiscard]] std::string bug() const {
    try {
      simulate(program);
    } catch (const Bug& bug) {
      return bug.what();
    }
    return "no bug";
  }
};

TEST_F(SimulateTest, AnEmptyProgramEndsAtOnce) {
  const Timeline timeline = simulate(Program{});

  EXPECT_EQ(timeline.end, ns(0));
  EXPECT_EQ(timeline.events, 0U);
}

TEST_F(SimulateTest, GivesUpBeyondTheEffortAllowed) {
  Id<Task> before = add_work(10);
  for (int i = 0; i < 100; ++i) {
    before = add_work(10, {before});
  }

  EXPECT_FALSE(simulate_within(program, Record::kTotals, 50));
  EXPECT_TRUE(simulate_within(program, Record::kTotals, 1000));
}

TEST_F(SimulateTest, AChainIsTheSumOfItsTasks) {
  const Id<Task> a = add_work(100.0);
  const Id<Task> b = add_send(200.0, 1, issuer, {a});
  const Id<Task> c = add_work(300.0, {b});

  const Timeline timeline = simulate(program);

  EXPECT_EQ(timeline.tasks[b.index()].started, ns(100));
  EXPECT_EQ(timeline.tasks[b.index()].finished, ns(300));
  EXPECT_EQ(timeline.tasks[c.index()].started, ns(300));
  EXPECT_EQ(timeline.end, ns(600));
}

TEST_F(SimulateTest, ADiamondWaitsForItsLongerSide) {
  // Tasks may name tasks that come later in the list.
  const Id<Task> end = add_work(10.0, {Id<Task>(2), Id<Task>(3)});
  const Id<Task> begin = add_work(100.0);
  add_work(50.0, {begin});
  add_work(70.0, {begin});

  const Timeline timeline = simulate(program);

  EXPECT_EQ(timeline.tasks[end.index()].started, ns(100 + 70));
  EXPECT_EQ(timeline.end, ns(100 + 70 + 10));
}

TEST_F(SimulateTest, ACycleOfTasksIsABugThatNamesThem) {
  add_work(10.0);
  add_work(10.0, {Id<Task>(2)});
  add_work(10.0, {Id<Task>(1)});

  EXPECT_THAT(bug(), HasSubstr("task 1 waits for 1 other task"));
  EXPECT_THAT(bug(), HasSubstr("task 2 waits for 1 other task"));
}

TEST_F(SimulateTest, ATaskThatWaitsForItselfIsABug) {
  add_work(10.0, {Id<Task>(0)});

  EXPECT_THAT(bug(), HasSubstr("task 0 waits for 1 other task"));
}

TEST_F(SimulateTest, AnActivityThatCannotBeGrantedIsABugThatNamesTheResource) {
  const Id<Resource> sram = program.add(pool("sram", 2.0));
  program.add(Task{activity(program.add(holding({{sram, 3.0}})), issuer, 10.0, 0), {}});

  EXPECT_THAT(bug(), HasSubstr("3 of sram (2 of 2 free)"));
}

TEST_F(SimulateTest, EmptyCollectivesReleaseTheirFollowers) {
  const Id<Task> work = add_work(100.0);
  const Id<Task> empty = program.add(Task{phases(1, 1000.0, issuer), {work}});
  const Id<Task> next = add_work(100.0, {empty});

  const Timeline timeline = simulate(program);

  EXPECT_EQ(timeline.tasks[empty.index()].started, ns(100));
  EXPECT_EQ(timeline.tasks[empty.index()].finished, ns(100));
  EXPECT_EQ(timeline.tasks[next.index()].finished, ns(200));
}

TEST_F(SimulateTest, TwoCollectivesShareByIssuerNotByChunk) {
  const Id<Task> many = add_send(4000.0, 4, issuer, {});
  const Id<Task> one = add_send(1000.0, 1, other_issuer, {});

  const Timeline timeline = simulate(program);

  // Half each until the small one is done at 2000; the large one has 3000 left.
  EXPECT_EQ(timeline.tasks[one.index()].finished, ns(2000));
  EXPECT_EQ(timeline.tasks[many.index()].finished, ns(5000));
  EXPECT_EQ(timeline.end, ns(5000));
  EXPECT_DOUBLE_EQ(timeline.use[wire.index()].drawn, 5000.0);
}

TEST_F(SimulateTest, TheEndIsTheLastFinishedTask) {
  // The long send was once expected at 2000, when both shared.
  add_send(400.0, 1, issuer, {});
  add_send(1000.0, 1, other_issuer, {});

  const Timeline timeline = simulate(program);

  EXPECT_EQ(timeline.tasks[1].finished, ns(1400));
  EXPECT_EQ(timeline.end, ns(1400));
}

TEST_F(SimulateTest, SpansAreRecordedOnlyOnRequest) {
  add_work(100.0);

  EXPECT_TRUE(simulate(program).spans.empty());
  EXPECT_EQ(simulate(program, Record::kSpans).spans.size(), 1U);
}

TEST_F(SimulateTest, SpansComeInOrderOfCompletionWithTheirChunks) {
  // Two phases over one wire, three chunks, two at a time, oldest first.
  PhaseProgram p = phases(2, 300.0, issuer);
  p.chunk_size = 100.0;
  p.window = 2;
  add_phase(p, 1, {lane(0, 1, 1.0, on_wire)});
  add_phase(p, 1, {lane(1, 0, 1.0, on_wire)});
  const Id<Task> work = add_work(50.0);
  const Id<Task> exchange = program.add(Task{p, {work}});

  const Timeline timeline = simulate(program, Record::kSpans);

  ASSERT_EQ(timeline.spans.size(), 1U + 6U);
  constexpr std::array kLanes{0U, 0U, 1U, 0U, 1U, 0U, 1U};
  constexpr std::array kChunks{0U, 0U, 0U, 1U, 1U, 2U, 2U};
  for (std::size_t i = 0; i < 7; ++i) {
    const Span& span = timeline.spans[i];
    EXPECT_EQ(span.task, i == 0 ? work.value : exchange.value);
    EXPECT_EQ(span.lane, kLanes[i]) << i;
    EXPECT_EQ(span.chunk, kChunks[i]) << i;
    EXPECT_EQ(span.finished, ns(i == 0 ? 50.0 : 50.0 + 100.0 * static_cast<double>(i))) << i;
    EXPECT_LE(span.submitted, span.admitted);
  }
}

TEST_F(SimulateTest, HoldsOfACollectiveAppearInTheTimeline) {
  // Four chunks at once, room for two.
  const Id<Resource> sram = program.add(pool("sram", 2.0));
  Demand demand = drawing(wire);
  demand.holds.push_back({sram, 1.0, 1.0});
  PhaseProgram p = phases(2, 400.0, issuer);
  p.chunk_size = 100.0;
  p.window = 4;
  add_phase(p, 1, {lane(0, 1, 1.0, program.add(demand))});
  program.add(Task{p, {}});

  const Timeline timeline = simulate(program, Record::kSpans);

  EXPECT_EQ(timeline.end, ns(400));
  EXPECT_DOUBLE_EQ(timeline.use[sram.index()].peak_held, 2.0);
  EXPECT_EQ(timeline.spans[2].admitted, ns(100)) << "the third when the first is done";
}

TEST_F(SimulateTest, TheSameProgramGivesTheSameTimeline) {
  add_send(4001.0, 7, issuer, {});
  add_send(1003.0, 3, other_issuer, {});
  add_work(123.0, {Id<Task>(1)});

  const Timeline first = simulate(program, Record::kSpans);
  const Timeline second = simulate(program, Record::kSpans);

  EXPECT_EQ(first.end, second.end);
  EXPECT_EQ(first.events, second.events);
  ASSERT_EQ(first.spans.size(), second.spans.size());
  for (std::size_t i = 0; i < first.spans.size(); ++i) {
    EXPECT_EQ(first.spans[i].lane, second.spans[i].lane);
    EXPECT_EQ(first.spans[i].chunk, second.spans[i].chunk);
    EXPECT_EQ(first.spans[i].finished, second.spans[i].finished);
  }
}

// For any number of chunks, and with other activities running meanwhile.
TEST_F(SimulateTest, TheStartDelayOfAPhaseProgramComesOnceBeforeItsMessages) {
  for (const std::uint32_t chunks : {1U, 4U}) {
    PhaseProgram p = phases(2, 400.0, issuer);
    p.chunk_size = 400.0 / chunks;
    p.window = 2;
    p.start = Seconds(50e-9);
    add_phase(p, 1, {lane(0, 1, 1.0, on_wire)});
    Program started = program;
    started.add(Task{std::move(p)});

    EXPECT_EQ(simulate(started).end, ns(50 + 400));
  }
  PhaseProgram nothing = phases(2, 400.0, issuer);
  nothing.start = Seconds(50e-9);
  program.add(Task{std::move(nothing)});
  EXPECT_EQ(simulate(program).end, ns(50));
}

TEST_F(SimulateTest, IsCancelledBeforeItsEnd) {
  constexpr std::uint32_t kChunks = 200'000;
  PhaseProgram p = phases(2, 10.0 * kChunks, issuer);
  p.chunk_size = 10.0;
  p.window = 2;
  add_phase(p, 1, {lane(0, 1, 1.0, on_wire)});
  program.add(Task{std::move(p)});
  const auto every_chunk = [&] { return simulate(program, Record::kTotals, Periods::kSimulated); };
  const std::uint64_t events = every_chunk().events;
  std::uint64_t asked = 0;
  const std::function<bool()> at_second = [&] { return ++asked == 2; };
  const CancellationScope scope(at_second);

  EXPECT_THROW(every_chunk(), Cancelled);
  EXPECT_EQ(asked, 2U);
  EXPECT_NO_THROW(every_chunk());
  EXPECT_GE(asked, 4U);                    // often enough ...
  EXPECT_LE(asked, events / 10'000 + 10);  // ... and not so often that it costs anything
}

}  // namespace
}  // namespace cairn::sim
