// Chunks that pass stations: their order and waiting times.
#include "cairn/sim/buffer_admission.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/sim/fold.hpp"
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

// One rank whose chunks of 1000 B pass a station in each phase; phase p takes `ns[p]` for each,
// however many there are at once.
struct Line {
  std::vector<double> ns;
  std::vector<double> room;  // chunks
  std::vector<double> machines;
  std::uint32_t chunks = 10;
};

Timeline run_line(const Line& line) {
  Program program;
  PhaseProgram p = phases(1, 1000.0 * line.chunks, program.add(Issuer{"line"}));
  p.chunk_size = 1000.0;
  p.window = line.chunks;
  for (std::size_t i = 0; i < line.ns.size(); ++i) {
    // Nothing is shared: the whole time is latency.
    add_phase(p, 1, {lane(0, 0, 0.0, program.add(Demand{.latency = Seconds(line.ns[i] * 1e-9)}))});
    p.occupancies.push_back(
        {.station = program.add(Station{
             .name = "station", .room = 1000.0 * line.room[i], .machines = line.machines[i]}),
         .room = 1.0,
         .machine = true});
  }
  program.add(Task{p, {}});
  return simulate(program);
}

// Chunk c enters station p when it has finished phase p-1, its predecessors have entered, a place
// is free (chunk c - room has left) and so is a machine (chunk c - machines has ended its phase, if
// chunks end in order, as those of equal times do).
double expected_ns(const Line& line) {
  const std::size_t n = line.ns.size();
  std::vector<std::vector<double>> in(line.chunks, std::vector<double>(n));
  std::vector<std::vector<double>> left(line.chunks, std::vector<double>(n));
  double end = 0.0;
  for (std::size_t c = 0; c < line.chunks; ++c) {
    for (std::size_t p = 0; p < n; ++p) {
      double at = p == 0 ? 0.0 : in[c][p - 1] + line.ns[p - 1];
      at = std::max(at, c == 0 ? 0.0 : in[c - 1][p]);
      const auto machines = static_cast<std::size_t>(std::min(line.machines[p], 1e6));
      at = std::max(at, c < machines ? 0.0 : in[c - machines][p] + line.ns[p]);
      const auto room = static_cast<std::size_t>(std::min(line.room[p], 1e6));
      at = std::max(at, c < room ? 0.0 : left[c - room][p]);
      in[c][p] = at;
      if (p > 0) {
        left[c][p - 1] = at;
      }
    }
    left[c][n - 1] = in[c][n - 1] + line.ns[n - 1];
    end = std::max(end, left[c][n - 1]);
  }
  return end;
}

constexpr double kPlenty = std::numeric_limits<double>::infinity();

