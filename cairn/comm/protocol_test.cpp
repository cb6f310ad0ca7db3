#include "cairn/comm/protocol.hpp"

#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

platform::Platform platform_of(const std::string& text) {
  return platform::read_platform(parse_config(text, "p.yaml"), {});
}

std::vector<std::string> names(const std::vector<const platform::Protocol*>& protocols) {
  std::vector<std::string> result;
  for (const platform::Protocol* protocol : protocols) {
    result.push_back(protocol->name);
  }
  return result;
}

using Names = std::vector<std::string>;

constexpr const char* kNode =
    "{topology: switch, devices: 4, bandwidth: 100 GB/s, protocols: [{name: small, ops: "
    "[all_reduce], algorithms: [ring]}, {name: large, ops: [all_reduce]}]}";

TEST(Protocol, IsForTheCollectivesAndAlgorithmsThatItNames) {
  const platform::Platform platform = platform_of(kNode);
  const Layout layout = make_layout(platform, {});

  EXPECT_EQ(names(protocols_for(Op::kAllReduce, {&layout, 1})), (Names{"small", "large"}));
  EXPECT_EQ(names(protocols_for(Op::kAllReduce, {&layout, 1}, "ring")), (Names{"small", "large"}));
  EXPECT_EQ(names(protocols_for(Op::kAllReduce, {&layout, 1}, "direct")), Names{"large"});
  EXPECT_TRUE(protocols_for(Op::kAllToAll, {&layout, 1}).empty());
}

TEST(Protocol, OfAnIslandStaysInIt) {
  const platform::Platform platform =
      platform_of(std::string("{topology: islands, island: ") + kNode +
                  ", between: \"switch:2@10GB/s,1us\", protocols: [{name: between}]}");
  const Layout inside = make_layout(platform, {4, 5, 7});
  const Layout across = make_layout(platform, {0, 4});
  const std::vector<Layout> both{inside, across};

  EXPECT_EQ(names(protocols_for(Op::kAllReduce, {&inside, 1})), (Names{"small", "large"}));
  EXPECT_EQ(names(protocols_for(Op::kAllReduce, {&across, 1})), Names{"between"});
  EXPECT_EQ(names(protocols_for(Op::kAllReduce, both)), Names{"between"});
  EXPECT_EQ(names(protocols_for(Op::kAllToAll, {&inside, 1})), Names{"between"});
}

TEST(Protocol, AddsToLatencyAndTakesFromBandwidth) {
  const platform::Protocol protocol{.latency = Seconds(2e-6), .efficiency = 0.25};

  const Way way = with_protocol({BytesPerSecond(8e9), Seconds(1e-6)}, protocol);

  EXPECT_DOUBLE_EQ(way.bandwidth.si(), 2e9);
  EXPECT_DOUBLE_EQ(way.latency.si(), 3e-6);
}

TEST(Protocol, ThatNamesNothingKnownIsRefusedWhereItStands) {
  const platform::Platform platform = platform_of(
      "topology: switch\ndevices: 4\nbandwidth: 100 GB/s\nprotocols:\n- {name: a, ops: "
      "[all_reduc]}\n");
  try {
    check_protocols(platform);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.where().line, 5);
    EXPECT_NE(std::string(error.what()).find("all_reduce"), std::string::npos);
  }
}

}  // namespace
}  // namespace cairn::comm
