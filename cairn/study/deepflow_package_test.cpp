#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

StudyResult package(const Settings& settings) {
  return run_shipped("deepflow-package", settings);
}

// 32 devices of the template.
Settings small(const Settings& more = {}) {
  Settings settings{"devices=32",
                    "nodes_per_package=[1, 4, 8]",
                    "cases=[]",
                    "assumptions.batch.value=1024",
                    "assumptions.search_chips.value=false"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const StudyResult& the_small() {
  static const StudyResult kResult = package(small());
  return kResult;
}

double finding(const StudyResult& result, const std::string& name) {
  return result.findings.at(name);
}

// Every node keeps its link to the network, and gets links to the nodes of its package.
TEST(DeepFlowPackage, MoreNodesPerPackageAreNotSlower) {
  EXPECT_TRUE(has_unique_names(the_small()));
  EXPECT_GE(finding(the_small(), "gain.base.4"), 0.999);
  EXPECT_GE(finding(the_small(), "gain.base.8"), finding(the_small(), "gain.base.4"));
  EXPECT_GT(finding(the_small(), "gain.base.8"), 1.0);
}

// Links inside packages no faster than those outside gain nothing.
TEST(DeepFlowPackage, LinksAsSlowAsTheNetworkGainNothing) {
  const StudyResult slow = package(small({"bandwidth=100 GB/s"}));
  // Up to 5 %: traffic inside a package no longer shares the network.
  EXPECT_NEAR(finding(slow, "most_gain.base"), 1.0, 0.05);
  EXPECT_LT(finding(slow, "most_gain.base"), finding(the_small(), "most_gain.base"));
}

// A package with one shared link to the network is worse than separate nodes.
TEST(DeepFlowPackage, SharedOutsideLinksReduceTheGain) {
  const StudyResult shared = package(small({"assumptions.outside.value=package"}));
  EXPECT_LT(finding(shared, "gain.base.8"), finding(the_small(), "gain.base.8"));
}

// Lower bounds prune only strategies that cannot be the fastest.
TEST(DeepFlowPackage, PrunedStrategiesAreNotTheBest) {
  for (const Settings& with :
       {Settings{},
        Settings{"assumptions.inside.value=switch"},
        Settings{"assumptions.inside.value=switch", "assumptions.reductions.value=auto"},
        Settings{"assumptions.resharding.value=all_to_all", "assumptions.weight_copies.value=kept"},
        Settings{"assumptions.inner_gradient.value=samples"}}) {
    Settings all = with;
    all.push_back("prune=false");
    const StudyResult pruned = package(small(with));
    const StudyResult brute = package(small(all));
    for (const char* nodes : {"gain.base.4", "gain.base.8"}) {
      EXPECT_EQ(finding(pruned, nodes), finding(brute, nodes)) << nodes;
    }
    EXPECT_LT(finding(pruned, "tried.base.8"), finding(brute, "tried.base.8"));
  }
}

TEST(DeepFlowPackage, SearchesAChipForEachNodeCount) {
  const StudyResult result = package(small({"nodes_per_package=[1, 8]",
                                            "assumptions.search_chips.value=true",
                                            "first_chip_search={steps: 2, rounds: 1}",
                                            "chip_search={steps: 2, rounds: 1}"}));
  EXPECT_GT(finding(result, "gain.base.8"), 1.0);
  EXPECT_NE(finding(result, "gain.base.8"), finding(result, "gain_same_chip.base.8"));
}

TEST(DeepFlowPackage, EvaluatesOtherModelsAndLinks) {
  const StudyResult result =
      package(small({"cases=[{name: slow, bandwidth: 200 GB/s}]", "of_cases=[1, 4, 8]"}));
  EXPECT_LT(finding(result, "most_gain.slow"), finding(result, "most_gain.base"));
  EXPECT_EQ(claim_of(result, "2b").verdict(), Verdict::kAbsent);
}

TEST(DeepFlowPackage, RejectsInvalidSettings) {
  const auto refused = [](const char* setting, const char* why) {
    EXPECT_THAT(complaint(package, small({setting})), HasSubstr(why)) << setting;
  };
  refused("nodes_per_package=[]", "nodes_per_package: a list has no items");
  refused("nodes_per_package=[1, 3]", "nodes_per_package[1]: \"3\" does not divide");
  refused("nodes_per_package=[2, 4]", "nodes_per_package[0]: \"2\" is not 1");
  refused("cases=[{name: x, batch: 0}]", "cases[0].batch");
  refused("assumptions.node.value=6 nm", "6 nm");
  refused("assumptions.inside.value=torus", "assumptions.inside.value");
}

}  // namespace
}  // namespace cairn::study
