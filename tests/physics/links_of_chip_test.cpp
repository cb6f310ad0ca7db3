// Links between devices with the bandwidth of a generated chip (links: chip).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

using testing::HasSubstr;

Feasible<Design> language_model(const std::vector<std::string>& settings) {
  const DataFolders folders = DataFolders::in({CAIRN_DATA_FOLDER});
  Config config =
      load_config(std::string(CAIRN_DATA_FOLDER) + "/designs/language-model-on-512-v100.yaml");
  for (const std::string setting : {"memory.capacity=ignored",
                                    "strategy.spread=RC-1-4-d2",
                                    "strategy.batch=1024",
                                    "device.template=v100"}) {
    set_value_of_design(config, setting, folders);
  }
  for (const std::string& setting : settings) {
    set_value_of_design(config, setting, folders);
  }
  return read_design(config, folders);
}

// Around a switch a device has one link; in a ring two, each with half of the chip's bandwidth.
TEST(LinksOfChip, HaveTheTotalBandwidthOfTheChip) {
  const auto star = language_model({"platform=switch:8@100GB/s,1us", "links=chip"});
  const auto ring = language_model({"platform=ring:8@100GB/s,1us", "links=chip"});
  const BytesPerSecond all = *star->device.links;

  EXPECT_NE(all, BytesPerSecond(100e9));
  EXPECT_DOUBLE_EQ(platform::max_egress_bandwidth(star->platform).si(), all.si());
  EXPECT_DOUBLE_EQ(platform::max_egress_bandwidth(ring->platform).si(), all.si());
  EXPECT_DOUBLE_EQ(ring->platform.graph.link_classes()[0].bandwidth.si(), all.si() / 2.0);
}

// The platform's bandwidths then only give the ratios of its links.
TEST(LinksOfChip, DoNotDependOnThePlatformsBandwidth) {
  const auto slow = evaluate(*language_model({"platform=switch:8@1GB/s,1us", "links=chip"}));
  const auto fast = evaluate(*language_model({"platform=switch:8@1TB/s,1us", "links=chip"}));

  EXPECT_NEAR(slow->step_time.si(), fast->step_time.si(), 1e-9 * fast->step_time.si());
}

TEST(LinksOfChip, CountTowardsBudgetAndTime) {
  const auto with = [](const std::string& area) {
    return evaluate(*language_model({"platform=switch:8@100GB/s,1us",
                                     "links=chip",
                                     "device.template.network.inter_package.area=" + area,
                                     "device.template.network.inter_package.perimeter=0.1"}));
  };

  EXPECT_LT(with("0.01")->step_time, with("0.001")->step_time);
}

TEST(LinksOfChip, NeedAChipWithLinks) {
  const auto none = language_model({"platform=switch:8@100GB/s,1us", "links=chip", "device=a100"});

  ASSERT_FALSE(none);
  EXPECT_EQ(none.reason().limit(), "inter_package");
  EXPECT_THAT(none.reason().detail, HasSubstr("no links to other packages"));
}

TEST(LinksOfChip, DefaultToThePlatformsBandwidth) {
  const auto design = language_model({"platform=switch:8@100GB/s,1us"});

  EXPECT_EQ(platform::max_egress_bandwidth(design->platform), BytesPerSecond(100e9));
}

}  // namespace
}  // namespace cairn
