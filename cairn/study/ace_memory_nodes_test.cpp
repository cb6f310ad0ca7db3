#include "cairn/study/ace_memory_nodes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

// An engine moves less through a device's memory than cores do, and nobody moves nothing.
TEST(AceMemoryNodes, AnEngineIsBetweenIdealAndCores) {
  const StudyResult result = run_shipped(run_ace_memory_nodes, "ace-memory-nodes", {});
  for (const char* system : {"dc_dla", "hc_dla", "mc_dla"}) {
    for (const char* network : {"alexnet", "googlenet", "vgg-e", "resnet-34"}) {
      const auto step = [&](const char* endpoint) {
        return result.findings.at(fmt::format("step.{}.{}.{}", system, network, endpoint));
      };
      // To six digits: transfers meet kernels at other times.
      EXPECT_LE(step("ideal"), step("engine") * (1.0 + 1e-6)) << system << ' ' << network;
      EXPECT_LE(step("engine"), step("cores") * (1.0 + 1e-6)) << system << ' ' << network;
    }
  }
}

// DLRM's sums and rows share links, and whoever is slower may meet others there at a better time:
// an engine may come out ahead of nobody at all, by little. Where they do not meet, it does not.
TEST(AceMemoryNodes, AnEngineIsAheadOfIdealOnlyWhereTransfersMeetCollectives) {
  const StudyResult result = run_shipped(run_ace_memory_nodes, "ace-memory-nodes", {});
  const StudyResult apart =
      run_shipped(run_ace_memory_nodes, "ace-memory-nodes", {"networks.dlrm.contention=false"});
  for (const char* system : {"dc_dla", "hc_dla", "mc_dla"}) {
    for (const char* endpoint : {"engine", "cores"}) {
      const std::string of = fmt::format("over_ideal.{}.dlrm.{}", system, endpoint);
      EXPECT_GT(result.findings.at(of), 0.98) << of;
      EXPECT_GE(apart.findings.at(of), 1.0 - 1e-6) << of;
    }
  }
}

TEST(AceMemoryNodes, MatterMoreTheFasterTheBackingStoreIs) {
  const StudyResult result = run_shipped(run_ace_memory_nodes, "ace-memory-nodes", {});
  const auto lost = [&](const std::string& system) {
    return result.findings.at("over_ideal." + system + ".mean.cores") - 1.0;
  };
  EXPECT_LT(lost("dc_dla"), lost("hc_dla"));
  EXPECT_LT(lost("hc_dla"), lost("mc_dla"));
  EXPECT_GT(lost("mc_dla"), 2.0 * (result.findings.at("over_ideal.mc_dla.mean.engine") - 1.0));
}

}  // namespace
}  // namespace cairn::study
