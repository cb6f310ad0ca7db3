#include "cairn/sim/collapse.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "cairn/sim/simulate.hpp"
#include "cairn/sim/test_support/programs.hpp"

namespace cairn::sim {
namespace {

using test::activity;
using test::add_phase;
using test::add_ring;
using test::drawing;
using test::kGigabyte;
using test::lane;
using test::link;
using test::ns;
using test::phases;
using test::Ring;

Timeline collapsed(Program program) {
  collapse_steps(program);
  return simulate(program);
}

// Each step may round up by 1 ps.
void expect_same_time(const Program& program, double steps) {
  const Timeline stepped = simulate(program);
  const Timeline whole = collapsed(program);

  EXPECT_LE(test::distance_ps(stepped.end, whole.end), steps);
  EXPECT_LT(whole.events, stepped.events);
  for (std::size_t r = 0; r < stepped.use.size(); ++r) {
    EXPECT_NEAR(stepped.use[r].drawn, whole.use[r].drawn, 1e-9 * stepped.use[r].drawn);
  }
}

TEST(CollapseSteps, AloneARingTakesAsLongAsStepByStep) {
  const Ring ring{std::vector<double>(8, 25.0 * kGigabyte), 500.0, 1e6};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  expect_same_time(program, ring.steps());
  const double closed_form_ns = ring.steps() * (500.0 + 1e6 / 8 / 25.0);
  EXPECT_NEAR(collapsed(program).end.since(SimTime()).si(), closed_form_ns * 1e-9, 1e-12);
}

TEST(CollapseSteps, AloneAnUnevenRingTakesAsLongAsStepByStep) {
  Ring ring{std::vector<double>(8, 25.0 * kGigabyte), 500.0, 1e6};
  ring.bandwidths[5] = 3.0 * kGigabyte;
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  expect_same_time(program, ring.steps());
}

TEST(CollapseSteps, ChunksOneAfterTheOtherTakeAsLongAsStepByStep) {
  // 3 1/3 chunks: the last has a speed limit of its own.
  const Ring ring{std::vector<double>(4, kGigabyte), 100.0, 10'000.0, 3'000.0};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  expect_same_time(program, 4.0 * ring.steps());
}

TEST(CollapseSteps, LanesThatShareAResourceTakeAsLongAsStepByStep) {
  // Six ranks around one bus: each step moves six messages over it.
  Program program;
  PhaseProgram p = phases(6, 6000.0, program.add(Issuer{"all-reduce"}));
  const Id<Resource> bus = program.add(link("bus", 2.0 * kGigabyte));
  std::vector<Lane> lanes;
  for (std::uint32_t r = 0; r < 6; ++r) {
    const Id<Resource> own = program.add(link("own", kGigabyte));
    lanes.push_back(
        lane(r, (r + 1) % 6, 1.0 / 6, program.add(drawing({{own}, {bus, 1.0}}, 100.0))));
  }
  add_phase(p, 10, lanes);
  program.add(Task{p, {}});

  expect_same_time(program, 10);
  EXPECT_LE(test::distance_ps(collapsed(program).end, ns(10 * (100.0 + 6000.0 / 2))), 10);
}

// A reduce-scatter and an all-gather by cores: in the first a rank mostly reads, in the second it
// reads and writes equally.
Program ring_through_memories(std::uint32_t ranks) {
  struct Moved {
    double sent;
    double received;
  };

  Program program;
  PhaseProgram p = phases(ranks, 1e6, program.add(Issuer{"all-reduce"}));
  const bool one_for_all = ranks == 1;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    program.add(link("link", kGigabyte));
    program.add(link("memory", 3.5 * kGigabyte));
  }
  for (const Moved moved : {Moved{0.2, 3.0}, Moved{1.0, 1.0}}) {
    std::vector<Lane> lanes;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const std::uint32_t next = (r + 1) % ranks;
      const Id<Demand> send = program.add(drawing({{Id<Resource>(2 * r)},
                                                   {Id<Resource>(2 * r + 1), moved.sent},
                                                   {Id<Resource>(2 * next + 1), moved.received}},
                                                  100.0));
      lanes.push_back(lane(r, one_for_all ? 0 : next, 0.125, send));
    }
    add_phase(p, 7, lanes);
  }
  program.add(Task{p, {}});
  return program;
}

