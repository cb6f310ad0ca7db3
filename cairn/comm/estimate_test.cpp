#include "cairn/comm/estimate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/comm/test_support/closed_form.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::comm {
namespace {

using platform::Platform;
using platform::read_platform;

constexpr Bytes kSize{12e6};
constexpr Way kLink{BytesPerSecond(25e9), Seconds(500e-9)};
// Every event is rounded up to a picosecond.
constexpr double kEvent = 1e-12;

double simulated(const CollectiveSchedule& schedule, const GroupLayout& layout, Bytes size) {
  platform::Router router(*layout.platform);
  ProgramBuilder builder(router, View::kEveryMember);
  builder.add({.size = size, .group = layout.members}, layout, schedule, {});
  return sim::simulate(builder.take().program).end.since(SimTime{}).si();
}

double estimated(const CollectiveSchedule& schedule, const GroupLayout& layout) {
  platform::Router router(*layout.platform);
  return estimate({.size = kSize, .group = layout.members}, layout, schedule, {}, router, {})
      .time(kSize)
      .si();
}

CollectiveSchedule transfers(const GroupLayout& layout, const std::vector<Group>& pairs) {
  return schedule_in_groups(
      {.op = Op::kSendReceive, .size = kSize}, layout, pairs, {.algorithm = &kDirect});
}

TEST(Estimate, RingOnARingEqualsItsClosedForm) {
  for (const std::uint32_t n : {2U, 3U, 8U, 13U}) {
    const Platform ring = read_platform("ring:" + std::to_string(n) + "@25GB/s,500ns", {});
    const GroupLayout layout = make_group_layout(ring, {});
    for (const Op op : {Op::kAllReduce, Op::kAllGather, Op::kReduceScatter}) {
      const CollectiveSchedule schedule = kRing.schedule({.op = op, .size = kSize}, layout);

      const double time = estimated(schedule, layout);

      EXPECT_NEAR(time, ring_time(op, n, kSize, kLink, 1).si(), 1e-9 * time) << n;
      EXPECT_NEAR(time, simulated(schedule, layout, kSize), 2.0 * n * kEvent) << n;
    }
  }
}

// Both directions of a ring run at once, on separate links.
TEST(Estimate, RingsOnATorusEqualTheSimulation) {
  const Platform torus = read_platform("torus:4x3@25GB/s,500ns", {});
  const GroupLayout all = make_group_layout(torus, {});
  const std::vector<Group> rows{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};

  const CollectiveSchedule schedule =
      schedule_in_groups({.op = Op::kAllReduce, .size = kSize}, all, rows, {.algorithm = &kRing});

  const double time = estimated(schedule, all);
  EXPECT_NEAR(time, ring_time(Op::kAllReduce, 4, kSize, kLink, 1).si(), 1e-9 * time);
  EXPECT_NEAR(time, simulated(schedule, all, kSize), 8 * kEvent);
}

// From device i to i + 2 on a line of four: the link in the middle carries both.
TEST(Estimate, TransfersShareALink) {
  const Platform line = read_platform("mesh:4@25GB/s,500ns", {});
  const GroupLayout layout = make_group_layout(line, {});

  const CollectiveSchedule schedule = transfers(layout, {{0, 2}, {1, 3}});

  const double time = estimated(schedule, layout);
  EXPECT_NEAR(time, 2 * 500e-9 + 2 * kSize.si() / 25e9, 1e-9 * time);
  EXPECT_NEAR(time, simulated(schedule, layout, kSize), 4 * kEvent);
}

// Devices with different routes do not start together: an upper bound, off by at most the latency.
RC_GTEST_PROP(EstimateProperty, TransfersAreWithinALatencyOfTheSimulation, ()) {
  const Platform platform = read_platform(*rc::gen::element<std::string>("ring:8@25GB/s,500ns",
                                                                         "mesh:4x2@25GB/s,500ns",
                                                                         "torus:2x4@25GB/s,500ns",
                                                                         "switch:8@25GB/s,500ns"),
                                          {});
  const GroupLayout layout = make_group_layout(platform, {});
  const auto shift = *rc::gen::inRange(1U, 8U);
  Part part;
  part.begin_phase(1);
  for (std::uint32_t i = 0; i < 8; ++i) {
    part.send({.from = i, .to = (i + shift) % 8, .share = 1.0});
  }
  const CollectiveSchedule schedule{.parts = {part}};

  const double time = estimated(schedule, layout);
  const double really = simulated(schedule, layout, kSize);
  // The longest latency may be that of a message that does not use the busiest link.
  RC_ASSERT(really <= time + 16 * kEvent);
  RC_ASSERT(really >= time - 8 * 500e-9);
}

}  // namespace
}  // namespace cairn::comm
