#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cairn/report/document_json.hpp"
#include "cairn/report/step_document.hpp"
#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

using nlohmann::json;

TEST(StepJson, HasDocumentedKeys) {
  const json parsed = json_tree(document_of(small_step()));

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

TEST(StepJson, HasStagesAndOverflow) {
  explain::StepResult result = small_step();
  const json one = json_tree(document_of(result));
  EXPECT_EQ(one["stages"], 1);
  EXPECT_EQ(one["overflow_B"], 0.0);

  result.class_stage = {0, 1};
  result.capacity = Bytes(1e9);
  const json two = json_tree(document_of(result));

  EXPECT_EQ(two["stages"], 2);
  EXPECT_EQ(two["class_stages"], (std::vector{0, 1}));
  EXPECT_EQ(two["overflow_B"], 2e9);
}

TEST(StepJson, HasPowerOnlyIfItIsKnown) {
  explain::StepResult result = small_step();
  result.power = Watts(3200.0);

  const json known = json_tree(document_of(result));

  EXPECT_EQ(known["power_W"], 3200.0);
  EXPECT_DOUBLE_EQ(known["samples_per_J"], 6400.0 / 3200.0);
  result.power = Watts(0.0);
  EXPECT_FALSE(json_tree(document_of(result)).contains("power_W"));
  EXPECT_FALSE(json_tree(document_of(result)).contains("samples_per_J"));
}

TEST(StepJson, OmitsUnknownEnergyAndCost) {
  const json parsed = json_tree(document_of(small_step()));

  for (const char* key : {"energy_J", "energy_from", "energy", "cost_USD", "cost"}) {
    EXPECT_FALSE(parsed.contains(key)) << key;
  }
}

TEST(StepJson, HasEnergySourceAndBreakdown) {
  explain::StepResult result = small_step();
  result.power = Watts(3200.0);
  const json by_design = json_tree(document_of(result));
  EXPECT_EQ(by_design["energy_from"], "design power");
  EXPECT_DOUBLE_EQ(by_design["energy_J"], 32.0);  // 3,200 W for 10 ms
  EXPECT_FALSE(by_design.contains("energy"));

  result.work_energy = small_energy();
  const json spent = json_tree(document_of(result));

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
  result.work_energy->devices.network.reset();
  EXPECT_FALSE(json_tree(document_of(result))["energy"].contains("network_J"));
}

TEST(StepJson, HasCostAndUnknownPrices) {
  explain::StepResult result = small_step();
  result.cost = {.items = {{"silicon", Dollars(100.0)}, {"package", Dollars(20.0)}},
                 .unknown = {"links"}};

  const json parsed = json_tree(document_of(result));

  EXPECT_EQ(parsed["cost_USD"], 120.0);
  EXPECT_EQ(parsed["cost"]["items"][1]["cost_USD"], 20.0);
  EXPECT_EQ(parsed["cost"]["unknown"], std::vector<std::string>{"links"});
  result.cost->items.clear();
  EXPECT_FALSE(json_tree(document_of(result)).contains("cost_USD"));
}

platform::Platform ring_of_two() {
  platform::Platform ring;
  ring.name = "mine";
  ring.topology = "ring";
  ring.dims = {2};
  const auto devices = ring.graph.add_node_class({.name = "device"});
  const auto links = ring.graph.add_link_class(
      {.name = "up", .bandwidth = BytesPerSecond(1e9), .latency = Seconds(0.0)});
  const auto a = ring.graph.add_node(devices);
  const auto b = ring.graph.add_node(devices);
  ring.graph.add_cable(a, b, links);
  ring.graph.index_links();
  return ring;
}

chip::Device two_levels() {
  chip::Device device = chip::pe_array(2.0, 4.0, Hertz(1e9), Bytes(1e6));
  device.levels = {{.name = "l1", .bandwidth = BytesPerSecond(9e12)}, {.name = "l2"}};
  device.memory = {.bandwidth = BytesPerSecond(1e12), .utilization = 0.5};
  return device;
}

TEST(StepJson, DetailOnlyWhenAskedFor) {
  const json brief = json_tree(document_of(small_step()));
  const platform::Platform ring = ring_of_two();
  const chip::Device device = two_levels();
  const StepSubject subject{ring, device, chip::Precision::kFp16};
  explain::StepResult result = small_step();
  result.record.traffic_by_link = {Bytes(1e6), Bytes(0.0)};
  const json full = json_tree(document_of(result, &subject), Detail::kAll);

  for (const char* key : {"memory", "timeline", "operators", "roofline", "platform_graph"}) {
    EXPECT_FALSE(brief.contains(key)) << key;
  }
  EXPECT_EQ(full["memory"].size(), 3U);
  EXPECT_EQ(full["memory"][1]["at_s"], 2e-3);
  EXPECT_EQ(full["memory"][1]["in_use_B"], 3e9);
  EXPECT_EQ(full["timeline"].size(), 11U + 2U);  // plus two draws on the link
  EXPECT_EQ(full["timeline"][10]["row"], "collectives");
  EXPECT_EQ(full["timeline"][11]["row"], "link: up, copy out");
  EXPECT_EQ(full["timeline"][11]["moved_B"], 100e6);
  EXPECT_EQ(full["device_classes"][0]["members"], 6);
  EXPECT_EQ(full["timeline"][3]["kind"], "offload");
  EXPECT_EQ(full["timeline"][3]["begin_s"], 2e-3);
  EXPECT_EQ(full["timeline"][3]["moved_B"], 1e6);
  EXPECT_FALSE(full["timeline"][0].contains("moved_B"));
  EXPECT_EQ(full["operators"][0]["name"], "conv1");
  EXPECT_EQ(full["operators"][0]["time_s"], 2e-3);
  EXPECT_EQ(full["operators"][0]["traffic"].size(), 3U);
  EXPECT_EQ(full["operators"][0]["traffic"][2]["level"], "memory");
  EXPECT_EQ(full["operators"][0]["traffic"][2]["bytes_B"], 0.9e9);
}

// 2 flops per MAC x 2 x 4 MACs per cycle x 1 GHz = 16 Gflop/s; main memory at the bandwidth that
// kernels reach.
TEST(StepJson, DetailHasRooflineAndLinkUtilization) {
  const platform::Platform ring = ring_of_two();
  const chip::Device device = two_levels();
  const StepSubject subject{ring, device, chip::Precision::kFp16};
  explain::StepResult result = small_step();
  result.record.traffic_by_link = {Bytes(1e6), Bytes(0.0)};

  const json full = json_tree(document_of(result, &subject), Detail::kAll);

  EXPECT_EQ(full["roofline"]["throughput_flops"], 16e9);
  EXPECT_EQ(full["roofline"]["levels"][0]["bandwidth_Bps"], 9e12);
  EXPECT_EQ(full["roofline"]["levels"][1]["bandwidth_Bps"], nullptr);
  EXPECT_EQ(full["roofline"]["levels"][2]["bandwidth_Bps"], 0.5e12);
  const json& graph = full["platform_graph"];
  EXPECT_EQ(graph["topology"], "ring");
  EXPECT_EQ(graph["nodes"][1]["kind"], "device");
  EXPECT_EQ(graph["links"].size(), 2U);
  EXPECT_EQ(graph["links"][0]["from"], 0);
  EXPECT_EQ(graph["links"][0]["to"], 1);
  EXPECT_DOUBLE_EQ(graph["links"][0]["utilization"], 1e6 / 1e9 / 10e-3);
  EXPECT_EQ(graph["links"][1]["carried_B"], 0.0);
}

}  // namespace
}  // namespace cairn::report
