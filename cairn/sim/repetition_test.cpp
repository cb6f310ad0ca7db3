// Skipping periods must not change when anything ends or how much is used.
#include "cairn/sim/repetition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/sim/simulate.hpp"
#include "cairn/sim/test_support/programs.hpp"

namespace cairn::sim {
namespace {

using test::add_phase;
using test::drawing;
using test::kGigabyte;
using test::lane;
using test::link;
using test::phases;

TEST(IntervalPattern, FindsTheShortestThatRecurs) {
  IntervalPattern pattern;
  for (const int interval : {7, 9, 1, 2, 3, 1, 2}) {
    pattern.add(interval);
  }
  EXPECT_EQ(pattern.length(1), 0U);  // 1, 2, 3, 1, 2: the 3 is missing

  pattern.add(3);
  EXPECT_EQ(pattern.length(1), 3U);
  EXPECT_EQ(pattern.length(2), 0U);

  pattern.add(3);
  EXPECT_EQ(pattern.length(1), 1U);
}

// Chunks of a collective through memory and a link of each of several ranks, in two phases, beside
// kernels that draw on the same memory; optionally through stations.
struct Case {
  std::uint32_t ranks = 1;
  std::uint32_t chunks = 1000;
  std::uint32_t window = 8;
  double reads = 1.5;  // of memory, per byte sent
  double link_bandwidth = 25.0 * kGigabyte;
  double memory_bandwidth = 100.0 * kGigabyte;
  double latency_ns = 300.0;
  double chunk = 65536.0;
  double last = 1000.0;           // bytes of the last chunk
  std::vector<double> kernels{};  // bytes, one after the other
  double rooms = 0.0;             // chunks that a station has room for; 0: no stations
  double machines = 2.0;          // chunks that it processes at once
  std::uint32_t collectives = 1;  // of one issuer each
  bool together = false;          // they start at once
};

Program program_of(const Case& with) {
  Program program;
  const Id<Resource> memory = program.add(link("memory", with.memory_bandwidth));
  std::vector<Id<Resource>> links;
  for (std::uint32_t rank = 0; rank < with.ranks; ++rank) {
    links.push_back(program.add(link("link", with.link_bandwidth)));
  }
  std::vector<Id<Station>> stations;
  for (std::uint32_t s = 0; s < 2 * with.ranks && with.rooms > 0.0; ++s) {
    stations.push_back(program.add(Station{.name = "station",
                                           .room = with.rooms * with.chunk,
                                           .machines = with.machines,
                                           .owner = s / 2}));
  }
  for (std::uint32_t c = 0; c < with.collectives; ++c) {
    PhaseProgram p = phases(
        with.ranks, (with.chunks - 1) * with.chunk + with.last, program.add(Issuer{"collective"}));
    p.chunk_size = with.chunk;
    p.window = with.window;
    for (std::uint32_t phase = 0; phase < 2; ++phase) {
      std::vector<Lane> lanes;
      for (std::uint32_t rank = 0; rank < with.ranks; ++rank) {
        Demand demand = drawing(links[rank], with.latency_ns);
        demand.draws.push_back({.resource = memory, .amount = with.reads});
        lanes.push_back(
            lane(rank, (rank + 1) % with.ranks, 1.0 / with.ranks, program.add(std::move(demand))));
      }
      add_phase(p, 1 + phase, lanes);
      for (std::uint32_t rank = 0; rank < with.ranks && with.rooms > 0.0; ++rank) {
        p.occupancies.push_back(
            {.station = stations[2 * rank + phase], .room = 1.0, .machine = phase == 0});
      }
    }
    std::vector<Id<Task>> after;
    if (c > 0 && !with.together) {
      after.push_back(Id<Task>(c - 1));
    }
    program.add(Task{std::move(p), after});
  }
  const Id<Issuer> kernels = program.add(Issuer{"kernels"});
  const Id<Demand> kernel = program.add(drawing(memory));
  std::vector<Id<Task>> after;
  for (const double bytes : with.kernels) {
    after = {
        program.add(Task{Activity{.demand = kernel, .issuer = kernels, .work = bytes}, after})};
  }
  return program;
}

void expect_same(const Timeline& skipped, const Timeline& simulated) {
  const auto near = [&](SimTime a, SimTime b) {
    const auto difference = static_cast<double>(a.picoseconds() - b.picoseconds());
    RC_ASSERT(std::abs(difference) <= static_cast<double>(simulated.events));
  };
  near(skipped.end, simulated.end);
  for (std::size_t t = 0; t < simulated.tasks.size(); ++t) {
    near(skipped.tasks[t].started, simulated.tasks[t].started);
    near(skipped.tasks[t].finished, simulated.tasks[t].finished);
  }
  for (std::size_t r = 0; r < simulated.use.size(); ++r) {
    RC_ASSERT(std::abs(skipped.use[r].drawn - simulated.use[r].drawn) <=
              1e-9 * simulated.use[r].drawn);
  }
  for (std::size_t s = 0; s < simulated.stations.size(); ++s) {
    const StationUse& a = skipped.stations[s];
    const StationUse& b = simulated.stations[s];
    RC_ASSERT(a.peak_room == b.peak_room);
    RC_ASSERT(a.peak_machines == b.peak_machines);
    RC_ASSERT(std::abs(a.room_seconds - b.room_seconds) <= 1e-6 * b.room_seconds);
    RC_ASSERT(std::abs(a.machine_seconds - b.machine_seconds) <= 1e-6 * b.machine_seconds);
  }
  for (std::size_t o = 0; o < simulated.station_busy.size(); ++o) {
    RC_ASSERT(std::abs((skipped.station_busy[o] - simulated.station_busy[o]).si()) <=
              1e-12 * static_cast<double>(simulated.events));
  }
}

// Returns events with and without skipping.
std::pair<std::uint64_t, std::uint64_t> compare(const Case& with) {
  const Program program = program_of(with);
  const Timeline skipped = simulate(program);
  const Timeline simulated = simulate(program, Record::kTotals, Periods::kSimulated);
  expect_same(skipped, simulated);
  return {skipped.events, simulated.events};
}

TEST(Repetition, AThousandChunksCostAFewEvents) {
  const auto [skipped, simulated] = compare({.kernels = {}});

  EXPECT_LT(skipped * 10, simulated);
}

TEST(Repetition, AKernelBesideTheChunksEndsWhenItDoes) {
  const auto [skipped, simulated] = compare({.kernels = {20e6, 30e6}});

  EXPECT_LT(skipped * 3, simulated);
}

TEST(Repetition, ChunksThatPassStationsRecur) {
  const auto [skipped, simulated] = compare({.kernels = {20e6}, .rooms = 4.0});

  EXPECT_LT(skipped * 3, simulated);
}

TEST(Repetition, SkippingChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    Case with{.ranks = *rc::gen::inRange(1U, 4U),
              .chunks = *rc::gen::inRange(9U, 400U),
              .window = *rc::gen::inRange(1U, 20U),
              .reads = *rc::gen::inRange(1, 60) / 10.0,
              .link_bandwidth = *rc::gen::inRange(1, 60) * kGigabyte,
              .memory_bandwidth = *rc::gen::inRange(20, 200) * kGigabyte,
              .latency_ns = *rc::gen::inRange(0, 2000) * 1.0,
              .chunk = *rc::gen::inRange(1000, 200000) * 1.0};
    with.last = *rc::gen::inRange(1, static_cast<int>(with.chunk)) * 1.0;
    for (int k = *rc::gen::inRange(0, 4); k > 0; --k) {
      with.kernels.push_back(*rc::gen::inRange(1, 1000) * 1e5);
    }
    with.rooms = *rc::gen::element(0.0, 1.0, 2.0, 5.0);
    with.machines = *rc::gen::element(1.0, 2.0, 16.0);
    with.collectives = *rc::gen::inRange(1U, 4U);
    with.together = *rc::gen::arbitrary<bool>();
    const auto [skipped, simulated] = compare(with);
    RC_TAG(skipped * 2 < simulated ? "mostly skipped" : skipped < simulated ? "skipped" : "none");
  }));
}

}  // namespace
}  // namespace cairn::sim
