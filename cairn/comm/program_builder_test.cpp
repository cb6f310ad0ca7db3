#include "cairn/comm/program_builder.hpp"

#include <gtest/gtest.h>

#include "cairn/comm/algorithm.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using platform::Platform;

CollectiveProgram build(const Platform& platform,
                        const Collective& collective,
                        const Algorithm& algorithm,
                        View view,
                        std::uint32_t chunks = 1) {
  GroupLayout layout = make_group_layout(platform, collective.group);
  layout.first_position_only = view == View::kOnePerClass;
  platform::Router router(platform);
  ProgramBuilder builder(router, view);
  builder.add(collective, layout, algorithm.schedule(collective, layout), {.chunks = chunks});
  return builder.take();
}

const sim::PhaseProgram& phases(const CollectiveProgram& program, std::size_t task) {
  return std::get<sim::PhaseProgram>(program.program.tasks.at(task).what);
}

const sim::Demand& demand_of(const CollectiveProgram& program, const sim::Lane& lane) {
  return program.program.demands[lane.demand.index()];
}

Collective all_to_all(double bytes) {
  return {.op = Op::kAllToAll, .size = Bytes(bytes), .group = {}, .root = 0, .weights = {}};
}

TEST(ProgramBuilder, CreatesResourcesForUsedLinksOnly) {
  const Platform ring = platform::read_platform("ring:5@25GB/s,500ns", {});

  const auto program =
      build(ring, {.size = Bytes(1e6), .group = {}, .weights = {}}, kRing, View::kEveryMember);

  EXPECT_EQ(program.ranks, 5U);
  EXPECT_EQ(program.program.resources.size(), 5U);  // one direction of five cables
  EXPECT_EQ(program.traffic[0].name, "device 0 -> device 1");
}

TEST(ProgramBuilder, DrawsOnAClassAsOftenAsOnEachMember) {
  // On a switch every device sends to the n-1 others: a link up is crossed by all messages of its
  // device. They draw on the same resources, so one lane of the class stands for all n-1.
  const Platform star = platform::read_platform("switch:6@25GB/s,500ns", {});

  const auto program = build(star, all_to_all(6e6), kDirect, View::kOnePerClass);

  EXPECT_EQ(program.ranks, 1U);
  ASSERT_EQ(program.traffic.size(), 2U);
  EXPECT_EQ(program.traffic[0].members, 6U);
  ASSERT_EQ(phases(program, 0).lanes.size(), 1U);
  EXPECT_DOUBLE_EQ(phases(program, 0).lanes.front().work, 5.0 / 6.0);
  for (const sim::Lane& lane : phases(program, 0).lanes) {
    EXPECT_EQ(lane.to, 0U);
    for (const sim::Draw& draw : demand_of(program, lane).draws) {
      EXPECT_DOUBLE_EQ(draw.count, 1.0);
    }
  }
}

TEST(ProgramBuilder, TwoHopsDrawTwiceOnTheirLinkClass) {
  const Platform ring = platform::read_platform("ring:5@25GB/s,500ns", {});

  const auto program = build(ring, all_to_all(5e6), kDirect, View::kOnePerClass);

  // Displacement 2 goes two hops up: with all five devices sending, two messages on each link.
  const sim::Demand& two_hops = demand_of(program, phases(program, 0).lanes[1]);
  ASSERT_EQ(two_hops.draws.size(), 1U);
  EXPECT_DOUBLE_EQ(two_hops.draws[0].count, 2.0);
  EXPECT_DOUBLE_EQ(two_hops.latency.si(), 1e-6);
}

// A quarter over each of four planes; the whole message leaves one device and enters another.
TEST(ProgramBuilder, AMessageOverSeveralLinksDrawsOnceOnSharedResources) {
  const Platform star = platform::read_platform(
      parse_config("{topology: switch, devices: 3, planes: 4, bandwidth: 25 GB/s, "
                   "injection: 30 GB/s}",
                   "test.yaml"),
      {});

  const auto program = build(star, all_to_all(3e6), kDirect, View::kEveryMember);

  const sim::Demand& demand = demand_of(program, phases(program, 0).lanes[0]);
  ASSERT_EQ(demand.draws.size(), 8U + 2U);
  for (const sim::Draw& draw : demand.draws) {
    const bool link = program.traffic[draw.resource.index()].kind == ResourceKind::kLink;
    EXPECT_DOUBLE_EQ(draw.amount, link ? 0.25 : 1.0);
    EXPECT_DOUBLE_EQ(draw.count, 1.0);
  }
}

