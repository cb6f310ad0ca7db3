#include "cairn/comm/groups.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/estimate.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using platform::Platform;
using platform::read_platform;

Platform any_platform() {
  return read_platform(*rc::gen::element<std::string>("ring:12@25GB/s,500ns",
                                                      "switch:12@25GB/s,500ns",
                                                      "mesh:4x3@25GB/s,500ns",
                                                      "torus:6x2@25GB/s,50GB/s,500ns,100ns"),
                       {});
}

// Twelve positions in any order, in groups of one size.
std::vector<Group> any_groups() {
  std::vector<std::uint32_t> positions(12);
  std::iota(positions.begin(), positions.end(), 0U);
  for (std::size_t i = positions.size(); i > 1; --i) {
    std::swap(positions[i - 1], positions[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  const auto size = *rc::gen::element<std::size_t>(2, 3, 4, 6, 12);
  std::vector<Group> groups;
  for (std::size_t first = 0; first < positions.size(); first += size) {
    const auto begin = positions.begin() + static_cast<std::ptrdiff_t>(first);
    groups.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return groups;
}

std::vector<const Algorithm*> supporting(Op op,
                                         const GroupLayout& all,
                                         std::span<const Group> groups) {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms()) {
    if (std::ranges::all_of(groups, [&](const Group& group) {
          return algorithm->supports(op, layout_of(all, group));
        })) {
      found.push_back(algorithm);
    }
  }
  return found;
}

// All groups together send the bytes of each group alone, and every message stays within its group.
RC_GTEST_PROP(GroupsProperty, BytesAreConserved, ()) {
  const Platform platform = any_platform();
  const GroupLayout all = make_group_layout(platform, {});
  const std::vector<Group> groups = any_groups();
  const Op op =
      *rc::gen::element(Op::kAllReduce, Op::kAllGather, Op::kReduceScatter, Op::kAllToAll);
  const Collective collective{.op = op, .size = Bytes(1e6)};

  for (const Algorithm* algorithm : supporting(op, all, groups)) {
    const CollectiveSchedule together =
        schedule_in_groups(collective, all, groups, {.algorithm = algorithm});

    double one_by_one = 0.0;
    std::vector<std::size_t> group_of(12);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const GroupLayout layout = layout_of(all, groups[g]);
      Collective here = collective;
      here.group = layout.members;
      one_by_one += total_share(algorithm->schedule(here, layout));
      for (const std::uint32_t position : groups[g]) {
        group_of[position] = g;
      }
    }
    RC_ASSERT(std::abs(total_share(together) - one_by_one) <= 1e-9 * one_by_one);
    for (const Part& part : together.parts) {
      for (const Message& message : part.messages) {
        RC_ASSERT(group_of[message.from] == group_of[message.to]);
      }
    }
  }
}

TEST(Groups, EqualGroupsSendTheBytesOfOneTimesTheirNumber) {
  const Platform platform = read_platform("switch:12@25GB/s,500ns", {});
  const GroupLayout all = make_group_layout(platform, {});
  const std::vector<Group> groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  const Collective collective{.op = Op::kAllReduce, .size = Bytes(1e6)};

  const double three =
      total_share(schedule_in_groups(collective, all, groups, {.algorithm = &kRing}));
  const double one = total_share(
      schedule_in_groups(collective, all, std::span(groups).first(1), {.algorithm = &kRing}));

  // 2 (n - 1) / n of the payload by each of n.
  EXPECT_DOUBLE_EQ(one, 2.0 * 3);
  EXPECT_DOUBLE_EQ(three, 3 * one);
}

TEST(Groups, OneGroupOfAllIsThePlainSchedule) {
  for (const char* text :
       {"ring:8@25GB/s,500ns", "torus:4x2@25GB/s,500ns", "switch:8@25GB/s,1us"}) {
    const Platform platform = read_platform(text, {});
    const GroupLayout all = make_group_layout(platform, {});
    Group everyone(8);
    std::iota(everyone.begin(), everyone.end(), 0U);
    for (const Op op : {Op::kAllReduce, Op::kAllGather, Op::kAllToAll}) {
      for (const Algorithm* algorithm : supporting(op, all, std::span(&everyone, 1))) {
        const Collective collective{.op = op, .size = Bytes(1e6)};
        const CollectiveSchedule plain = algorithm->schedule(collective, all);
        const CollectiveSchedule grouped =
            schedule_in_groups(collective, all, std::span(&everyone, 1), {.algorithm = algorithm});
        platform::Router router(platform);
        const auto time = [&](const CollectiveSchedule& schedule) {
          return estimate(collective, all, schedule, {}, router, {}).time(collective.size).si();
        };

        EXPECT_DOUBLE_EQ(total_share(grouped), total_share(plain)) << text << algorithm->name;
        EXPECT_DOUBLE_EQ(time(grouped), time(plain)) << text << algorithm->name;
      }
    }
  }
}

TEST(Groups, TransfersSendThePayloadOfEachPair) {
  const Platform platform = read_platform("switch:8@25GB/s,500ns", {});
  const GroupLayout all = make_group_layout(platform, {});
  const std::vector<Group> pairs{{0, 4}, {1, 5}, {2, 6}};
  const Collective transfer{.op = Op::kSendReceive, .size = Bytes(1e6)};

  const CollectiveSchedule schedule =
      schedule_in_groups(transfer, all, pairs, {.algorithm = &kDirect});
  const std::vector<Buffers> buffers = buffers_in_groups(transfer, 8, pairs);

  EXPECT_DOUBLE_EQ(total_share(schedule), 3.0);
  ASSERT_EQ(schedule.parts.size(), 1U);
  EXPECT_EQ(schedule.parts[0].messages[1].from, 1U);
  EXPECT_EQ(schedule.parts[0].messages[1].to, 5U);
  EXPECT_DOUBLE_EQ(buffers[1].in, 1.0);
  EXPECT_DOUBLE_EQ(buffers[5].out, 1.0);
  EXPECT_DOUBLE_EQ(buffers[3].in + buffers[7].out, 0.0);
}

}  // namespace
}  // namespace cairn::comm
