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

// Protocols of a phase in which the first of some devices sends to all others.
std::vector<std::string> names_for(Op op,
                                   const platform::Platform& platform,
                                   const std::vector<std::uint32_t>& devices,
                                   std::string_view algorithm) {
  const GroupLayout layout = make_group_layout(platform, devices);
  Part part;
  part.begin_phase(1);
  for (std::uint32_t to = 1; to < layout.positions; ++to) {
    part.send({.from = 0, .to = to, .share = 1.0});
  }
  return names(protocols_for(op, part.phases.front(), part, layout, algorithm));
}

TEST(Protocol, AppliesToTheCollectivesAndAlgorithmsItNames) {
  const platform::Platform platform = platform_of(kNode);

  EXPECT_EQ(names_for(Op::kAllReduce, platform, {}, "ring"), (Names{"small", "large"}));
  EXPECT_EQ(names_for(Op::kAllReduce, platform, {}, "direct"), Names{"large"});
  EXPECT_TRUE(names_for(Op::kAllToAll, platform, {}, "direct").empty());
}

TEST(Protocol, AppliesToAlgorithmsThatNoProtocolNames) {
  const platform::Platform platform = platform_of(
      "{topology: switch, devices: 4, bandwidth: 100 GB/s, protocols: [{name: LL, algorithms: "
      "[ring]}, {name: Simple, algorithms: [ring]}]}");

  EXPECT_EQ(names_for(Op::kAllReduce, platform, {}, "direct"), (Names{"LL", "Simple"}));
}

TEST(Protocol, OfAnIslandAppliesInsideIt) {
  const platform::Platform platform =
      platform_of(std::string("{topology: islands, island: ") + kNode +
                  ", between: \"switch:2@10GB/s,1us\", protocols: [{name: between}]}");

  EXPECT_EQ(names_for(Op::kAllReduce, platform, {4, 5, 7}, "ring"), (Names{"small", "large"}));
  EXPECT_EQ(names_for(Op::kAllReduce, platform, {0, 4}, "ring"), Names{"between"});
  EXPECT_EQ(names_for(Op::kAllReduce, platform, {0, 1, 4}, "ring"), Names{"between"});
  EXPECT_EQ(names_for(Op::kAllToAll, platform, {4, 5, 7}, "direct"), Names{"between"});
}

TEST(Protocol, UnknownNamesAreRejectedWithTheirLocation) {
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