// A memory is drawn on by what its rank sends and receives: at most 3.2 bytes per byte if all ranks
// are in the same phase, which leaves the links as the limit; up to 4 in different phases.
TEST(CollapseSteps, RanksInLockstepCollapseLikeTheirFoldedProgram) {
  const Program stepped = ring_through_memories(8);
  Program whole = stepped;
  Program one = ring_through_memories(1);
  Program each_for_itself = stepped;
  collapse_steps(whole, Collapse::kWhereExact, Progress::kLockstep);
  collapse_steps(one, Collapse::kWhereExact, Progress::kLockstep);
  collapse_steps(each_for_itself);

  EXPECT_EQ(simulate(each_for_itself).events, simulate(stepped).events);
  EXPECT_EQ(simulate(whole).events, 8 * simulate(one).events);
  EXPECT_LT(simulate(whole).events, simulate(stepped).events);
  EXPECT_EQ(simulate(whole).end, simulate(one).end);
  EXPECT_LE(test::distance_ps(simulate(whole).end, simulate(stepped).end), 14);
  const auto lanes_of = [](const Program& program) {
    return std::get<PhaseProgram>(program.tasks.front().what).lanes;
  };
  EXPECT_EQ(lanes_of(whole).front().step_rate, lanes_of(one).front().step_rate);
}

// A program that is not collapsed has the same number of events.
void expect_left_step_by_step(const Program& program) {
  EXPECT_EQ(collapsed(program).events, simulate(program).events);
}

TEST(CollapseSteps, LanesOfUnequalWorkOnOneResourceStayStepByStep) {
  // Both directions through one injection limit; one sends three times as much, the last part of it
  // alone.
  Program program;
  PhaseProgram p = phases(2, 1000.0, program.add(Issuer{"exchange"}));
  const Id<Resource> injection = program.add(link("injection"));
  const Id<Demand> send = program.add(drawing(injection, 100.0));
  add_phase(p, 5, {lane(0, 1, 0.75, send), lane(1, 0, 0.25, send)});
  program.add(Task{p, {}});

  expect_left_step_by_step(program);
}

TEST(CollapseSteps, LanesOfUnequalLatencyOnOneResourceStayStepByStep) {
  Program program;
  PhaseProgram p = phases(2, 1000.0, program.add(Issuer{"exchange"}));
  const Id<Resource> bus = program.add(link("bus"));
  const Id<Demand> near = program.add(drawing(bus, 100.0));
  const Id<Demand> far = program.add(drawing(bus, 1000.0));
  add_phase(p, 5, {lane(0, 1, 0.5, near), lane(1, 0, 0.5, far)});
  program.add(Task{p, {}});

  expect_left_step_by_step(program);
}

TEST(CollapseSteps, LanesThatShareAResourceButAreNeverSlowestDoNotMatter) {
  // Ranks 0 and 1 exchange over a bus of 1 GB/s, at 100 and 200 ns: at most 200 + 2 * 250 ns. The
  // lane from 1 to 2 always takes 2000 + 250 ns.
  Program program;
  PhaseProgram p = phases(3, 1000.0, program.add(Issuer{"exchange"}));
  const Id<Resource> bus = program.add(link("bus"));
  const Id<Demand> near = program.add(drawing(bus, 100.0));
  const Id<Demand> far = program.add(drawing(bus, 200.0));
  const Id<Demand> slow = program.add(drawing(program.add(link("wire")), 2000.0));
  add_phase(p, 5, {lane(0, 1, 0.25, near), lane(1, 0, 0.25, far), lane(1, 2, 0.25, slow)});
  program.add(Task{p, {}});

  expect_same_time(program, 2 * 5);
  EXPECT_LE(test::distance_ps(collapsed(program).end, ns(5 * 2250.0)), 1);
}

