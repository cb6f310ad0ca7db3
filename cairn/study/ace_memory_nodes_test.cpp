#include "cairn/study/ace_memory_nodes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

// Two of the five networks, those with the fewest chunks of gradients to simulate.
const StudyResult& the_study() {
  static const StudyResult kResult = run_shipped(
      "ace-memory-nodes",
      {"networks={googlenet: {model: googlenet, memory: {offload: everything}}, "
       "dlrm: {model: dlrm, strategy: {parallelism: hybrid}, memory: {tables: store}}}"});
  return kResult;
}

// An engine has less memory traffic than cores, and an ideal endpoint none. DLRM's exchanges are
// short: an engine reads a whole chunk before it sends it, which may take longer than on cores.
TEST(AceMemoryNodes, EngineIsBetweenIdealAndCores) {
  for (const char* system : {"dc_dla", "hc_dla", "mc_dla"}) {
    for (const std::string network : {"googlenet", "dlrm"}) {
      const auto step = [&](const char* endpoint) {
        return the_study().findings.at(fmt::format("step.{}.{}.{}", system, network, endpoint));
      };
      // To six digits: transfers contend with kernels at other times.
      const double more = network == "dlrm" ? 0.01 : 1e-6;
      EXPECT_LE(step("ideal"), step("engine") * (1.0 + 1e-6)) << system << ' ' << network;
      EXPECT_LE(step("ideal"), step("cores") * (1.0 + 1e-6)) << system << ' ' << network;
      EXPECT_LE(step("engine"), step("cores") * (1.0 + more)) << system << ' ' << network;
    }
  }
}

TEST(AceMemoryNodes, EndpointMattersMoreWithAFasterBackingStore) {
  const auto lost = [&](const std::string& system) {
    return the_study().findings.at("over_ideal." + system + ".googlenet.cores") - 1.0;
  };
  EXPECT_LT(lost("dc_dla"), lost("hc_dla"));
  EXPECT_LT(lost("hc_dla"), lost("mc_dla"));
  EXPECT_GT(lost("mc_dla"),
            2.0 * (the_study().findings.at("over_ideal.mc_dla.googlenet.engine") - 1.0));
}

TEST(AceMemoryNodes, EverySystemHasAFigureOfEndpoints) {
  ASSERT_EQ(the_study().charts.size(), 3U);
  const report::Chart& chart = the_study().charts[2];
  EXPECT_EQ(chart.name, "beyond_ideal_mc_dla");
  EXPECT_EQ(chart.series[0].name, "cores");
  const double over = the_study().findings.at("over_ideal.mc_dla.googlenet.cores");
  EXPECT_DOUBLE_EQ(chart.series[0].y[0], 100.0 * (over - 1.0));
}

}  // namespace
}  // namespace cairn::study
