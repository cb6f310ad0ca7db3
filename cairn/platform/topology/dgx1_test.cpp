#include "cairn/platform/topology/dgx1.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform::topology {
namespace {

TEST(CubeMesh, RejectsUplinksThatDoNotDivideASocketFromFilesAndCode) {
  EXPECT_EQ(
      complaint([] { from_yaml("topology: cube_mesh\nhost: true\ndevices_per_uplink: 3\n"); }),
      "test.yaml:3: devices_per_uplink: 3 does not divide the 4 devices of a socket "
      "(expected 1, 2 or 4)");
  for (const std::uint32_t devices : {0U, 3U, 5U}) {
    EXPECT_THAT(complaint([&] { make_cube_mesh({.host = true, .devices_per_uplink = devices}); }),
                testing::HasSubstr("devices_per_uplink: "))
        << devices;
  }
}

}  // namespace
}  // namespace cairn::platform::topology
