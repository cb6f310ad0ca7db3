#include "cairn/design_settings.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

DataFolders folders() {
  return DataFolders::in({CAIRN_DATA_FOLDER});
}

// mc-dla has 1,024 cores.
Config written(const std::string& more) {
  return parse_config("model: alexnet\ndevice: mc-dla\nplatform: ring:8@25GB/s,1us\n" + more,
                      "design.yaml");
}

TEST(DesignSettings, ChangeValuesOfNamedParts) {
  Config config = written("endpoint: cores\n");
  for (const char* setting : {"device.memory.bandwidth=450 GB/s",
                              "platform.latency=2 us",
                              "endpoint.sharing=reserved",
                              "endpoint.sms=6",
                              "endpoint.memory=100 GB/s",
                              "strategy.batch=64"}) {
    set_value_of_design(config, setting, folders());
  }

  const Design design = read_design(config, folders()).value();

  EXPECT_EQ(design.device.memory.bandwidth, BytesPerSecond(450e9));
  EXPECT_EQ(design.platform.graph.link_classes().front().latency, Seconds(2e-6));
  EXPECT_EQ(design.for_kernels().cores.count, 1024.0 - 6.0);
  EXPECT_EQ(design.strategy.batch, 64.0);
}

TEST(DesignSettings, AnExpandedDesignIsTheSameDesign) {
  const Config config = written("endpoint: cores\nstrategy: {batch: 64}\n");

  const Config expanded = written_out_design(config, folders());

  EXPECT_EQ(expanded.find("device")->kind, Config::Kind::kMap);
  const Design before = read_design(config, folders()).value();
  const Design after = read_design(expanded, folders()).value();
  EXPECT_EQ(after.device.name, before.device.name);
  EXPECT_EQ(after.device.memory, before.device.memory);
  EXPECT_EQ(after.for_kernels().cores.count, before.for_kernels().cores.count);
  EXPECT_EQ(after.platform.name, before.platform.name);
  EXPECT_EQ(after.devices(), before.devices());
}

TEST(DesignSettings, ListsEveryValueUnderTheKeyThatChangesIt) {
  const Config expanded = written_out_design(written("strategy: {batch: 64}\n"), folders());

  for (const auto& [key, text] : values_of_design(expanded)) {
    Config changed = expanded;
    set_value_of_design(changed, key + "=" + text, folders());
    EXPECT_TRUE(same_content(changed, expanded)) << key;
  }
}

}  // namespace
}  // namespace cairn
