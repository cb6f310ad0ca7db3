// Phase programs, simulated event by event, against their closed forms.
#include "cairn/sim/phase_runner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/failure.hpp"
#include "cairn/sim/simulate.hpp"
#include "cairn/sim/test_support/programs.hpp"

namespace cairn::sim {
namespace {

using test::add_phase;
using test::add_ring;
using test::drawing;
using test::kGigabyte;
using test::lane;
using test::link;
using test::ns;
using test::phases;
using test::Ring;

static_assert(Tag::unpack(Tag{.task = 0xABCDEF, .slot = 0xFED, .lane = 0xABCDEF1}.pack()).task ==
              0xABCDEF);
static_assert(Tag::unpack(Tag{.task = 0xABCDEF, .slot = 0xFED, .lane = 0xABCDEF1}.pack()).slot ==
              0xFED);
static_assert(Tag::unpack(Tag{.task = 0xABCDEF, .slot = 0xFED, .lane = 0xABCDEF1}.pack()).lane ==
              0xABCDEF1);

Timeline run_ring(const Ring& ring) {
  Program program;
  add_ring(program, ring, program.add(Issuer{"all-reduce"}));
  return simulate(program);
}

// Each step may round up by 1 ps.
void expect_near(SimTime time, double nanoseconds, double steps) {
  EXPECT_NEAR(static_cast<double>(time.picoseconds()), nanoseconds * 1e3, steps);
}

TEST(PhaseRunner, RingAllReduceTakesTheAlphaBetaTime) {
  for (const std::size_t n : {2UL, 3UL, 7UL, 16UL}) {
    const Ring ring{std::vector<double>(n, 25.0 * kGigabyte), 500.0, 1e6};

    const Timeline timeline = run_ring(ring);

    // 2 (n - 1) (l + S / n / B)
    const double step_ns = 500.0 + 1e6 / static_cast<double>(n) / 25.0;
    expect_near(timeline.end, ring.steps() * step_ns, ring.steps());
    EXPECT_EQ(timeline.tasks[0].finished, timeline.end);
    EXPECT_NEAR(timeline.use[0].drawn, ring.steps() * ring.bytes_per_step(), 1e-6);
  }
}

TEST(PhaseRunner, AnUnevenRingRunsAtTheRateOfItsSlowestLink) {
  Ring ring{std::vector<double>(8, 10.0 * kGigabyte), 100.0, 8000.0};
  ring.bandwidths[3] = 2.0 * kGigabyte;
  ring.bandwidths[5] = 4.0 * kGigabyte;

  const double slowest_step_ns = 100.0 + 1000.0 / 2.0;
  expect_near(run_ring(ring).end, ring.steps() * slowest_step_ns, ring.steps());
}

TEST(PhaseRunner, AFoldedRingTakesAsLongAsAllItsRanks) {
  // One rank class that sends to itself, one link class.
  const Ring ring{std::vector<double>(8, 1.0 * kGigabyte), 100.0, 8000.0};
  Program folded;
  PhaseProgram p = phases(1, ring.payload, folded.add(Issuer{"all-reduce"}));
  const Id<Resource> links = folded.add(link("links"));
  add_phase(p, ring.steps(), {lane(0, 0, 1.0 / 8, folded.add(drawing(links, 100.0)))});
  folded.add(Task{p, {}});

  const Timeline timeline = simulate(folded);

  EXPECT_EQ(timeline.end, run_ring(ring).end);
  EXPECT_EQ(timeline.events, ring.steps());
}

// Chunks go through two links one after the other: 0 -> 1 over `first`, then 0 -> 1 over `second`.
struct Pipeline {
  double first_ns_per_byte = 1.0;
  double second_ns_per_byte = 1.0;
  double latency_ns = 0.0;
  double payload = 0.0;
  double chunk_size = 0.0;
  std::uint32_t window = 1;
};

Program make(const Pipeline& pipeline) {
  Program program;
  PhaseProgram p = phases(2, pipeline.payload, program.add(Issuer{"pipeline"}));
  p.chunk_size = pipeline.chunk_size;
  p.window = pipeline.window;
  for (const double ns_per_byte : {pipeline.first_ns_per_byte, pipeline.second_ns_per_byte}) {
    const Id<Resource> wire = program.add(link("wire", kGigabyte / ns_per_byte));
    add_phase(p, 1, {lane(0, 1, 1.0, program.add(drawing(wire, pipeline.latency_ns)))});
  }
  program.add(Task{std::move(p), {}});
  return program;
}

TEST(PhaseRunner, ChunksOverlapAsInAPipeline) {
  for (const auto& [a, b] : {std::pair{1.0, 3.0}, {3.0, 1.0}, {2.0, 2.0}}) {
    const Pipeline pipeline{a, b, 50.0, 8 * 100.0, 100.0, 8};

    const Timeline timeline = simulate(make(pipeline));

    // Fill (first chunk through both links), then one chunk per transfer of the slower link;
    // latencies of later chunks hide behind earlier ones.
    const double fill_ns = 50.0 + 100.0 * a + 50.0 + 100.0 * b;
    expect_near(timeline.end, fill_ns + 7 * 100.0 * std::max(a, b), 16);
  }
}

TEST(PhaseRunner, AWindowOfOneSerializesChunks) {
  const Pipeline pipeline{1.0, 3.0, 50.0, 8 * 100.0, 100.0, 1};

  const Timeline timeline = simulate(make(pipeline));

  expect_near(timeline.end, 8 * (50.0 + 100.0 * 1.0 + 50.0 + 100.0 * 3.0), 16);
}

TEST(PhaseRunner, AWindowOfTwoIsEnoughForTwoLinksWithoutLatency) {
  const Pipeline pipeline{2.0, 2.0, 0.0, 8 * 100.0, 100.0, 2};

  expect_near(simulate(make(pipeline)).end, 200.0 + 8 * 200.0, 16);
}

TEST(PhaseRunner, TheLastChunkIsTheRemainder) {
  const Pipeline pipeline{1.0, 3.0, 0.0, 250.0, 100.0, 1};
  const Program program = make(pipeline);
  const auto& p = std::get<PhaseProgram>(program.tasks[0].what);

  EXPECT_EQ(p.chunks(), 3U);
  EXPECT_DOUBLE_EQ(p.chunk_bytes(0), 100.0);
  EXPECT_DOUBLE_EQ(p.chunk_bytes(2), 50.0);
  const Timeline timeline = simulate(program);

  expect_near(timeline.end, 250.0 * (1.0 + 3.0), 6);
  EXPECT_DOUBLE_EQ(timeline.use[0].drawn, 250.0);
}

TEST(PhaseRunner, RoundingLeavesNoTinyLastChunk) {
  PhaseProgram p = phases(1, 1.0, Id<Issuer>());
  p.chunk_size = 1.0 / 3.0;

  EXPECT_EQ(p.chunks(), 3U);
  EXPECT_NEAR(p.chunk_bytes(0) + p.chunk_bytes(1) + p.chunk_bytes(2), 1.0, 1e-15);
}

TEST(PhaseRunner, ARankWithoutLanesInAPhaseSkipsIt) {
  // Phase 0: 0 -> 1 (1000 ns); phase 1: 2 -> 3 (300 ns); phase 2: 1 -> 2 (10 ns).
  Program program;
  PhaseProgram p = phases(5, 1000.0, program.add(Issuer{"tree"}));
  const auto on_own_link = [&](double bytes_per_ns) {
    return program.add(drawing(program.add(link("wire", bytes_per_ns * kGigabyte))));
  };
  add_phase(p, 1, {lane(0, 1, 1.0, on_own_link(1.0))});
  add_phase(p, 1, {lane(2, 3, 0.3, on_own_link(1.0))});
  add_phase(p, 1, {lane(1, 2, 0.01, on_own_link(1.0))});
  program.add(Task{p, {}});

  const Timeline timeline = simulate(program, Record::kSpans);

  // 2 -> 3 does not wait for phase 0, in which neither takes part; rank 4 never takes part.
  ASSERT_EQ(timeline.spans.size(), 3U);
  EXPECT_EQ(timeline.spans[0].lane, 1U);
  EXPECT_EQ(timeline.spans[0].finished, ns(300));
  EXPECT_EQ(timeline.spans[1].finished, ns(1000));
  EXPECT_EQ(timeline.spans[2].submitted, ns(1000));
  EXPECT_EQ(timeline.end, ns(1010));
}

TEST(PhaseRunner, NothingToExchangeTakesNoTime) {
  for (const std::uint32_t ranks : {0U, 1U}) {
    Program program;
    PhaseProgram p = phases(ranks, 1000.0, program.add(Issuer{"alone"}));
    add_phase(p, 1, {});
    program.add(Task{p, {}});
    program.add(Task{phases(ranks, 1000.0, Id<Issuer>(0)), {}});  // not even phases

    const Timeline timeline = simulate(program);

    EXPECT_EQ(timeline.end, ns(0));
    EXPECT_EQ(timeline.events, 0U);
  }
}

TEST(PhaseRunner, AnEmptyPayloadStillTakesItsLatencies) {
  const Ring ring{std::vector<double>(4, kGigabyte), 100.0, 0.0};

  EXPECT_EQ(run_ring(ring).end, ns(ring.steps() * 100.0));
}

TEST(PhaseRunner, AWindowOfZeroIsABug) {
  EXPECT_THROW(simulate(make({1.0, 1.0, 0.0, 100.0, 10.0, 0})), Bug);
}

TEST(PhaseRunnerProperty, RingsEqualTheirClosedForm) {
  EXPECT_TRUE(rc::check([] {
    Ring ring;
    ring.bandwidths.resize(*rc::gen::inRange<std::size_t>(2, 20));
    for (double& bandwidth : ring.bandwidths) {
      bandwidth = *rc::gen::inRange(1, 400) * kGigabyte;
    }
    ring.latency_ns = *rc::gen::inRange(0, 1000);
    ring.payload = *rc::gen::inRange(1, 1'000'000);
    const auto chunks = *rc::gen::inRange<std::uint32_t>(1, 4);
    ring.chunk_size = ring.payload / chunks;

    const Timeline timeline = run_ring(ring);

    // Chunks one after the other, each at the rate of the slowest link.
    const double slowest = *std::ranges::min_element(ring.bandwidths) * 1e-9;
    const double step_ns = ring.latency_ns + ring.bytes_per_step() / chunks / slowest;
    const double steps = chunks * ring.steps();
    RC_ASSERT(std::abs(static_cast<double>(timeline.end.picoseconds()) - steps * step_ns * 1e3) <=
              steps);
    RC_ASSERT(timeline.events == std::uint64_t{chunks} * ring.steps() * ring.ranks());
  }));
}

}  // namespace
}  // namespace cairn::sim
