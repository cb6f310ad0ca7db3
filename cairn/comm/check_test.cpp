#include "cairn/comm/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::comm {
namespace {

using platform::complaint;
using platform::read_platform;
using testing::HasSubstr;
using testing::IsEmpty;

std::string complaint_about(const Collective& collective) {
  return complaint([&] { check(read_platform("ring:8@25GB/s", {}), collective); });
}

TEST(CheckCollective, RejectsAnUnknownDevice) {
  EXPECT_THAT(complaint_about({.size = Bytes(1.0), .group = {0, 8}, .weights = {}}),
              HasSubstr("group: device 8 does not exist (expected 0 to 7"));
}

TEST(CheckCollective, RejectsADeviceListedTwice) {
  EXPECT_THAT(complaint_about({.size = Bytes(1.0), .group = {3, 1, 3}, .weights = {}}),
              HasSubstr("group: device 3 is listed twice"));
}

TEST(CheckCollective, RejectsNegativeAndInfiniteSizes) {
  EXPECT_THAT(complaint_about({.size = Bytes(-1.0), .group = {}, .weights = {}}),
              HasSubstr("size: "));
  EXPECT_THAT(complaint_about({.size = Bytes::infinity(), .group = {}, .weights = {}}),
              HasSubstr("size: "));
}

TEST(CheckCollective, RejectsARootOutsideTheGroup) {
  EXPECT_THAT(
      complaint_about(
          {.op = Op::kBroadcast, .size = Bytes(1.0), .group = {4, 5}, .root = 2, .weights = {}}),
      HasSubstr("root: position 2 does not exist"));
}

TEST(CheckCollective, SendReceiveNeedsTwoDevicesAndWeightsOnePerDevice) {
  EXPECT_THAT(
      complaint_about({.op = Op::kSendReceive, .size = Bytes(1.0), .group = {}, .weights = {}}),
      HasSubstr("group: 8 devices for send_receive"));
  EXPECT_THAT(
      complaint_about(
          {.op = Op::kAllToAll, .size = Bytes(1.0), .group = {0, 1, 2}, .weights = {1.0, 2.0}}),
      HasSubstr("weights: 2 weights for 3 devices"));
}

TEST(CheckCollective, AcceptsOddGroupsAndEmptyPayloads) {
  EXPECT_THAT(complaint_about({.size = Bytes(0.0), .group = {6}, .weights = {}}), IsEmpty());
  EXPECT_THAT(complaint_about({.size = Bytes(1.5), .group = {6, 0, 3}, .weights = {}}), IsEmpty());
}

}  // namespace
}  // namespace cairn::comm