TEST(CollapseSteps, PhasesWhoseSlowestLanesShareNoRankStayStepByStep) {
  // Four ranks in a row; the slow lane is 0-1 in the first phase and 2-3 in the second. Step by
  // step, delay spreads by one rank per step; collapsed it would not.
  Program program;
  PhaseProgram p = phases(4, 1000.0, program.add(Issuer{"exchange"}));
  const auto wire = [&](double latency) {
    return program.add(drawing(program.add(link("wire")), latency));
  };
  add_phase(p, 3, {lane(0, 1, 1.0, wire(900)), lane(1, 2, 1.0, wire(0)), lane(2, 3, 1.0, wire(0))});
  add_phase(p, 3, {lane(0, 1, 1.0, wire(0)), lane(1, 2, 1.0, wire(0)), lane(2, 3, 1.0, wire(900))});
  program.add(Task{p, {}});

  expect_left_step_by_step(program);
}

TEST(CollapseSteps, ChunksThatOverlapStayStepByStep) {
  const Ring ring{std::vector<double>(4, kGigabyte), 100.0, 10'000.0, 3'000.0, 2};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  expect_left_step_by_step(program);
}

TEST(CollapseSteps, PartsWithoutACommonResourceAreCollapsedSeparately) {
  // Two rings of unequal speed of one collective, on links of their own.
  const Ring slow{std::vector<double>(4, kGigabyte), 100.0, 10'000.0};
  const Ring fast{std::vector<double>(4, 3.0 * kGigabyte), 50.0, 10'000.0};
  Program program;
  const Id<Issuer> all_reduce = program.add(Issuer{"all-reduce"});
  add_ring(program, slow, all_reduce);
  add_ring(program, fast, all_reduce);

  expect_same_time(program, slow.steps());
}

TEST(CollapseSteps, EverywhereCollapsesAllPhasesWithSeveralSteps) {
  const Ring ring{std::vector<double>(4, kGigabyte), 100.0, 10'000.0, 3'000.0, 2};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  collapse_steps(program, Collapse::kEverywhere);

  EXPECT_TRUE(std::get<PhaseProgram>(program.tasks[0].what).phases[0].collapsed);
}

TEST(CollapseSteps, ALanesSpeedLimitIsRespected) {
  Program program;
  PhaseProgram p = phases(2, 1000.0, program.add(Issuer{"send"}));
  const Id<Demand> slow = program.add(drawing(program.add(link("wire")), 100.0, 0.25 * kGigabyte));
  add_phase(p, 5, {lane(0, 1, 1.0, slow)});
  program.add(Task{p, {}});

  expect_same_time(program, 5);
  EXPECT_LE(test::distance_ps(collapsed(program).end, ns(5 * (100.0 + 4 * 1000.0))), 5);
}

TEST(CollapseSteps, ASingleStepStaysAsItIs) {
  Program program;
  PhaseProgram p = phases(2, 1000.0, program.add(Issuer{"send"}));
  add_phase(p, 1, {lane(0, 1, 1.0, program.add(drawing(program.add(link("wire")), 100.0)))});
  program.add(Task{p, {}});
  Program after = program;

  collapse_steps(after);

  EXPECT_FALSE(std::get<PhaseProgram>(after.tasks[0].what).phases[0].collapsed);
  EXPECT_EQ(simulate(after).end, simulate(program).end);
}

TEST(CollapseSteps, AnEmptyPayloadStillTakesItsLatencies) {
  const Ring ring{std::vector<double>(4, kGigabyte), 100.0, 0.0};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  EXPECT_EQ(collapsed(program).end, simulate(program).end);
}

TEST(CollapseSteps, WithoutLatencyAndLimitAnEmptyPayloadTakesNoTime) {
  const Ring ring{std::vector<double>(4, kGigabyte), 0.0, 0.0};
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));

  EXPECT_EQ(collapsed(program).end, ns(0));
}

