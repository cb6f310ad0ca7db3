#include "cairn/sim/fold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cairn/base/must_have.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::sim {
namespace {

// Rank r sends `bytes` to r+1 over a link of its own.
Program ring(std::uint32_t ranks, std::uint32_t steps, double capacity_of_link_0 = 1e9) {
  Program program;
  const auto issuer = program.add(Issuer{.name = "collective"});
  PhaseProgram phases{.name = "ring", .issuer = issuer, .ranks = ranks};
  phases.payload = 1e6;
  phases.chunk_size = 1e6;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const auto link =
        program.add(Resource{.name = "link", .capacity = r == 0 ? capacity_of_link_0 : 1e9});
    const auto demand = program.add(Demand{.draws = {{link}}, .latency = Seconds(1e-6)});
    phases.lanes.push_back({.from = r, .to = (r + 1) % ranks, .work = 1.0, .demand = demand});
  }
  phases.phases.push_back({.steps = steps, .first_lane = 0, .end_lane = ranks});
  program.add(Task{std::move(phases)});
  return program;
}

FoldedProgram must_fold(const Program& program) {
  auto folded = fold(program);
  return std::move(must_have(folded, "a program that does not fold"));
}

double seconds(const Program& program) {
  return simulate(program).end.since(SimTime{}).si();
}

TEST(Fold, AUniformRingFoldsToOneRankAndOneLink) {
  const Program program = ring(12, 5);

  const FoldedProgram folded = must_fold(program);

  EXPECT_EQ(folded.rank_classes, 1U);
  EXPECT_EQ(folded.lane_classes, 1U);
  ASSERT_EQ(folded.resource_members.size(), 1U);
  EXPECT_EQ(folded.resource_members[0], 12U);
  EXPECT_DOUBLE_EQ(seconds(folded.program), seconds(program));
}

// Every message passes a link and a bus of the same speed.
TEST(Fold, KeepsResourcesWithDifferentLabelsApart) {
  Program program = ring(12, 5);
  for (std::uint32_t r = 0; r < 12; ++r) {
    program.demands[r].draws.push_back({program.add(Resource{.name = "bus", .capacity = 1e9})});
  }
  EXPECT_EQ(must_fold(program).resource_members, std::vector<std::uint32_t>{24});

  for (std::uint32_t r = 12; r < 24; ++r) {
    program.resources[r].label = 1;
  }
  EXPECT_EQ(must_fold(program).resource_members, (std::vector<std::uint32_t>{12, 12}));
}

TEST(Fold, OneOddLinkPreventsFoldingOfARing) {
  // Ranks differ by their distance to it; each is alone in its class, and folding saves nothing.
  EXPECT_FALSE(fold(ring(12, 5, 0.5e9)));
}

TEST(Fold, AComponentWithAnOddLinkStaysUnfoldedBesideOthers) {
  Program program = ring(12, 5, 0.5e9);
  const auto issuer = program.add(Issuer{.name = "kernels"});
  PhaseProgram devices{.name = "devices", .issuer = issuer, .ranks = 6};
  devices.payload = devices.chunk_size = 1e6;
  for (std::uint32_t phase = 0; phase < 2; ++phase) {
    for (std::uint32_t r = 0; r < 6; ++r) {
      const auto memory = program.add(Resource{.name = "memory", .capacity = 1e9});
      const auto demand = program.add(Demand{.draws = {{memory}}});
      devices.lanes.push_back({.from = r, .to = r, .work = 1.0, .demand = demand});
    }
    devices.phases.push_back({.steps = 1, .first_lane = 6 * phase, .end_lane = 6 * phase + 6});
  }
  program.add(Task{std::move(devices)});

  const FoldedProgram folded = must_fold(program);

  EXPECT_EQ(folded.rank_members[0].size(), 12U);
  EXPECT_EQ(folded.rank_members[1], std::vector<std::uint32_t>{6});
  EXPECT_DOUBLE_EQ(seconds(folded.program), seconds(program));
}

TEST(Fold, SendersOnOneResourceDrawOncePerMember) {
  Program program;
  const auto issuer = program.add(Issuer{.name = "gather"});
  const auto root = program.add(Resource{.name = "root", .capacity = 1e9});
  PhaseProgram phases{.name = "gather", .issuer = issuer, .ranks = 6};
  phases.payload = 1e6;
  phases.chunk_size = 1e6;
  for (std::uint32_t r = 1; r < 6; ++r) {
    const auto link = program.add(Resource{.name = "link", .capacity = 0.5e9});
    const auto demand = program.add(Demand{.draws = {{link}, {root}}});
    phases.lanes.push_back({.from = r, .to = 0, .work = 1.0, .demand = demand});
  }
  phases.phases.push_back({.steps = 1, .first_lane = 0, .end_lane = 5});
  program.add(Task{std::move(phases)});

  const FoldedProgram folded = must_fold(program);

  EXPECT_EQ(folded.rank_classes, 1U);  // none waits for another
  EXPECT_EQ(folded.lane_classes, 1U);
  EXPECT_NEAR(seconds(folded.program), 5e6 / 1e9, 1e-11);
  EXPECT_NEAR(seconds(folded.program), seconds(program), 1e-11);
}

double first_completion(const Program& program) {
  return simulate(program, Record::kSpans).spans.front().finished.since(SimTime{}).si();
}

