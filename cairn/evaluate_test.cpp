#include "cairn/evaluate.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/design_settings.hpp"

namespace cairn {
namespace {

constexpr double kPeak = 1e12;  // MAC/s
constexpr double kBandwidth = 25e9;
constexpr double kLatency = 1e-6;
constexpr double kRows = 256.0;
constexpr double kColumns = 2048.0;
constexpr double kInner = 1024.0;

// A device whose kernels are limited by arithmetic only.
chip::Device plain_device() {
  chip::Device device = chip::pe_array(1.0, 1000.0, Hertz(1e9), Bytes(1e9));
  device.name = "plain";
  device.cores.fixed_utilization = 1.0;
  device.memory = {.capacity = Bytes(1e9), .bandwidth = BytesPerSecond(1e18)};
  return device;
}

// One GEMM on devices around a switch, with a ring all-reduce of its gradients after the backward
// pass.
Design product_on(std::uint32_t devices) {
  Design design = read_design(parse_config("model: {network: gemm, columns: 2048, inner: 1024}\n"
                                           "device: mc-dla\n"
                                           "platform: 'switch:" +
                                               std::to_string(devices) +
                                               "@25GB/s,1us'\n"
                                               "training: {optimizer: free}\n"
                                               "strategy: {batch: 256, gradient_sync: blocking}\n"
                                               "collectives: {algorithm: ring, chunk: 0 B}\n",
                                           "design.yaml"),
                              DataFolders::in({CAIRN_DATA_FOLDER}))
                      .value();
  design.device = plain_device();
  return design;
}

// m n k MACs forward, and as many for the gradients of the weight and of the input.
TEST(Evaluate, OneDeviceTakesTheTimeOfItsArithmetic) {
  const auto result = evaluate(product_on(1)).value();

  const double compute = 3.0 * kRows * kColumns * kInner / kPeak;
  EXPECT_NEAR(result.step_time.si(), compute, 1e-6 * compute);
  EXPECT_NEAR(result.breakdown.compute.si(), compute, 1e-6 * compute);
  EXPECT_NEAR(result.utilization, 1.0, 1e-6);
  EXPECT_EQ(result.bound.text, "compute");
}

// A ring of n over a switch: 2 (n - 1) steps of 1/n of the gradients, each over two links.
TEST(Evaluate, ReplicasAddTheGradientAllReduce) {
  for (const std::uint32_t n : {2U, 4U, 8U}) {
    const auto result = evaluate(product_on(n)).value();

    const double compute = 3.0 * kRows / n * kColumns * kInner / kPeak;
    const double gradients = 2.0 * kColumns * kInner;  // fp16
    const double sum = 2.0 * (n - 1.0) * (gradients / n / kBandwidth + 2.0 * kLatency);
    EXPECT_NEAR(result.step_time.si(), compute + sum, 1e-6 * (compute + sum)) << n;
    EXPECT_NEAR(result.breakdown.communication_exposed.si(), sum, 1e-6 * sum) << n;
    EXPECT_NEAR(result.breakdown.communication.si(), sum, 1e-6 * sum) << n;
    ASSERT_EQ(result.collectives.size(), 1U);
    EXPECT_EQ(result.collectives.front().algorithm, "ring");
  }
}

TEST(Evaluate, ExceededMemoryIsInfeasibleWithTheExcess) {
  Design design = product_on(1);
  const auto needed = evaluate(design).value().peak_memory;
  design.device.memory.capacity = needed / 2.0;

  const auto result = evaluate(design);

  ASSERT_FALSE(result);
  EXPECT_NEAR(result.reason().constraint_violation, 1.0, 1e-9);
  design.memory.capacity = memory::Capacity::kIgnored;
  EXPECT_EQ(evaluate(design).value().overflow(), needed - design.device.memory.capacity);
}

TEST(Evaluate, TrialDetailHasTheSameFiguresAsFullDetail) {
  const Design design = product_on(4);
  const auto full = evaluate(design, Detail::kRecord).value();
  const auto trial = evaluate(design, Detail::kTrial).value();

  EXPECT_EQ(trial.step_time, full.step_time);
  EXPECT_EQ(trial.peak_memory, full.peak_memory);
  EXPECT_EQ(trial.bound.text, full.bound.text);
  EXPECT_EQ(trial.traffic, full.traffic);
  EXPECT_EQ(trial.breakdown.communication_exposed, full.breakdown.communication_exposed);
  EXPECT_TRUE(trial.activities.empty());
  EXPECT_TRUE(trial.record.spans.empty());
  EXPECT_FALSE(full.activities.empty());
  EXPECT_FALSE(full.record.spans.empty());
}

TEST(EvaluationCache, SharesKernelsOfDevicesThatDifferOnlyInLinks) {
  EvaluationCache cache;
  const chip::Device device = plain_device();
  const auto kernels_with = [&](auto change) {
    chip::Device other = device;
    change(other);
    return cache.kernels(other);
  };
  const auto known = cache.kernels(device);

  EXPECT_EQ(kernels_with([](chip::Device& d) { d.links = BytesPerSecond(300e9); }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.cores.count = 1023.0; }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.cores.matrix.fp64 = Flops(2.0); }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.levels.front().capacity = Bytes(1.0); }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.memory.bandwidth = BytesPerSecond(1.0); }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.tiles.splits = 2.0; }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.kernels.push_back({.work = 2.0}); }), known);
  EXPECT_NE(kernels_with([](chip::Device& d) { d.launch = Seconds(1e-6); }), known);
}