// A latency-bound ring (steps of 900 ns latency and 100 bytes) beside a flow on one of its links.
class BesideAFlow : public ::testing::Test {
 protected:
  static constexpr double kLatency = 900.0;
  static constexpr double kStep = 100.0;  // ns alone, and bytes
  Ring ring{std::vector<double>(4, kGigabyte), kLatency, 4 * kStep};

  [[nodiscard]] Program beside(double flow_bytes) const {
    Program program;
    const Id<Issuer> collective = program.add(Issuer{"all-reduce"});
    const Id<Issuer> dma = program.add(Issuer{"dma"});
    add_ring(program, ring, collective);
    const Id<Demand> flow = program.add(drawing(Id<Resource>(0)));
    program.add(Task{activity(flow, dma, flow_bytes, 0), {}});
    return program;
  }
};

TEST_F(BesideAFlow, TheFlowFillsTheGapsOfACollapsedRing) {
  const double bytes = 1000.0;

  const Timeline timeline = collapsed(beside(bytes));

  // The ring draws 100 bytes per 1000 ns; the flow has the other 90 % of the link.
  EXPECT_LE(test::distance_ps(timeline.tasks[1].finished, ns(bytes / 0.9)), 1);
  EXPECT_LE(test::distance_ps(timeline.tasks[0].finished, ns(ring.steps() * (kLatency + kStep))), 1)
      << "and the ring takes as long as alone";
}

TEST_F(BesideAFlow, ACollapsedRingIsNeverLaterThanAStepByStepOne) {
  const Program program = beside(100'000.0);

  const Timeline stepped = simulate(program);
  const Timeline whole = collapsed(program);

  // Step by step each message takes twice as long, because the flow has half of the link.
  EXPECT_LE(test::distance_ps(stepped.tasks[0].finished, ns(ring.steps() * (kLatency + 2 * kStep))),
            ring.steps());
  EXPECT_LE(whole.tasks[0].finished, stepped.tasks[0].finished);
}

TEST_F(BesideAFlow, AFlowThatOutlastsTheRingEndsWhenTheLinkHasSentAllBytes) {
  const double bytes = 100'000.0;
  const Program program = beside(bytes);

  // The link is never idle while the flow runs.
  const SimTime expected = ns(bytes + ring.steps() * kStep);
  EXPECT_LE(test::distance_ps(collapsed(program).tasks[1].finished, expected), 2 * ring.steps());
  EXPECT_LE(test::distance_ps(simulate(program).tasks[1].finished, expected), 2 * ring.steps());
}

TEST(CollapseStepsProperty, AloneEqualsStepByStep) {
  EXPECT_TRUE(rc::check([] {
    Ring ring;
    ring.bandwidths.resize(*rc::gen::inRange<std::size_t>(2, 12));
    for (double& bandwidth : ring.bandwidths) {
      bandwidth = *rc::gen::inRange(1, 400) * kGigabyte;
    }
    ring.latency_ns = *rc::gen::inRange(0, 1000);
    ring.payload = *rc::gen::inRange(1, 1'000'000);
    const auto chunks = *rc::gen::inRange<std::uint32_t>(1, 4);
    ring.chunk_size = ring.payload / chunks;
    Program program;
    add_ring(program, ring, program.add(Issuer{"all-reduce"}));

    const Timeline stepped = simulate(program);
    const Timeline whole = collapsed(program);

    RC_ASSERT(test::distance_ps(stepped.end, whole.end) <= chunks * ring.steps());
  }));
}

}  // namespace
}  // namespace cairn::sim
