#include "cairn/report/step_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

using nlohmann::json;

TEST(StepJson, HasTheKeysThatOthersRelyOn) {
  const json parsed = json::parse(step_json(small_step(), false));

  EXPECT_EQ(parsed["step_time_s"], 10e-3);
  EXPECT_EQ(parsed["samples_per_s"], 6400.0);
  EXPECT_EQ(parsed["breakdown"]["compute_s"], 5e-3);
  EXPECT_EQ(parsed["breakdown"]["communication_s"], 4e-3);
  EXPECT_EQ(parsed["breakdown"]["memory_s"], 6e-3);
  EXPECT_EQ(parsed["breakdown"]["communication_exposed_s"], 1e-3);
  EXPECT_EQ(parsed["breakdown"]["memory_exposed_s"], 3e-3);
  EXPECT_EQ(parsed["breakdown"]["idle_s"], 1e-3);
  EXPECT_EQ(parsed["bound_by"], "compute");
  EXPECT_EQ(parsed["utilization"], 0.25);
  EXPECT_EQ(parsed["peak_memory_B"], 3e9);
  EXPECT_EQ(parsed["links"].size(), 2U);
  EXPECT_EQ(parsed["links"][0]["utilization"], 0.8);
  EXPECT_EQ(parsed["activities"]["kernel"]["count"], 2);
  EXPECT_EQ(parsed["activities"]["offload"]["time_s"], 3e-3);
  EXPECT_EQ(parsed["simulated_classes"], (std::vector{6, 2}));
}

TEST(StepJson, SaysStagesAndWhatDoesNotFit) {
  explain::StepResult result = small_step();
  const json one = json::parse(step_json(result, false));
  EXPECT_EQ(one["stages"], 1);
  EXPECT_EQ(one["overflow_B"], 0.0);

  result.class_stage = {0, 1};
  result.capacity = Bytes(1e9);
  const json two = json::parse(step_json(result, false));

  EXPECT_EQ(two["stages"], 2);
  EXPECT_EQ(two["class_stages"], (std::vector{0, 1}));
  EXPECT_EQ(two["overflow_B"], 2e9);
}

TEST(StepJson, HasPowerOnlyIfItIsKnown) {
  explain::StepResult result = small_step();
  result.power = Watts(3200.0);

  const json known = json::parse(step_json(result, false));

  EXPECT_EQ(known["power_W"], 3200.0);
  EXPECT_DOUBLE_EQ(known["samples_per_J"], 6400.0 / 3200.0);
  result.power = Watts(0.0);
  EXPECT_FALSE(json::parse(step_json(result, false)).contains("power_W"));
  EXPECT_FALSE(json::parse(step_json(result, false)).contains("samples_per_J"));
}

TEST(StepJson, SaysNothingOfEnergyAndCostThatAreNotKnown) {
  const json parsed = json::parse(step_json(small_step(), true));

  for (const char* key : {"energy_J", "energy_from", "energy", "cost_USD", "cost"}) {
    EXPECT_FALSE(parsed.contains(key)) << key;
  }
}

TEST(StepJson, SaysWhereEnergyIsFromAndWhereItGoes) {
  explain::StepResult result = small_step();
  result.power = Watts(3200.0);
  const json by_design = json::parse(step_json(result, false));
  EXPECT_EQ(by_design["energy_from"], "design power");
  EXPECT_DOUBLE_EQ(by_design["energy_J"], 32.0);  // 3,200 W for 10 ms
  EXPECT_FALSE(by_design.contains("energy"));

  result.spent = small_energy();
  const json spent = json::parse(step_json(result, false));

  EXPECT_EQ(spent["energy_from"], "work done");
  EXPECT_DOUBLE_EQ(spent["energy_J"], 20.0);
  EXPECT_DOUBLE_EQ(spent["average_power_W"], 2000.0);
  EXPECT_DOUBLE_EQ(spent["samples_per_J"], 64.0 / 20.0);
  EXPECT_EQ(spent["energy"]["compute_J"], 8.0);
  EXPECT_EQ(spent["energy"]["levels_J"], 4.0);
  EXPECT_EQ(spent["energy"]["memory_J"], 3.0);
  EXPECT_EQ(spent["energy"]["network_J"], 2.0);
  EXPECT_EQ(spent["energy"]["static_J"], 1.0);
  EXPECT_EQ(spent["energy"]["rest_J"], 2.0);
  result.spent->devices.network.reset();
  EXPECT_FALSE(json::parse(step_json(result, false))["energy"].contains("network_J"));
}

TEST(StepJson, SaysWhatDevicesCostAndWhatHasNoPrice) {
  explain::StepResult result = small_step();
  result.cost = {.items = {{"silicon", Dollars(100.0)}, {"package", Dollars(20.0)}},
                 .unknown = {"links"}};

  const json parsed = json::parse(step_json(result, false));

  EXPECT_EQ(parsed["cost_USD"], 120.0);
  EXPECT_EQ(parsed["cost"]["items"][1]["cost_USD"], 20.0);
  EXPECT_EQ(parsed["cost"]["unknown"], std::vector<std::string>{"links"});
  result.cost->items.clear();
  EXPECT_FALSE(json::parse(step_json(result, false)).contains("cost_USD"));
}

TEST(StepJson, DetailOnlyWhenAskedFor) {
  const json brief = json::parse(step_json(small_step(), false));
  const json full = json::parse(step_json(small_step(), true));

  for (const char* key : {"memory", "timeline", "operators"}) {
    EXPECT_FALSE(brief.contains(key)) << key;
  }
  EXPECT_EQ(full["memory"].size(), 3U);
  EXPECT_EQ(full["memory"][1]["at_s"], 2e-3);
  EXPECT_EQ(full["memory"][1]["in_use_B"], 3e9);
  EXPECT_EQ(full["timeline"].size(), 11U);
  EXPECT_EQ(full["timeline"][3]["kind"], "offload");
  EXPECT_EQ(full["timeline"][3]["begin_s"], 2e-3);
  EXPECT_EQ(full["timeline"][3]["moved_B"], 1e6);
  EXPECT_FALSE(full["timeline"][0].contains("moved_B"));
  EXPECT_EQ(full["operators"][0]["name"], "conv1");
  EXPECT_EQ(full["operators"][0]["time_s"], 2e-3);
}

}  // namespace
}  // namespace cairn::report
