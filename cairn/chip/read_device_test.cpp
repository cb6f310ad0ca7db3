#include "cairn/chip/read_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/chip/generate.hpp"
#include "cairn/chip/test_support/known_chips.hpp"

namespace cairn::chip {
namespace {

using testing::HasSubstr;

DeviceFolders folders() {
  return DeviceFolders::in({CAIRN_DATA_FOLDER});
}

// Peaks published by NVIDIA and Google, in Tflop/s, and memory bandwidth in GB/s.
TEST(ReadDevice, RealDevicesHaveTheirPublishedPeaks) {
  struct Published {
    const char* name;
    Precision precision;
    double tflops;
    double memory;
  };

  for (const auto& [name, precision, tflops, memory] : {
           Published{"p4", Precision::kFp32, 5.5, 192.0},
           Published{"v100", Precision::kFp16, 125.0, 900.0},
           Published{"v100", Precision::kFp32, 15.7, 900.0},
           Published{"a100", Precision::kFp16, 312.0, 2039.0},
           Published{"a100", Precision::kTf32, 156.0, 2039.0},
           Published{"a100", Precision::kFp64, 19.5, 2039.0},
           Published{"h100", Precision::kBf16, 989.4, 3350.0},
           Published{"h100", Precision::kFp8, 1979.0, 3350.0},
           Published{"h200", Precision::kBf16, 989.4, 4800.0},
           Published{"tpuv2", Precision::kBf16, 46.0, 700.0},
       }) {
    SCOPED_TRACE(name);
    const Device known = read_device(name, folders(), {}).value();

    EXPECT_NEAR(2.0 * known.macs_per_second(precision) / (tflops * 1e12), 1.0, 0.01);
    EXPECT_NEAR(known.memory.bandwidth.si() / (memory * 1e9), 1.0, 0.001);
    EXPECT_FALSE(known.source.empty());
  }
}

TEST(ReadDevice, TemplateGivesItsGeneratedChip) {
  const Generated chip = generate(known_chip("v100")).value();

  for (const char* text : {"template: v100", "device: {template: v100, launch: 9 us}"}) {
    const Config config = parse_config(text, "d.yaml");
    const Config* inner = config.find("device");
    const Device made = read_device(inner == nullptr ? config : *inner, folders()).value();

    EXPECT_EQ(made.name, "v100");
    EXPECT_EQ(made.cores.count, 80.0);
    // Including the three tensor cores beyond whole SMs.
    EXPECT_NEAR(
        2.0 * made.macs_per_second(Precision::kFp16) / chip.core.throughput().si(), 1, 1e-12);
    ASSERT_EQ(made.levels.size(), 3U);
    EXPECT_EQ(made.levels[0].capacity * chip.core.mcus, chip.levels[0].capacity);
    EXPECT_EQ(made.levels[1].capacity * 80.0, chip.levels[1].capacity);
    EXPECT_EQ(made.levels[2].capacity, chip.levels[2].capacity);
    EXPECT_EQ(made.bandwidth_of(made.levels[2]),
              chip.levels[2].bandwidth * chip.levels[2].utilization);
    EXPECT_EQ(made.memory.bandwidth, chip.main_memory.bandwidth);
    EXPECT_EQ(made.power, Watts(300.0));
    EXPECT_EQ(made.launch, Seconds(inner == nullptr ? 0.0 : 9e-6));
  }
  EXPECT_EQ(read_device("chip:v100", folders(), {})->name, "chip:v100");
}

TEST(ReadDevice, SettingsReachIntoTemplatesAndTheirTechnologies) {
  Config config = parse_config("device: chip:v100", "d.yaml").items.front();

  set_value_of_device(config, "template.core.power=0.2", folders());
  set_value_of_device(config, "template.core.technology.utilization=0.5", folders());
  set_value_of_device(config, "launch=5 us", folders());
  const Device made = read_device(config, folders()).value();

  EXPECT_LT(made.cores.frequency, Hertz(1.5e9));
  EXPECT_EQ(made.cores.utilization, 0.5);
  EXPECT_EQ(made.launch, Seconds(5e-6));
}

// The engine's power is part of the chip's budget, not of the device's own power.
TEST(ReadDevice, DeviceOfAChipHasItsEngine) {
  const Device made = read_device("chip:v100-ace", folders(), {}).value();
  const Device npu = read_device("ace-npu", folders(), {}).value();

  ASSERT_TRUE(made.fabric.engine);
  EXPECT_EQ(made.fabric.engine->area(), npu.fabric.engine->area());
  EXPECT_EQ(made.fabric.engine->sram, npu.fabric.engine->sram);
  EXPECT_EQ(made.fabric.bus, npu.fabric.bus);
  EXPECT_EQ(made.power + made.fabric.engine->power(), Watts(300.0));
}

TEST(ReadDevice, InfeasibleTemplateIsInfeasible) {
  Config config = parse_config("template: v100", "d.yaml");

  set_value_of_device(config, "template.core.power=0", folders());

  EXPECT_EQ(read_device(config, folders()).reason().limit(), "core");
}

TEST(ReadDevice, RejectsAnUnknownPrecision) {
  Config config = parse_config("template: v100", "d.yaml");

  set_value_of_device(config, "template.core.technology.precision=fp61", folders());

  try {
    read_device(config, folders());
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("computes in \"fp61\", which is not a known precision"));
  }
}

}  // namespace
}  // namespace cairn::chip
