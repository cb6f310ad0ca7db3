// Training steps and their kernels; labels have the budgets.
#include <benchmark/benchmark.h>

#include <string>

#include "cairn/chip/read_device.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/kernel/cache.hpp"
#include "cairn/study/deepflow.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn {
namespace {

kernel::Work gemm(double m, double n, double k) {
  return kernel::work_of(model::Contraction{.m = m, .n = n, .k = k}, chip::Precision::kFp16);
}

// mc-dla and h200 list their tile sides; the generated chip may use any.
void cold_gemm(benchmark::State& state, const char* name) {
  const auto folders = chip::DeviceFolders::in({CAIRN_DATA_FOLDER});
  const chip::Device device = chip::read_device(name, folders, {}).value();
  double n = 1000.0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernel::cost(gemm(4096.0, n, 4096.0), device));
    n = n < 5000.0 ? n + 8.0 : 1000.0;  // aligned
  }
  state.SetLabel("budget 50 us");
}

void cold_attention(benchmark::State& state, const char* name) {
  const auto folders = chip::DeviceFolders::in({CAIRN_DATA_FOLDER});
  const chip::Device device = chip::read_device(name, folders, {}).value();
  model::Attention attention{.samples = 8.0, .heads = 16.0, .width = 64.0, .products = 5.0};
  double steps = 1024.0;
  for (auto _ : state) {
    attention.queries = attention.keys = steps;
    benchmark::DoNotOptimize(
        kernel::cost(kernel::work_of(attention, chip::Precision::kFp16), device));
    steps = steps < 4096.0 ? steps + 1.0 : 1024.0;
  }
  state.SetLabel("budget 50 us");
}

void cached_gemm(benchmark::State& state) {
  static kernel::Cache cache(study::paper_device());  // shared by all threads
  const kernel::Work work = gemm(4096.0, 1000.0, 4096.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cache.cost(work));
  }
  state.SetLabel("budget 1 us");
}

void mc_dla_step(benchmark::State& state) {
  study::Runs runs({}, study::paper_device());
  const Design system = study::make_system(study::System::kAware, study::paper_device(), {});
  const study::Case vgg{.workload = 2};
  for (auto _ : state) {
    benchmark::DoNotOptimize(runs.run(vgg, system));
  }
  state.SetLabel("VGG-E on MC-DLA(B), with cached plan and kernels");
}

// A design with its platform and device read; the rest is evaluated each time.
Design language_model_on_512() {
  const Config config = parse_config(
      "{model: {network: language_model, hidden: 16384, vocabulary: 819200},"
      " device: v100, platform: 'switch:512@100GB/s,5us',"
      " strategy: {batch: 16384}, assumptions: {recurrent_sync: once}, memory: {capacity: "
      "ignored}}",
      "benchmark");
  return read_design(config, DataFolders::in({CAIRN_DATA_FOLDER})).value();
}

void language_model_step(benchmark::State& state) {
  const Design design = language_model_on_512();
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(design));
  }
  state.SetLabel("LSTM language model on 512 devices, budget 1 ms");
}

// A trial of a search that changes neither model nor strategy.
void language_model_trial(benchmark::State& state) {
  const Design design = language_model_on_512();
  EvaluationCache cache;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(design, cache, Detail::kTrial));
  }
  state.SetLabel("the same as a trial, with cached plan and kernels");
}

// With chunks of 64 KiB, as the engine uses.
void two_steps_of_resnet(benchmark::State& state, const char* endpoint) {
  const Config config = parse_config(
      std::string(
          "{model: resnet-50, device: ace-npu, platform: ace-4x8x4, steps: 2,"
          " strategy: {batch: 32, batch_per: device},"
          " training: {updates: before_use, optimizer: free},"
          " collectives: {algorithm: hierarchical, order: lifo, chunk: 64 KiB}, endpoint: ") +
          endpoint + "}",
      "benchmark");
  const Design design = read_design(config, DataFolders::in({CAIRN_DATA_FOLDER})).value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(design));
  }
  state.SetLabel("128 NPUs, budget 50 ms");
}

void deepflow_technology_study(benchmark::State& state) {
  const Config file = load_config(CAIRN_DATA_FOLDER "/studies/deepflow-technology.yaml");
  const DataFolders folders = DataFolders::in({CAIRN_DATA_FOLDER});
  for (auto _ : state) {
    benchmark::DoNotOptimize(study::run(study::prepare_deepflow_technology(file, folders, {})));
  }
  state.SetLabel("Fig. 9, 84 points with and without capacity, budget 2 s");
}

void mc_dla_study(benchmark::State& state) {
  const Config file = load_config(CAIRN_DATA_FOLDER "/studies/mc-dla.yaml");
  for (auto _ : state) {
    benchmark::DoNotOptimize(study::run(study::prepare_mc_dla(file, {}, {})));
  }
  state.SetLabel("budget 2 s");
}

BENCHMARK_CAPTURE(cold_gemm, mc_dla, "mc-dla")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cold_gemm, h200, "h200")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cold_gemm, generated_v100, "chip:v100")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cold_attention, mc_dla, "mc-dla")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cold_attention, h200, "h200")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cold_attention, generated_v100, "chip:v100")->Unit(benchmark::kMicrosecond);
BENCHMARK(cached_gemm)->Threads(1)->Threads(2)->Unit(benchmark::kMicrosecond);
BENCHMARK(mc_dla_step)->Unit(benchmark::kMicrosecond);
BENCHMARK(language_model_step)->Unit(benchmark::kMicrosecond);
BENCHMARK(language_model_trial)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(two_steps_of_resnet, ace, "ace")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(two_steps_of_resnet, cores, "cores")->Unit(benchmark::kMillisecond);
BENCHMARK(deepflow_technology_study)->Unit(benchmark::kSecond)->Iterations(3);
BENCHMARK(mc_dla_study)->Unit(benchmark::kSecond)->Iterations(3);

}  // namespace
}  // namespace cairn
