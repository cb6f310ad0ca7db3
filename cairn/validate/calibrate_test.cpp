#include "cairn/validate/calibrate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/base/config.hpp"
#include "cairn/validate/assumed.hpp"
#include "cairn/validate/calibrate_document.hpp"
#include "cairn/validate/held_out.hpp"

namespace cairn::validate {
namespace {

constexpr const char* kDevice = R"(
cores: {count: 8, frequency: 1 GHz, matrix: {bf16: 512 flop}, vector: 32 flop}
levels:
  - {name: shared, scope: bundle, capacity: 128 KiB}
  - {name: l2, scope: global, capacity: 4 MB, per_cycle: 512 B}
memory: {capacity: 16 GB, bandwidth: 20 GB/s, latency: 500 ns, utilization: 0.5}
tiles: {sides: [64, 128], fill: 1 us}
launch: 5 us
host: {bandwidth: 10 GB/s, both_ways: 15 GB/s, start: 5 us}
)";

chip::Device written_device() {
  chip::Device device = chip::device_of(parse_config(kDevice, "device.yaml"));
  device.name = "test";
  return device;
}

// Synthetic measurements of a device.
std::string gemms(const chip::Device& device, const std::vector<double>& depths = {512}) {
  std::string text = "dtype,m,n,k,time_us,cache\n";
  Subject subject(device);
  for (const double m : {16, 64, 100, 256, 512, 1000, 2048}) {
    for (const double n : {128, 1024, 4096}) {
      for (const double k : depths) {
        const auto work =
            kernel::work_of(model::Contraction{.m = m, .n = n, .k = k}, chip::Precision::kBf16);
        text += fmt::format(
            "bf16,{},{},{},{},cold\n", m, n, k, 1e6 * subject.kernels.cost(work).time.si());
      }
    }
  }
  return text;
}

std::string copies(const chip::Device& device) {
  std::string text = "op,kbytes,time_us\n";
  for (const double size : {4, 64, 1024, 16384}) {
    for (const char* op : {"h2d", "d2h", "both"}) {
      const auto table =
          MeasuredTable::parse(fmt::format("op,kbytes,time_us\n{},{},1\n", op, size), "t");
      Subject subject(device);
      text += fmt::format(
          "{},{},{}\n", op, size, 1e6 * compare(table, subject).cases.front().predicted.si());
    }
  }
  return text;
}

const FittedParameter& parameter(const Calibrated& calibrated, const std::string& key) {
  for (const FittedParameter& fitted : calibrated.parameters) {
    if (fitted.parameter.key == key) {
      return fitted;
    }
  }
  throw Bug("no such parameter: " + key);
}

TEST(Calibrate, RecoversTheFiguresOfSyntheticMeasurements) {
  chip::Device real = written_device();
  real.launch = Seconds(8e-6);
  real.memory.utilization = 0.8;
  real.host->bandwidth = BytesPerSecond(12e9);
  real.host->both_ways = BytesPerSecond(20e9);
  real.host->start = Seconds(2e-6);
  const MeasuredTable gemm_table = MeasuredTable::parse(gemms(real), "gemm.csv");
  const MeasuredTable copy_table = MeasuredTable::parse(copies(real), "hostcopy.csv");
  const std::vector<const MeasuredTable*> tables{&gemm_table, &copy_table};

  const Calibrated found = calibrate(tables, written_device(), "a test", [] {});

  EXPECT_NEAR(parameter(found, "memory.utilization").after, 0.8, 0.01);
  EXPECT_NEAR(parameter(found, "host.bandwidth").after, 12e9, 1e7);
  EXPECT_NEAR(parameter(found, "host.both_ways").after, 20e9, 1e7);
  EXPECT_NEAR(parameter(found, "host.start").after, 2e-6, 1e-8);
  EXPECT_NEAR(found.device.launch.si(), 8e-6, 1e-7);
  for (const FittedKind& kind : found.kinds) {
    EXPECT_LT(kind.held_out.after.mean, 0.01) << kind.kind;
    EXPECT_GT(kind.held_out.before.mean, 0.05) << kind.kind;
    EXPECT_GT(kind.held_out.after.cases, 0U) << kind.kind;
  }
}

TEST(Calibrate, ResultDoesNotDependOnTheStart) {
  chip::Device real = written_device();
  real.memory.bandwidth = BytesPerSecond(50e9);
  real.launch = Seconds(8e-6);
  real.memory.utilization = 0.8;
  real.cores.utilization = 0.75;
  real.cores.sustained = 0.4;
  const MeasuredTable gemm_table =
      MeasuredTable::parse(gemms(real, {64, 192, 512, 4096}), "gemm.csv");
  const std::vector<const MeasuredTable*> tables{&gemm_table};
  for (const double off : {0.3, 0.8, 1.25}) {
    chip::Device start = real;
    start.launch = real.launch * off;
    start.memory.utilization = std::min(1.0, 0.8 * off);
    start.cores.utilization = std::min(1.0, 0.75 * off);
    start.cores.sustained = 0.4 * off;

    const Calibrated found = calibrate(tables, start, "a test", [] {});

    EXPECT_NEAR(found.device.launch.si() / 8e-6, 1.0, 0.02) << off;
    EXPECT_NEAR(found.device.memory.utilization, 0.8, 0.01) << off;
    EXPECT_NEAR(found.device.cores.utilization, 0.75, 0.01) << off;
    EXPECT_NEAR(found.device.cores.sustained, 0.4, 0.01) << off;

    const Calibrated again = calibrate(tables, found.device, "a test", [] {});
    for (const FittedParameter& fitted : again.parameters) {
      if (fitted.determined) {
        EXPECT_NEAR(fitted.after / fitted.before, 1.0, std::max(fitted.spread, 0.01))
            << fitted.key() << ", " << off;
      }
    }
  }
}

TEST(Calibrate, TwoRowsDetermineAtMostOneParameter) {
  const MeasuredTable table = MeasuredTable::parse(
      "dtype,m,n,k,time_us,cache\nbf16,512,512,512,30,warm\nbf16,2048,2048,2048,300,warm\n",
      "gemm.csv");
  const std::vector<const MeasuredTable*> tables{&table};
  const chip::Device device = written_device();
  const Calibrated calibrated = calibrate(tables, device, "a test", [] {});
  EXPECT_LT(std::ranges::count_if(calibrated.parameters, &FittedParameter::determined), 2);
  for (const FittedParameter& fitted : calibrated.parameters) {
    if (!fitted.determined) {
      EXPECT_EQ(fitted.parameter.get(calibrated.device), fitted.parameter.get(device));
    }
  }
}

TEST(Calibrate, AddsMeasuredFiguresToADataSheet) {
  const Config sheet = parse_config(R"(
cores: {count: 8, frequency: 1 GHz, matrix: {bf16: 512 flop}, vector: 32 flop}
levels: [{name: shared, scope: bundle, capacity: 128 KiB}, {name: l2, scope: global, capacity: 4 MB}]
memory: {capacity: 16 GB, bandwidth: 20 GB/s}
)",
                                    "sheet.yaml");
  const MeasuredTable copy_table = MeasuredTable::parse(copies(written_device()), "hostcopy.csv");
  const MeasuredTable operators = MeasuredTable::parse(
      "op,mbytes_in,time_us,mbytes_moved\nsoftmax,8,900,16\nadd,8,1300,24\n", "memory_bound.csv");
  const std::vector<const MeasuredTable*> tables{&copy_table, &operators};

