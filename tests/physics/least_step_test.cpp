// The lower bound on a step against its simulated time.
#include "cairn/least_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

struct Both {
  Seconds least{0.0};
  Seconds taken{0.0};
};

// Nullopt where the design is infeasible.
std::optional<Both> both(const std::string& name, const std::vector<std::string>& settings) {
  const DataFolders folders = DataFolders::in({CAIRN_DATA_FOLDER});
  Config config = load_config(std::string(CAIRN_DATA_FOLDER) + "/designs/" + name + ".yaml");
  for (const std::string& setting : settings) {
    set_value_of_design(config, setting, folders);
  }
  const auto design = read_design(config, folders);
  EvaluationCache cache;
  const auto lowered = lower_step(*design, cache);
  if (!lowered) {
    return std::nullopt;
  }
  const auto step = simulate_step(*lowered, *design);
  if (!step) {
    return std::nullopt;
  }
  return Both{least_step_time(*lowered->plan, lowered->costs, *design), step->step_time};
}

class LeastStepOfADesign : public testing::TestWithParam<const char*> {};

TEST_P(LeastStepOfADesign, IsAtMostTheStepTime) {
  const auto found = both(GetParam(), {"memory.capacity=ignored"});

  ASSERT_TRUE(found);
  EXPECT_LE(found->least, found->taken);
}

INSTANTIATE_TEST_SUITE_P(Designs,
                         LeastStepOfADesign,
                         testing::Values("dlrm-on-ace",
                                         "gnmt-on-ace",
                                         "gpt-on-dgx-a100",
                                         "gpt-on-h200",
                                         "resnet-50-on-ace",
                                         "vgg-e-on-dc-dla",
                                         "vgg-e-on-hc-dla",
                                         "vgg-e-on-mc-dla"));

// For any strategy; and it must be near for one of them, or nothing would ever be pruned.
TEST(LeastStep, OfALanguageModelHoldsForAllStrategiesAndIsTightForOne) {
  double nearest = 0.0;
  for (const char* spread :
       {"d64", "RC-8-8", "RC-1-16-d4", "RC-4-4-d4", "CR-64", "CR-8-d8", "d32-p2", "RC-4-2-d4-p2"}) {
    const auto found = both("language-model-on-512-v100",
                            {"platform=switch:64@50GB/s,1us",
                             "memory.capacity=ignored",
                             std::string("strategy.spread=") + spread});
    ASSERT_TRUE(found) << spread;
    EXPECT_LE(found->least, found->taken) << spread;
    EXPECT_GT(found->least, Seconds(0.0)) << spread;
    nearest = std::max(nearest, found->least / found->taken);
  }
  EXPECT_GT(nearest, 0.8);
}

// A single device exchanges nothing: the step is its kernels.
TEST(LeastStep, OfOneDeviceIsTheStep) {
  const auto found = both("gpt-on-h200", {"memory.capacity=ignored"});

  ASSERT_TRUE(found);
  EXPECT_NEAR(found->least / found->taken, 1.0, 1e-3);
}

}  // namespace
}  // namespace cairn
