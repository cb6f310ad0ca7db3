#include "cairn/chip/device.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::chip {
namespace {

using testing::HasSubstr;

constexpr const char* kSmall =
    "cores: {count: 4, frequency: 2 GHz, matrix: {fp16: 8 flop, fp32: 2 flop}, vector: 1 flop}\n"
    "memory: {capacity: 1 GB, bandwidth: 10 GB/s}\n";

Device small(const std::string& more = "") {
  return device_of(parse_config(kSmall + more, "d.yaml"));
}

std::string complaint(const std::string& text) {
  try {
    device_of(parse_config(text, "d.yaml"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(Device, HasARatePerSupportedPrecision) {
  const Device device = small();

  // A MAC is two flops: 4 cores x 4 MACs x 2 GHz.
  EXPECT_EQ(device.macs_per_second(Precision::kFp16), 4 * 4 * 2e9);
  EXPECT_EQ(device.macs_per_second(Precision::kFp32), 4 * 1 * 2e9);
  EXPECT_FALSE(device.computes(Precision::kBf16));
  EXPECT_THROW(static_cast<void>(device.macs_per_second(Precision::kBf16)), Bug);
  EXPECT_FALSE(check_precision(device, Precision::kFp16));
  EXPECT_THAT(check_precision(device, Precision::kInt8)->detail,
              HasSubstr("int8, only in fp32, fp16"));
}

TEST(Device, BandwidthPerCycleScalesWithTheClock) {
  Device device = small(
      "levels:\n"
      "  - {name: l1, scope: bundle, capacity: 1 KiB}\n"
      "  - {name: l2, scope: global, capacity: 1 MiB, per_cycle: 100 B, utilization: 0.5}\n"
      "  - {name: l3, scope: global, capacity: 4 MiB, bandwidth: 30 GB/s}\n");

  device.cores.frequency = Hertz(3e9);

  EXPECT_FALSE(device.bandwidth_of(device.levels[0]));
  EXPECT_EQ(device.bandwidth_of(device.levels[1]), BytesPerSecond(100 * 3e9 * 0.5));
  EXPECT_EQ(device.bandwidth_of(device.levels[2]), BytesPerSecond(30e9));
}

TEST(Device, CapacityOfACoreIncludesItsUnits) {
  Device device = small(
      "levels:\n"
      "  - {name: register, scope: mcu, capacity: 64 KiB}\n"
      "  - {name: shared, scope: bundle, capacity: 100 KiB}\n"
      "  - {name: l2, scope: global, capacity: 1 MiB}\n");

  device.cores.units = 4.0;

  EXPECT_EQ(device.capacity_of_core(), Bytes((4 * 64 + 100) * 1024.0));
}

TEST(Device, RejectsInconsistentKeys) {
  EXPECT_THAT(complaint(kSmall + std::string("levels:\n"
                                             "  - {name: l2, scope: global, capacity: 1 MB}\n"
                                             "  - {name: l1, scope: bundle, capacity: 1 MB}\n")),
              HasSubstr("d.yaml:5: levels[1]: a map has scope bundle after"));
  EXPECT_THAT(complaint("cores: {count: 4, frequency: 2 GHz, matrix: {}, vector: 1 flop}\n"
                        "memory: {capacity: 1 GB, bandwidth: 10 GB/s}\n"),
              HasSubstr("cores.matrix: a map has no precision"));
}

TEST(Device, DefaultUnitIsAboutAsWideAsDeep) {
  const auto device = [](const std::string& more, int flop) {
    return device_of(
        parse_config(fmt::format("cores: {{count: 4, frequency: 2 GHz, vector: 1 flop, "
                                 "matrix: {{fp16: {} flop}}{}}}\n"
                                 "memory: {{capacity: 1 GB, bandwidth: 10 GB/s}}\n",
                                 flop,
                                 more),
                     "d.yaml"));
  };

  // 2048 flop are 1024 MACs: 8 x 8 units of depth 16. The cube root is 10.1.
  const Device sheet = device("", 2048);
  EXPECT_EQ(sheet.cores.rows, 8.0);
  EXPECT_EQ(sheet.cores.columns, 8.0);
  EXPECT_EQ(sheet.cores.units, 1.0);
  EXPECT_EQ(sheet.cores.dataflow, Dataflow::kBest);
  EXPECT_EQ(device("", 1024).cores.rows, 8.0);  // 8 x 8 x 8
  EXPECT_EQ(device("", 1).cores.rows, 1.0);

  EXPECT_EQ(device(", units: 1024", 2048).cores.rows, 1.0);
  EXPECT_EQ(device(", rows: 4", 2048).cores.columns, 1.0);
}

TEST(Device, PeArrayHasOneMacPerUnit) {
  const Device device = pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32768.0));

  EXPECT_EQ(device.macs_per_second(Precision::kFp16), 128e12);
  EXPECT_EQ(device.macs_per_second(Precision::kFp32), 128e12);
  EXPECT_EQ(device.capacity_of_core(), Bytes(32768.0));
}

TEST(Device, ReadsEnergyAndCost) {
  const Device without = small();
  const Device device = small(
      "levels: [{name: l2, scope: global, capacity: 1 MiB}]\n"
      "energy: {source: a paper, flop: 0.5 pJ/flop, levels: [1 pJ/bit], memory: 4 pJ/bit,\n"
      "         static_power: 20 W}\n"
      "cost: {source: a shop, items: [{what: card, cost: 900 USD}], unknown: [cable]}\n");

  EXPECT_FALSE(without.energy);
  EXPECT_FALSE(without.cost);
  EXPECT_DOUBLE_EQ(device.energy->levels.at(0).si(), 8e-12);
  EXPECT_DOUBLE_EQ(device.energy->memory.si(), 32e-12);
  EXPECT_FALSE(device.energy->network);
  EXPECT_EQ(device.cost->total(), Dollars(900.0));
}

TEST(Device, RejectsIncompleteEnergyAndCost) {
  const std::string small_device = kSmall;

  EXPECT_THAT(
      complaint(small_device + "energy: {source: x, flop: 1 pJ/flop, memory: 4 pJ/bit, "
                               "levels: [1 pJ/bit]}"),
      HasSubstr("d.yaml:3: energy.levels: a list has 1 level energies (expected 0, one per"));
  EXPECT_THAT(complaint(small_device + "energy: {flop: 1 pJ/flop, memory: 4 pJ/bit}"),
              HasSubstr("source"));
  EXPECT_THAT(complaint(small_device + "cost: {items: []}"), HasSubstr("source"));
}

}  // namespace
}  // namespace cairn::chip