// Changes every part of a design, one after the other, with one shared cache.
TEST(EvaluationCache, MatchesAFreshEvaluation) {
  const DataFolders folders = DataFolders::in({CAIRN_DATA_FOLDER});
  const Config base = parse_config(
      "model: {network: gpt, layers: 2, hidden: 256, heads: 4, vocab: 2000, seq: 64}\n"
      "device: h200\nplatform: 'switch:8@25GB/s,1us'\n"
      "strategy: {spread: tensor-2-d4, batch: 32, gradient_sync: blocking}\n"
      "memory: {capacity: ignored}\n",
      "design.yaml");
  const std::vector<std::string> settings{"strategy.batch=64",
                                          "strategy.precision=fp32",
                                          "strategy.gradient_sync=overlapped",
                                          "strategy.bucket=1 MB",
                                          "strategy.zero=1",
                                          "strategy.spread=d8",
                                          "strategy.spread=tensor-4-d2",
                                          "training.optimizer=adam",
                                          "training.checkpoints=blocks",
                                          "training.fp32_gradients=true",
                                          "model.hidden=512",
                                          "model.seq=128",
                                          "model.name=other",
                                          "device=a100",
                                          "device.memory.bandwidth=1 TB/s",
                                          "device.launch=20 us",
                                          "platform.bandwidth=100 GB/s",
                                          "platform=ring:8@25GB/s,1us",
                                          "endpoint=cores",
                                          "collectives=ring",
                                          "collectives.start=50 us",
                                          "launch.scale=2",
                                          "launch.issue=50 us",
                                          "launch.at_once=2",
                                          "steps=2",
                                          "contention=false"};
  DesignReader reader(folders);
  EvaluationCache cache;
  const auto check = [&](const Config& config, const std::string& what) {
    const auto shared = evaluate(reader.read(config).value(), cache);
    const auto fresh = evaluate(read_design(config, folders).value());
    ASSERT_EQ(shared.feasible(), fresh.feasible()) << what;
    if (!fresh) {
      EXPECT_EQ(shared.reason().detail, fresh.reason().detail) << what;
      return;
    }
    EXPECT_EQ(shared->step_time, fresh->step_time) << what;
    EXPECT_EQ(shared->peak_memory, fresh->peak_memory) << what;
    EXPECT_EQ(shared->model, fresh->model) << what;
    EXPECT_EQ(shared->bound.text, fresh->bound.text) << what;
  };
  check(base, "as it is");
  const auto as_it_is = evaluate(reader.read(base).value(), cache).value();
  std::size_t different = 0;
  for (const std::string& setting : settings) {
    Config config = base;
    set_value_of_design(config, setting, folders);
    check(config, setting);
    const auto changed = evaluate(reader.read(config).value(), cache);
    different += !changed || changed->step_time != as_it_is.step_time ? 1U : 0U;
    check(base, "as it is, after " + setting);
  }
  EXPECT_GE(different, settings.size() - 4);  // most of these matter
}

}  // namespace
}  // namespace cairn
