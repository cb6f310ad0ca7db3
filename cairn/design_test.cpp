#include "cairn/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

using testing::HasSubstr;

// mc-dla: 1,024 cores, 900 GB/s.
const std::string kPlain = "model: alexnet\ndevice: mc-dla\nplatform: ring:8@25GB/s,1us\n";

DataFolders folders() {
  return DataFolders::in({CAIRN_DATA_FOLDER});
}

Config written(const std::string& more) {
  return parse_config(kPlain + more, "design.yaml");
}

Design design_with(const std::string& more) {
  return read_design(written(more), folders()).value();
}

// The message about a design that is rejected; empty if it is accepted.
std::string complaint(const std::string& more) {
  try {
    (void)read_design(written(more), folders());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Design, UsesAllDevicesOfThePlatformUnlessTheStrategyNamesFewer) {
  EXPECT_EQ(design_with("").devices(), 8U);
  EXPECT_EQ(design_with("strategy: {devices: 4}\n").devices(), 4U);
}

TEST(Design, IdealEndpointLeavesTheWholeDeviceToKernels) {
  const chip::Device left = design_with("").for_kernels();

  EXPECT_EQ(left.cores.count, 1024.0);
  EXPECT_EQ(left.memory.bandwidth, BytesPerSecond(900e9));
}

TEST(Design, ReservingEndpointTakesCoresAndMemoryBandwidthFromKernels) {
  const chip::Device left =
      design_with("endpoint: {executor: cores, sharing: reserved, sms: 6, memory: 450 GB/s}\n")
          .for_kernels();

  EXPECT_EQ(left.cores.count, 1024.0 - 6.0);
  EXPECT_EQ(left.memory.bandwidth, BytesPerSecond(900e9 - 450e9));
}

TEST(Design, BackgroundTablesTakeTheirShareFromOtherKernels) {
  const Design design =
      read_design(parse_config("model: dlrm\ndevice: mc-dla\nplatform: dgx1v\n"
                               "training: {tables: background}\n"
                               "launch: {background: {sms: 24, memory: 100 GB/s}}\n",
                               "design.yaml"),
                  folders())
          .value();

  EXPECT_EQ(design.for_background().cores.count, 24.0);
  EXPECT_EQ(design.for_background().memory.bandwidth, BytesPerSecond(100e9));
  EXPECT_EQ(design.for_kernels().cores.count, 1024.0 - 24.0);
  EXPECT_EQ(design.for_kernels().memory.bandwidth, BytesPerSecond(900e9 - 100e9));
  EXPECT_EQ(design.machine_options().background, BytesPerSecond(100e9));
}

TEST(Design, RejectsKeysThatHaveNoEffect) {
  EXPECT_EQ(complaint(""), "");
  EXPECT_THAT(complaint("training: {updates: before_use}\n"),
              HasSubstr("design.yaml:4: training.updates"));
  EXPECT_THAT(complaint("page_placement: local\n"), HasSubstr("design.yaml:4: page_placement"));
  EXPECT_THAT(complaint("memory: {offload: everything}\npage_placement: local\n"),
              HasSubstr("a platform that has memory-nodes"));
  EXPECT_THAT(complaint("launch: {background: {sms: 1, memory: 1 GB/s}}\n"),
              HasSubstr("design.yaml:4: launch.background"));
}

TEST(Design, RejectsAStrategyForOtherDeviceCounts) {
  EXPECT_THAT(
      complaint("strategy: {devices: 9}\n"),
      HasSubstr("design.yaml:4: strategy.devices: \"9\" is more than the platform's 8 devices"));
  EXPECT_THAT(complaint("strategy: RC-4-4-d1-p1\n"), HasSubstr("design.yaml:4: strategy: "));
}

TEST(Design, LinksOfTheChipNeedAGeneratedChip) {
  const auto design = read_design(written("links: chip\n"), folders());

  ASSERT_FALSE(design);
  EXPECT_EQ(design.reason().lack, Lack::kPackageLinks);
}

TEST(DesignReader, ReadsWhatAFreshReaderReads) {
  DesignReader reader(folders());
  for (const char* platform : {"ring:8@25GB/s,1us", "ring:4@25GB/s,1us", "ring:8@25GB/s,1us"}) {
    const Config config = parse_config(
        std::string("model: alexnet\ndevice: mc-dla\nplatform: ") + platform, "design.yaml");

    EXPECT_EQ(reader.read(config)->devices(), read_design(config, folders())->devices())
        << platform;
  }
}

}  // namespace
}  // namespace cairn
