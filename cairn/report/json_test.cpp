#include "cairn/report/json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cairn::report {
namespace {

using explain::CollectiveResult;
using nlohmann::json;

CollectiveResult result_of(Seconds time) {
  CollectiveResult result{.platform = "p", .size = Bytes(1e6), .devices = 4, .time = time};
  result.bus_bandwidth = BytesPerSecond(1e9);
  result.links.push_back({.name = "up", .members = 4, .bandwidth = BytesPerSecond(25e9)});
  return result;
}

TEST(CollectiveJson, HasTheKeysThatOthersRelyOn) {
  const json parsed = json::parse(collective_json(result_of(Seconds(1e-3))));

  for (const char* key : {"time_s",
                          "lower_bound_s",
                          "bus_bandwidth_Bps",
                          "algorithm",
                          "bound_by",
                          "events",
                          "links",
                          "platform",
                          "op",
                          "size_B",
                          "devices",
                          "chunks",
                          "algorithm_bandwidth_Bps",
                          "sent_per_device_B",
                          "driven_bandwidth_Bps",
                          "simulated_ranks"}) {
    EXPECT_TRUE(parsed.contains(key)) << key;
  }
  for (const char* key : {"name", "members", "bandwidth_Bps", "carried_B", "utilization"}) {
    EXPECT_TRUE(parsed["links"][0].contains(key)) << key;
  }
  EXPECT_FALSE(parsed.contains("chosen_because"));
  EXPECT_EQ(parsed["time_s"], 1e-3);
  EXPECT_EQ(parsed["op"], "all_reduce");
}

TEST(CollectiveJson, WhatIsUnknownIsNullAndWhatIsNotFiniteIsNamed) {
  CollectiveResult result = result_of(Seconds(0.0));
  result.links.front().bandwidth = BytesPerSecond::infinity();
  result.lower_bound = Seconds(std::numeric_limits<double>::quiet_NaN());

  const json parsed = json::parse(collective_json(result));

  EXPECT_TRUE(parsed["bus_bandwidth_Bps"].is_null());
  EXPECT_EQ(parsed["lower_bound_s"], "NaN");
  EXPECT_EQ(parsed["links"][0]["bandwidth_Bps"], "Infinity");
  EXPECT_EQ(parsed["time_s"], 0.0);
}

TEST(CollectiveJson, SurvivesNamesThatAreNoText) {
  CollectiveResult result = result_of(Seconds(1e-3));
  result.platform = "\xff\"\n";

  EXPECT_TRUE(json::accept(collective_json(result)));
}

TEST(CollectivesJson, HasOneObjectPerResult) {
  const std::vector results{result_of(Seconds(1e-3)), result_of(Seconds(2e-3))};

  const json parsed = json::parse(collectives_json(results));

  ASSERT_EQ(parsed["results"].size(), 2U);
  EXPECT_EQ(parsed["results"][1], json::parse(collective_json(results[1])));
}

TEST(PlatformJson, WhatIsUnknownIsNull) {
  const platform::Facts facts{.nodes = {2, 0, 0, 0, 0},
                              .links = 1,
                              .idle_links = {},
                              .ring_hops = {2, 4},
                              .diameter = 1,
                              .bisection = {},
                              .device_to_memory = {},
                              .memory = Bytes(1000.0)};
  platform::Platform platform;
  platform.name = "pair";

  const json parsed = json::parse(platform_json(platform, facts));

  EXPECT_EQ(parsed["platform"], "pair");
  EXPECT_EQ(parsed["nodes_by_kind"]["devices"], 2);
  EXPECT_EQ(parsed["links"], 1);
  EXPECT_EQ(parsed["diameter"], 1);
  EXPECT_EQ(parsed["rings"], json::parse(R"([{"hops": 2}, {"hops": 4}])"));
  EXPECT_TRUE(parsed["bisection_Bps"].is_null());
  EXPECT_TRUE(parsed["device_to_memory_Bps"].is_null());
}

TEST(ItemsJson, PutsDetailsBesideNameAndDescription) {
  const std::vector<Item> items{{"topologies", "ring", "a ring", {{"inline", "ring:devices"}}}};

  EXPECT_EQ(json::parse(items_json(items)),
            json::parse(R"({"items": [{"kind": "topologies", "name": "ring",
                            "description": "a ring", "inline": "ring:devices"}]})"));
}

TEST(ItemsText, WrapsDescriptionsBehindTheNames) {
  std::string words;
  for (int i = 0; i < 30; ++i) {
    words += "word ";
  }
  const std::string text =
      items_text(std::vector<Item>{{"k", "ab", words, {}}, {"k", "c", "d", {}}});

  EXPECT_EQ(text.find("\n    word"), text.find('\n'));
  EXPECT_NE(text.find("\nc   d\n"), std::string::npos);
}

}  // namespace
}  // namespace cairn::report
