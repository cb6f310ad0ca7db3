#include "cairn/comm/lower_bound.hpp"

#include <gtest/gtest.h>

#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

double bound(const std::string& text, Op op, std::uint32_t root = 0) {
  const auto platform = text.find("topology") == std::string::npos
                            ? platform::read_platform(text, {})
                            : platform::read_platform(parse_config(text, "test.yaml"), {});
  return lower_bound({.op = op, .size = Bytes(1e9), .group = {}, .root = root, .weights = {}},
                     make_group_layout(platform, {}))
      .si();
}

TEST(LowerBound, CountsAllLinksOfADevice) {
  // A ring device has two links of 25 GB/s each way, and sends 2 (n-1)/n per byte on average.
  EXPECT_DOUBLE_EQ(bound("ring:8@25GB/s", Op::kAllReduce), 2.0 * 7 / 8 / 50);
  EXPECT_DOUBLE_EQ(bound("ring:8@25GB/s", Op::kAllGather), 7.0 / 8 / 50);
  EXPECT_DOUBLE_EQ(bound("ring:8@25GB/s", Op::kBroadcast), 1.0 / 50);
  EXPECT_DOUBLE_EQ(bound("switch:8@25GB/s", Op::kAllToAll), 7.0 / 8 / 25);
  EXPECT_DOUBLE_EQ(bound("switch:8@25GB/s", Op::kGather), 7.0 / 8 / 25);
}

TEST(LowerBound, RespectsAnInjectionLimit) {
  EXPECT_DOUBLE_EQ(
      bound("topology: ring\ndevices: 8\nbandwidth: 25 GB/s\ninjection: 40 GB/s", Op::kAllGather),
      7.0 / 8 / 40);
}

TEST(LowerBound, IsSetByTheSlowestReceiverOfEverything) {
  const std::string unequal =
      "topology: graph\n"
      "nodes: [{name: fast, count: 3}, {name: slow}, {name: hub, kind: switch}]\n"
      "links: [{from: fast, to: hub, bandwidth: 100 GB/s}, "
      "{from: slow, to: hub, bandwidth: 10 GB/s}]\n";

  EXPECT_DOUBLE_EQ(bound(unequal, Op::kAllReduce), 1.0 / 10);
  EXPECT_DOUBLE_EQ(bound(unequal, Op::kReduce, 0), 1.0 / 10);  // the slow one must send
}

TEST(LowerBound, OneDeviceTakesNoTime) {
  EXPECT_DOUBLE_EQ(bound("ring:1@25GB/s", Op::kAllReduce), 0.0);
}

}  // namespace
}  // namespace cairn::comm