  const Assumed assumed = with_assumptions(sheet, chip::device_of(sheet), tables);
  const chip::Device start = chip::device_of(assumed.config);

  // Kernels of measured operators only.
  ASSERT_EQ(start.kernels.size(), 1U);
  EXPECT_EQ(start.kernels.front().op, chip::LibraryOperator::kSoftmax);
  EXPECT_TRUE(start.tiles.sides.empty());
  const Calibrated calibrated = calibrate(tables, start, "a test", [] {});
  EXPECT_NEAR(calibrated.device.host->bandwidth / BytesPerSecond(10e9), 1.0, 0.01);
  // The written device reads as the fitted one.
  const chip::Device again =
      chip::device_of(parse_config(calibrated_file(calibrated, assumed.config), "out.yaml"));
  EXPECT_NEAR(again.host->start / calibrated.device.host->start, 1.0, 1e-3);
}

TEST(Calibrate, HoldsOutWholeShapes) {
  const MeasuredTable table = MeasuredTable::parse(gemms(written_device()), "gemm.csv");
  Subject subject(written_device());
  const Comparison comparison = compare(table, subject);
  const std::vector<bool> held = held_out(comparison);
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (std::size_t j = 0; j < held.size(); ++j) {
      if (comparison.cases[i].shape == comparison.cases[j].shape) {
        EXPECT_EQ(held[i], held[j]);
      }
    }
  }
  EXPECT_EQ(std::ranges::count(held, true), 6);  // two of seven m, with three n each
}

TEST(Calibrate, RowsThatTheFileHoldsOutAreNotFitted) {
  const auto fitted = [](const char* time_held_out) {
    const MeasuredTable table = MeasuredTable::parse(
        fmt::format(
            "op,kbytes,time_us,clock_MHz,held_out\nh2d,4,3.5,1980,0\nh2d,1024,90,1980,0\n"
            "d2h,65536,5600,1980,0\nh2d,100,{},1980,1\nboth,64,12,1980,0\nboth,4096,600,1980,0\n",
            time_held_out),
        "hostcopy.csv");
    const std::vector<const MeasuredTable*> tables{&table};
    return calibrate(tables, written_device(), "a test", [] {});
  };
  const Calibrated one = fitted("12");
  const Calibrated other = fitted("1200");
  EXPECT_EQ(parameter(one, "host.bandwidth").after, parameter(other, "host.bandwidth").after);
  EXPECT_EQ(one.kinds.front().on.after.cases, 5U);
  EXPECT_EQ(one.kinds.front().held_out.after.cases, 1U);
  EXPECT_GT(other.kinds.front().held_out.after.mean, 0.9);
}

TEST(Calibrate, WritesADeviceThatReadsAsTheFittedOne) {
  const MeasuredTable table = MeasuredTable::parse(copies(written_device()), "hostcopy.csv");
  const std::vector<const MeasuredTable*> tables{&table};
  const Calibrated calibrated = calibrate(tables, written_device(), "\"quoted\", a: b", [] {});
  const std::string text = calibrated_file(calibrated, parse_config(kDevice, "device.yaml"));
  const chip::Device again = chip::device_of(parse_config(text, "out.yaml"));
  EXPECT_NEAR(again.host->start.si(), calibrated.device.host->start.si(), 1e-9);
  ASSERT_TRUE(again.calibration);
  EXPECT_EQ(again.calibration->on, "\"quoted\", a: b");
  EXPECT_EQ(again.calibration->parameters.size(), 3U);
  EXPECT_EQ(again.calibration->kinds.front().kind, "hostcopy");
}

}  // namespace
}  // namespace cairn::validate
