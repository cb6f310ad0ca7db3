#include "cairn/platform/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/named_file.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform {
namespace {

using testing::HasSubstr;

const LinkClass& link_class(const Platform& platform, const std::string& name) {
  for (const LinkClass& known : platform.graph.link_classes()) {
    if (known.name == name) {
      return known;
    }
  }
  throw Bug("no link class of that name");
}

std::string complaint_about(const std::string& text) {
  return complaint([&] { read_platform(text, data_of_source_tree()); });
}

TEST(InlinePlatform, OneBandwidthAndLatencyApplyToAllDimensions) {
  const Platform torus = read_platform("torus:4x2@25GB/s,500ns", {});

  EXPECT_EQ(torus.dims, (std::vector<std::uint32_t>{4, 2}));
  EXPECT_EQ(torus.name, "torus:4x2@25GB/s,500ns");
  for (const char* name : {"x+", "x-", "y+", "y-"}) {
    EXPECT_DOUBLE_EQ(link_class(torus, name).bandwidth.si(), 25e9);
    EXPECT_DOUBLE_EQ(link_class(torus, name).latency.si(), 500e-9);
    EXPECT_EQ(link_class(torus, name).count, 8U);
  }
}

TEST(InlinePlatform, BandwidthsAndLatenciesMayBeGivenPerDimension) {
  const Platform torus = read_platform("torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,403ns", {});

  EXPECT_DOUBLE_EQ(link_class(torus, "x+").bandwidth.si(), 200e9);
  EXPECT_DOUBLE_EQ(link_class(torus, "y+").bandwidth.si(), 25e9);
  EXPECT_DOUBLE_EQ(link_class(torus, "x-").latency.si(), 72e-9);
  EXPECT_DOUBLE_EQ(link_class(torus, "z-").latency.si(), 403e-9);
}

TEST(InlinePlatform, LatencyDefaultsToZero) {
  EXPECT_EQ(link_class(read_platform("switch:8@450GB/s", {}), "up").latency, Seconds(0.0));
}

TEST(InlinePlatform, DimsSetTheKeysOfTheTopology) {
  EXPECT_EQ(read_platform("rings:8x3@25GB/s", {}).rings.size(), 3U);
  EXPECT_EQ(read_platform("switch:8x6@25GB/s", {}).graph.nodes().size(), 8U + 6U);
  EXPECT_EQ(read_platform("dragonfly:9x4x2x2@25GB/s", {}).device_count(), 9U * 4U * 2U);
  EXPECT_EQ(read_platform("mc_dla_ring:4x1@25GB/s", {}).graph.nodes().size(), 8U);
  EXPECT_EQ(read_platform("cube_mesh@25GB/s,1us", {}).device_count(), 8U);
}

TEST(BadPlatform, UnknownTopologyNamesTheNearest) {
  EXPECT_EQ(complaint_about("rign:8@25GB/s"),
            "--platform: \"rign\" is not a topology (did you mean \"ring\"?)");
  EXPECT_EQ(complaint([] { from_yaml("name: p\ntopology: tours\ndims: [2, 2]\n"); }),
            "test.yaml:2: topology: \"tours\" is not a topology (did you mean \"torus\"?)");
}

TEST(Inline, SpacesAroundItsPartsDoNotMatter) {
  const Platform ring = read_platform("ring: 8 @ 25 GB/s, 5 us", {});

  EXPECT_EQ(ring.device_count(), 8U);
  EXPECT_DOUBLE_EQ(ring.graph.link_classes()[0].latency.si(), 5e-6);
  EXPECT_EQ(read_platform("torus:2 x 3@1GB/s, 2GB/s, 1us", {}).dims,
            (std::vector<std::uint32_t>{2, 3}));
}

TEST(BadPlatform, NumbersThatBeginWithAZeroAreRefused) {
  EXPECT_THAT(complaint([] { from_yaml("topology: ring\ndevices: 010\nbandwidth: 1 GB/s\n"); }),
              HasSubstr("test.yaml:2: devices: \"010\" begins with a zero"));
  EXPECT_THAT(complaint_about("ring:08@1GB/s"), HasSubstr("begins with a zero"));
}

TEST(BadPlatform, ANodeNeedsAName) {
  EXPECT_THAT(complaint([] { from_yaml("topology: graph\nnodes: [{name: '', count: 2}]\n"); }),
              HasSubstr("test.yaml:2: nodes[0].name"));
}

TEST(BadPlatform, UnknownPresetNamesTheNearest) {
  EXPECT_EQ(complaint_about("dgx1"),
            "--platform: \"dgx1\" is not a platform (did you mean \"dgx1v\"?)");
  EXPECT_THAT(complaint_about("ring"), HasSubstr("without its parameters"));
}

TEST(BadPlatform, UnknownKeyNamesLineAndNearestKey) {
  const std::string text =
      complaint([] { from_yaml("topology: ring\ndevices: 4\nbandwith: 25 GB/s\n"); });

  EXPECT_THAT(text, HasSubstr("test.yaml:3: bandwith"));
  EXPECT_THAT(text, HasSubstr("bandwidth"));
}

TEST(BadPlatform, WrongUnitsAndNumbersNameTheTextAndTheKey) {
  EXPECT_THAT(complaint_about("ring:8@25GB,500ns"), HasSubstr("ring:8@25GB,500ns: bandwidth: "));
  EXPECT_THAT(complaint_about("ring:8@0GB/s"), HasSubstr("bandwidth"));
  EXPECT_THAT(complaint_about("ring:8@-1GB/s"), HasSubstr("bandwidth"));
  EXPECT_THAT(complaint_about("ring:0@25GB/s"), HasSubstr("devices"));
  EXPECT_THAT(complaint_about("ring:-4@25GB/s"), HasSubstr("devices"));
  EXPECT_THAT(complaint_about("ring:8x8@25GB/s"), HasSubstr("dims"));
  EXPECT_THAT(complaint_about("ring:@25GB/s"), HasSubstr("devices"));
  EXPECT_THAT(complaint_about("ring@25GB/s"), HasSubstr("devices"));
  EXPECT_THAT(complaint_about("ring:8"), HasSubstr("bandwidth"));
  EXPECT_THAT(complaint_about("ring:8@25GB/s,500ns,25GB/s"), HasSubstr("follows a latency"));
  EXPECT_THAT(complaint_about("torus:4x4x4@1GB/s,2GB/s"), HasSubstr("one for each of 3"));
  EXPECT_THAT(complaint_about(""), HasSubstr("is empty"));
  EXPECT_THAT(complaint_about("./missing.yaml"), HasSubstr("missing.yaml"));
}

TEST(BadPlatform, TooManyDevicesAreRefusedWithTheMemoryTheyWouldNeed) {
  // The size is checked before allocation, or this test would not finish.
  EXPECT_THAT(complaint_about("ring:1000000000000@25GB/s"), HasSubstr("TB of memory"));
  for (const char* text : {"torus:1000000x1000000x1000000x1000000x1000000@25GB/s",
                           "fully_connected:10000000@25GB/s",
                           "switch:1000000000000@25GB/s",
                           "rings:1000000x1000000@25GB/s",
                           "fat_tree:1000000x1000000x1000000@25GB/s",
                           "dragonfly:1000000x1000000x1000000x2@25GB/s",
                           "mc_dla_ring:1000000000000@25GB/s",
                           "mesh:9223372036854775807x9223372036854775807@25GB/s"}) {
    EXPECT_THAT(complaint_about(text), HasSubstr("of memory (expected at most")) << text;
  }
}

TEST(BadPlatform, IslandsAreRefusedBeforeTheirPartsAreBuilt) {
  // Each part alone is within the limit: a hundred million devices.
  EXPECT_THAT(complaint([] {
                from_yaml(
                    "topology: islands\nbetween: 'ring:1000@1GB/s'\n"
                    "island: {topology: islands, island: 'ring:10000@1GB/s',\n"
                    "         between: 'ring:10000@1GB/s'}\n");
              }),
              HasSubstr("test.yaml:2: between: 100,000,000,000 devices"));
}

TEST(SharedKeys, InjectionLimitsEveryDevice) {
  const Platform ring =
      from_yaml("topology: ring\ndevices: 4\nbandwidth: 25 GB/s\ninjection: 30 GB/s\n");

  EXPECT_DOUBLE_EQ(ring.graph.class_of(ring.graph.devices()[3]).injection.si(), 30e9);
}

TEST(Platform, LinkEfficiencyScalesBandwidth) {
  const Platform ring =
      from_yaml("topology: ring\ndevices: 4\nbandwidth: 25 GB/s\nlink_efficiency: 0.94\n");

  EXPECT_DOUBLE_EQ(ring.graph.link_classes().front().bandwidth.si(), 0.94 * 25e9);
  for (const char* bad : {"0", "1.01", "-1"}) {
    EXPECT_THAT(complaint([&] {
                  from_yaml(std::string("topology: ring\ndevices: 4\nbandwidth: 25 GB/s\n"
                                        "link_efficiency: ") +
                            bad + "\n");
                }),
                HasSubstr("test.yaml:4: link_efficiency"));
  }
}

TEST(SharedKeys, AreSuggestedForUnknownKeys) {
  const std::string ring = "topology: ring\ndevices: 4\nbandwidth: 25 GB/s\n";

  EXPECT_THAT(complaint([&] { from_yaml(ring + "injecton: 30 GB/s\n"); }),
              HasSubstr("test.yaml:4: injecton: unknown key (did you mean \"injection\"?)"));
  EXPECT_THAT(complaint([&] { from_yaml(ring + "sorce: me\n"); }), HasSubstr("\"source\""));
  EXPECT_THAT(complaint([&] { from_yaml(ring + "injection: 0 B/s\n"); }),
              HasSubstr("test.yaml:4: injection"));
  EXPECT_THAT(complaint([&] { from_yaml(ring + "source: [a, b]\n"); }),
              HasSubstr("test.yaml:4: source: a list is not a string"));
}

TEST(SharedKeys, AnotherRoutingClearsTheDeclaredSymmetry) {
  const Platform ring =
      from_yaml("topology: ring\ndevices: 4\nbandwidth: 25 GB/s\nrouting: shortest\n");

  EXPECT_EQ(ring.routing, Routing::kShortest);
  EXPECT_FALSE(ring.shift_symmetric);
  EXPECT_THAT(complaint([] {
                from_yaml(
                    "topology: switch\ndevices: 4\nbandwidth: 25 GB/s\n"
                    "routing: dimension_ordered\n");
              }),
              HasSubstr("test.yaml:4: routing"));
}

TEST(Presets, AllAreReadableAndHaveDescriptionAndSource) {
  const auto presets = list_named(data_of_source_tree());

  EXPECT_GE(presets.size(), 14U);
  for (const NamedEntry& preset : presets) {
    EXPECT_FALSE(preset.description.empty()) << preset.name;
    EXPECT_NE(load_config(preset.file).find("source"), nullptr) << preset.name;
    EXPECT_EQ(read_platform(preset.name, data_of_source_tree()).name, preset.name);
  }
}

TEST(Presets, DeviceCountsAreAsNamed) {
  const auto devices = [](const char* name) {
    return read_platform(name, data_of_source_tree()).device_count();
  };

  EXPECT_EQ(devices("ace-4x8x4"), 4U * 8U * 4U);
  EXPECT_EQ(devices("superpod-1024"), 1024U);
  EXPECT_EQ(devices("dgx2"), 16U);
  EXPECT_EQ(devices("tpu-v4-4096"), 4096U);
}

}  // namespace
}  // namespace cairn::platform
