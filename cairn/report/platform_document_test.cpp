#include "cairn/report/platform_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"

namespace cairn::report {
namespace {

using nlohmann::json;

using testing::HasSubstr;
using testing::Not;

// Two devices connected by a switch.
platform::Platform pair_at_a_switch() {
  platform::Platform pair;
  pair.name = "pair";
  pair.dims = {2};
  const auto device = pair.graph.add_node_class({.name = "device"});
  const auto hub = pair.graph.add_node_class({.kind = platform::NodeKind::kSwitch, .name = "hub"});
  const auto wire = pair.graph.add_link_class(
      {.name = "wire", .bandwidth = BytesPerSecond(25e9), .latency = Seconds(500e-9)});
  const auto a = pair.graph.add_node(device);
  const auto b = pair.graph.add_node(device);
  const auto s = pair.graph.add_node(hub);
  pair.graph.add_cable(a, s, wire);
  pair.graph.add_cable(b, s, wire);
  pair.graph.index_links();
  return pair;
}

platform::Facts facts_of_pair() {
  return {.nodes = {2, 0, 1, 0, 0},
          .links = 2,
          .idle_links = {},
          .ring_hops = {},
          .diameter = 2,
          .bisection = platform::Bisection{BytesPerSecond(25e9), "exact"},
          .device_to_memory = {},
          .memory = Bytes(1000.0)};
}

TEST(PlatformText, ShowsNodesLinksAndBisection) {
  const std::string text = text_of(document_of(pair_at_a_switch(), facts_of_pair()));

  EXPECT_THAT(text, HasSubstr("nodes                2 devices, 1 switch\n"));
  EXPECT_THAT(text, HasSubstr("links                2\n"));
  EXPECT_THAT(text, HasSubstr("rings                none\n"));
  EXPECT_THAT(text, HasSubstr("diameter             2 links between devices\n"));
  EXPECT_THAT(text, HasSubstr("bisection            25 GB/s per direction (exact)\n"));
  EXPECT_THAT(text, testing::ContainsRegex("wire +4 +25 GB/s +500 ns"));
}

TEST(PlatformText, OmitsFactsThatDoNotApply) {
  const std::string text = text_of(document_of(pair_at_a_switch(), facts_of_pair()));

  EXPECT_THAT(text, Not(HasSubstr("idle links")));
  EXPECT_THAT(text, Not(HasSubstr("device to memory")));
}

TEST(PlatformText, ShowsWhichFactsAreNotComputed) {
  platform::Facts facts = facts_of_pair();
  facts.diameter.reset();
  facts.bisection.reset();

  const std::string text = text_of(document_of(pair_at_a_switch(), facts));

  EXPECT_THAT(text, HasSubstr("diameter             not computed"));
  EXPECT_THAT(text, HasSubstr("bisection            not computed"));
}

TEST(PlatformText, CountsEqualRingsAndListsOthers) {
  platform::Facts facts = facts_of_pair();
  facts.ring_hops = {8, 12, 20};
  facts.idle_links = 8;
  facts.device_to_memory = BytesPerSecond(50e9);
  const std::string unequal = text_of(document_of(pair_at_a_switch(), facts));
  facts.ring_hops = {16, 16, 16};
  const std::string equal = text_of(document_of(pair_at_a_switch(), facts));

  EXPECT_THAT(unequal, HasSubstr("rings                3 of 8/12/20 hops\n"));
  EXPECT_THAT(unequal, HasSubstr("idle links           8 not used by any ring\n"));
  EXPECT_THAT(unequal, HasSubstr("device to memory     50 GB/s"));
  EXPECT_THAT(equal, HasSubstr("rings                3 of 16 hops each\n"));
}

TEST(PlatformJson, UnknownValuesAreNull) {
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

  const json parsed = json_tree(document_of(platform, facts));

  EXPECT_EQ(parsed["platform"], "pair");
  EXPECT_EQ(parsed["nodes_by_kind"]["devices"], 2);
  EXPECT_EQ(parsed["links"], 1);
  EXPECT_EQ(parsed["diameter"], 1);
  EXPECT_EQ(parsed["rings"], json::parse(R"([{"hops": 2}, {"hops": 4}])"));
  EXPECT_TRUE(parsed["bisection_Bps"].is_null());
  EXPECT_TRUE(parsed["device_to_memory_Bps"].is_null());
}

}  // namespace
}  // namespace cairn::report