TEST(BufferAdmission, UnlimitedRoomAndMachinesAddNoTime) {
  const Line line{{100.0, 30.0, 70.0}, {kPlenty, kPlenty, kPlenty}, {kPlenty, kPlenty, kPlenty}};

  EXPECT_EQ(run_line(line).end.picoseconds(), 200'000);
}

TEST(BufferAdmission, OneMachineWorksOnOneChunkAfterTheOther) {
  const Line line{{100.0}, {kPlenty}, {1.0}};

  EXPECT_EQ(run_line(line).end.picoseconds(), 10 * 100'000);
}

// The second phase takes 3 times as long as the first: chunks wait at the first station, with its
// room, until the second has some. All 10 go through the second one by one.
TEST(BufferAdmission, AFullStationBlocksThoseBeforeIt) {
  const Line line{{100.0, 300.0}, {2.0, 1.0}, {kPlenty, kPlenty}};
  const Timeline timeline = run_line(line);

  EXPECT_EQ(timeline.end.picoseconds(), 100'000 + 10 * 300'000);
  EXPECT_EQ(timeline.stations[0].peak_room, 2000.0);
  EXPECT_EQ(timeline.stations[1].peak_room, 1000.0);
  // 10 chunks of 300 ns
  EXPECT_NEAR(timeline.stations[1].machine_seconds, 3000e-9, 1e-15);
  EXPECT_NEAR(timeline.stations[1].room_seconds, 3000e-9 * 1000.0, 1e-12);
  EXPECT_EQ(timeline.station_busy[0], timeline.end.since(SimTime{}));
}

TEST(BufferAdmissionProperty, PipelinesTakeTheTimeOfTheirRecursion) {
  EXPECT_TRUE(rc::check([] {
    Line line;
    line.chunks = *rc::gen::inRange(1U, 20U);
    const auto stations = *rc::gen::inRange(1, 6);
    for (int i = 0; i < stations; ++i) {
      line.ns.push_back(*rc::gen::inRange(1, 50));
      line.room.push_back(*rc::gen::element(1.0, 2.0, 3.0, 7.0, kPlenty));
      line.machines.push_back(*rc::gen::element(1.0, 2.0, 5.0, kPlenty));
    }
    RC_ASSERT(run_line(line).end.picoseconds() ==
              static_cast<std::int64_t>(expected_ns(line) * 1e3 + 0.5));
  }));
}

// Several programs on ranks with unequal links: rings in both directions whose chunks pass stations
// that hold hardly more than one chunk. In the last station, if there are several, ranks do not
// wait for each other.
struct Rings {
  std::uint32_t ranks = 4;
  std::vector<double> bandwidths{};  // by link; the last rings run in the other direction
  std::uint32_t programs = 2;
  std::uint32_t chunks = 5;
  std::uint32_t stations = 2;
  double room = 1.0;  // chunks
  double machines = 1.0;
  double first = 1.0;  // of the first station: chunks and machines
  bool equal = false;  // in latency
  GrantOrder order = GrantOrder::kFirstIn;
};

Program rings_of(const Rings& rings) {
  Program program;
  std::vector<Id<Station>> stations;
  for (std::uint32_t r = 0; r < rings.ranks; ++r) {
    for (std::uint32_t s = 0; s < rings.stations; ++s) {
      stations.push_back(program.add(Station{.name = "station",
                                             .room = 1000.0 * (s == 0 ? rings.first : rings.room),
                                             .machines = s == 0 ? rings.first : rings.machines,
                                             .owner = r,
                                             .order = rings.order,
                                             .in_turn = s == 0 || s + 1 < rings.stations}));
    }
  }
  std::vector<Id<Resource>> wires;
  for (std::uint32_t r = 0; r < rings.ranks; ++r) {
    wires.push_back(program.add(link("wire", rings.bandwidths[r])));
  }
  for (std::uint32_t i = 0; i < rings.programs; ++i) {
    PhaseProgram p = phases(rings.ranks, 1000.0 * rings.chunks, program.add(Issuer{"ring"}));
    p.chunk_size = 1000.0;
    p.window = 3;
    p.priority = static_cast<std::int32_t>(i % 2);
    for (std::uint32_t s = 0; s < rings.stations; ++s) {
      std::vector<Lane> lanes;
      for (std::uint32_t r = 0; r < rings.ranks; ++r) {
        const std::uint32_t up = (r + 1) % rings.ranks;
        const std::uint32_t down = (r + rings.ranks - 1) % rings.ranks;
        const bool alone = s > 0 && s + 1 == rings.stations;
        const double latency = *rc::gen::element(10.0, 10.0, 1000.0);
        lanes.push_back(
            lane(r,
                 alone        ? r
                 : i % 2 == 0 ? up
                              : down,
                 0.25,
                 program.add(drawing(wires[i % 2 == 0 ? r : down], rings.equal ? 10.0 : latency))));
        p.occupancies.push_back(
            {.station = stations[r * rings.stations + s], .room = 1.0, .machine = !alone});
      }
      add_phase(p, 1, lanes);
    }
    std::vector<Id<Task>> after;
    if (i > 2) {
      after.emplace_back(std::size_t{i} - 3);
    }
    program.add(Task{p, after});
  }
  return program;
}

Rings any_rings() {
  Rings rings;
  rings.ranks = *rc::gen::element(2U, 3U, 4U, 5U);
  for (std::uint32_t r = 0; r < rings.ranks; ++r) {
    rings.bandwidths.push_back(*rc::gen::element(1.0, 3.0, 10.0) * kGigabyte);
  }
  rings.programs = *rc::gen::element(1U, 2U, 3U, 5U);
  rings.chunks = *rc::gen::element(1U, 2U, 5U, 8U);
  rings.stations = *rc::gen::element(1U, 2U, 3U, 4U);
  rings.first = *rc::gen::element(1.0, 2.0, 3.0);
  rings.room = *rc::gen::element(1.0, 1.5, 2.0, 5.0);
  rings.machines = *rc::gen::element(1.0, 2.0, 3.0);
  rings.order = *rc::gen::element(GrantOrder::kFirstIn, GrantOrder::kLastIn);
  return rings;
}

// Room for one chunk per station is enough, for any mix of programs and unequal ranks.
TEST(BufferAdmissionProperty, NeverDeadlocks) {
  EXPECT_TRUE(rc::check([] {
    const Rings rings = any_rings();
    const Program program = rings_of(rings);
    const Timeline timeline = simulate(program);

    double drawn = 0.0;
    for (const ResourceUse& use : timeline.use) {
      drawn += use.drawn;
    }
    const double sent = 0.25 * 1000.0 * rings.ranks * rings.stations * rings.chunks;
    RC_ASSERT(std::abs(drawn / (sent * rings.programs) - 1.0) < 1e-9);
    for (std::size_t s = 0; s < program.stations.size(); ++s) {
      RC_ASSERT(timeline.stations[s].peak_room <= program.stations[s].room * (1.0 + 1e-9));
      RC_ASSERT(timeline.stations[s].peak_machines <= program.stations[s].machines);
    }
  }));
}

TEST(BufferAdmissionProperty, FoldingChangesNoTime) {
  int folded_cases = 0;
  EXPECT_TRUE(rc::check([&] {
    Rings rings = any_rings();
    rings.equal = true;
    std::ranges::fill(rings.bandwidths, *rc::gen::element(1.0, 3.0) * kGigabyte);
    const Program program = rings_of(rings);
    const Timeline unfolded = simulate(program);
    const auto folded = fold(program);
    if (!folded) {
      return;
    }
    ++folded_cases;
    const Timeline timeline = simulate(folded->program);
    const auto apart = timeline.end.picoseconds() - unfolded.end.picoseconds();
    RC_ASSERT(std::abs(apart) <= static_cast<std::int64_t>(unfolded.events));
    RC_ASSERT(folded->program.stations.size() == rings.stations);
  }));
  EXPECT_GT(folded_cases, 10);
}

// Chunks of 1000 B take 1 us each, one at a time. The second program starts when the first has
// passed 2 of its 10 chunks.
TEST(BufferAdmission, AdmitsFirstInLastInOrByPriority) {
  struct Case {
    GrantOrder order;
    std::int32_t priority;
    double second_ends_us;
  };

  for (const Case& c : {Case{GrantOrder::kFirstIn, 0, 20.0},
                        Case{GrantOrder::kLastIn, 0, 12.0},
                        Case{GrantOrder::kFirstIn, 1, 12.0},
                        Case{GrantOrder::kLastIn, -1, 20.0}}) {
    Program program;
    const Id<Issuer> issuer = program.add(Issuer{"line"});
    const Id<Demand> demand = program.add(Demand{.latency = Seconds(1e-6)});
    PhaseProgram p = phases(1, 10'000.0, issuer);
    p.chunk_size = 1000.0;
    p.window = 10;
    add_phase(p, 1, {lane(0, 0, 0.0, demand)});
    p.occupancies.push_back({.station = program.add(Station{.room = 1000.0, .order = c.order}),
                             .room = 1.0,
                             .machine = true});
    program.add(Task{p, {}});
    const auto wait = program.add(Task{
        Activity{.demand = program.add(Demand{.latency = Seconds(1.5e-6)}), .issuer = issuer}, {}});
    p.priority = c.priority;
    const auto second = program.add(Task{p, {wait}});

    const Timeline timeline = simulate(program);

    EXPECT_EQ(timeline.tasks[second.index()].finished.picoseconds(),
              static_cast<std::int64_t>(c.second_ends_us * 1e6));
    EXPECT_EQ(timeline.end.picoseconds(), 20'000'000);
  }
}

TEST(BufferAdmission, ADeadlockNamesTheWaitingChunks) {
  try {
    run_line({{100.0, 100.0}, {1.0, 0.5}, {1.0, 1.0}});
    FAIL() << "a chunk passed a station that is too small for it";
  } catch (const Bug& bug) {
    EXPECT_THAT(bug.what(), testing::HasSubstr("chunk 0 of task 0 at rank 0 waits for station"));
    EXPECT_THAT(bug.what(), testing::HasSubstr("1000 B of room, 500 of 500 free"));
  }
}

}  // namespace
}  // namespace cairn::sim