TEST(ProgramBuilder, MemoryNodesStoreAndForward) {
  const Platform ring = platform::read_platform(
      parse_config("topology: mc_dla_ring\ndevices: 4\nrings: 1\nbandwidth: 25 GB/s\n"
                   "latency: 200 ns\nstore_and_forward: 4 KiB\n",
                   "test.yaml"),
      {});
  const auto latency = [&](double bytes) {
    const auto program =
        build(ring, {.size = Bytes(bytes), .group = {}, .weights = {}}, kRing, View::kEveryMember);
    return demand_of(program, phases(program, 0).lanes[0]).latency.si();
  };

  EXPECT_DOUBLE_EQ(latency(4 * 65536.0), 0.4e-6 + 4096 / 25e9);
  EXPECT_DOUBLE_EQ(latency(4 * 1024.0), 0.4e-6 + 1024 / 25e9);  // no more than the message
}

TEST(ProgramBuilder, DrawsOnInjectionLimitsAtBothEnds) {
  const Platform ring = platform::read_platform(
      parse_config("topology: ring\ndevices: 4\nbandwidth: 25 GB/s\ninjection: 30 GB/s\n",
                   "test.yaml"),
      {});

  const auto program =
      build(ring, {.size = Bytes(1e6), .group = {}, .weights = {}}, kRing, View::kEveryMember);

  EXPECT_EQ(demand_of(program, phases(program, 0).lanes[0]).draws.size(), 3U);
  EXPECT_EQ(program.program.resources.size(), 12U);  // 4 links, 4 devices send, 4 receive
}

// Partitions of engines are divided by the bandwidth of a message alone, which follows from its
// draws.
TEST(ProgramBuilder, AMessageSplitOverLinksIsInjectedAsAWhole) {
  const Platform planes = platform::read_platform(
      parse_config("topology: switch\ndevices: 4\nplanes: 2\nbandwidth: 25 GB/s\n"
                   "injection: 30 GB/s\n",
                   "test.yaml"),
      {});

  for (const View view : {View::kEveryMember, View::kOnePerClass}) {
    const auto program = build(planes, all_to_all(4e6), kDirect, view);
    std::size_t injected = 0;
    for (const sim::Draw& draw : demand_of(program, phases(program, 0).lanes[0]).draws) {
      if (program.traffic[draw.resource.index()].kind != ResourceKind::kLink) {
        EXPECT_DOUBLE_EQ(draw.amount, 1.0);
        EXPECT_DOUBLE_EQ(draw.count, 1.0);
        ++injected;
      }
    }
    EXPECT_EQ(injected, 2U);  // sent and received
  }
}

TEST(ProgramBuilder, EachCollectiveHasItsOwnIssuer) {
  const Platform ring = platform::read_platform("ring:4@25GB/s", {});
  const GroupLayout layout = make_group_layout(ring, {});
  const Collective collective{.size = Bytes(1e6), .group = {}, .weights = {}};
  platform::Router router(ring);
  ProgramBuilder builder(router, View::kEveryMember);

  builder.add(collective, layout, kRing.schedule(collective, layout), {});
  builder.add(collective, layout, kRing.schedule(collective, layout), {});
  const auto program = builder.take();

  ASSERT_EQ(program.program.tasks.size(), 2U);
  EXPECT_NE(phases(program, 0).issuer, phases(program, 1).issuer);
  EXPECT_EQ(program.program.resources.size(), 4U);  // the same links
}

TEST(ProgramBuilder, CutsThePayloadIntoEqualChunks) {
  const Platform ring = platform::read_platform("ring:4@25GB/s", {});

  const auto program =
      build(ring, {.size = Bytes(1e6), .group = {}, .weights = {}}, kRings, View::kEveryMember, 7);

  for (std::size_t part = 0; part < 2; ++part) {  // both directions
    EXPECT_EQ(phases(program, part).chunks(), 7U);
    EXPECT_DOUBLE_EQ(phases(program, part).payload, 5e5);
  }
}

}  // namespace
}  // namespace cairn::comm