// Four lanes draw on a ring of four resources, each 1/3 on its own and 2/3 on the next: a member of
// the resource class is used by two members of the lane class, with different amounts. The plain
// lanes beside them finish first, the sooner the less of a link the split ones get.
TEST(Fold, DifferentAmountsOfOneClassOnOneResourceStaySeparate) {
  Program program;
  const auto issuer = program.add(Issuer{.name = "split"});
  PhaseProgram phases{.name = "split", .issuer = issuer, .ranks = 8};
  phases.payload = 1e6;
  phases.chunk_size = 1e6;
  std::vector<Id<Resource>> links;
  links.reserve(4);
  for (int i = 0; i < 4; ++i) {
    links.push_back(program.add(Resource{.name = "link", .capacity = 1e9}));
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto split =
        program.add(Demand{.draws = {{links[i], 1.0 / 3.0}, {links[(i + 1) % 4], 2.0 / 3.0}}});
    const auto plain = program.add(Demand{.draws = {{links[i], 0.5}}});
    phases.lanes.push_back({.from = i, .to = 4 + i, .work = 1.0, .demand = split});
    phases.lanes.push_back({.from = i, .to = 4 + i, .work = 1.0, .demand = plain});
  }
  phases.phases.push_back({.steps = 1, .first_lane = 0, .end_lane = 8});
  program.add(Task{std::move(phases)});

  const FoldedProgram folded = must_fold(program);

  // Lanes of one collective progress equally: (1/3 + 2/3 + 1/2) x = 1 GB/s on every link.
  EXPECT_NEAR(first_completion(program), 1e6 * 1.5 / 1e9, 1e-11);
  EXPECT_NEAR(first_completion(folded.program), first_completion(program), 1e-11);
  EXPECT_NEAR(seconds(folded.program), seconds(program), 1e-11);
}

// Device i copies 3/4 over link i and 1/4 over the next; a collective draws on all links.
Program copies_beside_a_collective(double first_share) {
  Program program;
  const auto copies = program.add(Issuer{.name = "copy", .per_member = true});
  const auto collective = program.add(Issuer{.name = "collective"});
  PhaseProgram copy{.name = "copy", .issuer = copies, .ranks = 4};
  PhaseProgram exchange{.name = "exchange", .issuer = collective, .ranks = 4};
  copy.payload = copy.chunk_size = exchange.payload = exchange.chunk_size = 1e6;
  for (int i = 0; i < 4; ++i) {
    program.add(Resource{.name = "link", .capacity = 1e9});
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Id<Resource> own(i);
    const Id<Resource> next((i + 1) % 4);
    const auto split =
        program.add(Demand{.draws = {{own, first_share}, {next, 1.0 - first_share}}});
    const auto plain = program.add(Demand{.draws = {{own}}});
    copy.lanes.push_back({.from = i, .to = i, .work = 1.0, .demand = split});
    exchange.lanes.push_back({.from = i, .to = (i + 1) % 4, .work = 1.0, .demand = plain});
  }
  copy.phases.push_back({.steps = 1, .first_lane = 0, .end_lane = 4});
  exchange.phases.push_back({.steps = 1, .first_lane = 0, .end_lane = 4});
  program.add(Task{std::move(copy)});
  program.add(Task{std::move(exchange)});
  return program;
}

// On a link, two devices draw 3/4 x and 1/4 x for copies that progress at x, and each is an issuer
// with its own share; a single draw of x would have one share, or two.
TEST(Fold, DoesNotFoldIssuersWithUnequalDrawsOnAContendedResource) {
  EXPECT_FALSE(fold(copies_beside_a_collective(0.75)));

  const Program equal = copies_beside_a_collective(0.5);
  EXPECT_NEAR(seconds(must_fold(equal).program), seconds(equal), 1e-11);
}

TEST(Fold, KeepsTasksSeparateAndInOrder) {
  Program program = ring(8, 3);
  const Program other = ring(8, 2);
  program.tasks.push_back(program.tasks.front());
  std::get<PhaseProgram>(program.tasks[1].what).phases.front().steps = 2;
  program.tasks[1].after = {Id<Task>(0)};

  const FoldedProgram folded = must_fold(program);

  ASSERT_EQ(folded.program.tasks.size(), 2U);
  EXPECT_EQ(folded.program.tasks[1].after.size(), 1U);
  EXPECT_NEAR(seconds(folded.program), seconds(ring(8, 3)) + seconds(other), 1e-11);
}

TEST(Fold, DoesNotFoldProgramsOfSingleActivities) {
  Program program = ring(8, 3);
  program.add(Task{Activity{.demand = Id<Demand>(0), .issuer = Id<Issuer>(0), .work = 1.0}});

  EXPECT_FALSE(fold(program));
}

TEST(Fold, DoesNotFoldHoldsThatMustBeGrantedOneByOne) {
  Program program = ring(8, 1);
  const auto slots =
      program.add(Resource{.name = "slots", .kind = ResourceKind::kHeld, .capacity = 3.0});
  for (Demand& demand : program.demands) {
    demand.holds.push_back({slots, 1.0});
  }

  EXPECT_FALSE(fold(program));

  program.resources[slots.index()].capacity = 8.0;
  EXPECT_TRUE(fold(program));
}

}  // namespace
}  // namespace cairn::sim
