// Whole collectives; labels have the budgets. Peak memory is measured in a separate process.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {
namespace {

platform::Platform platform_of(const std::string& text) {
  return platform::read_platform(text, {});
}

double peak_megabytes(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0 / 1e6;
}

void run(benchmark::State& state,
         const platform::Platform& platform,
         const comm::Collective& collective,
         const CollectiveOptions& options,
         const char* budget) {
  double events = 0.0;
  for (auto _ : state) {
    const auto result = evaluate_collective(platform, collective, options);
    benchmark::DoNotOptimize(result->time);
    events += static_cast<double>(result->events);
  }
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.SetLabel(budget);
}

void ring_step_by_step(benchmark::State& state, const char* budget) {
  const std::string text = "ring:" + std::to_string(state.range(0)) + "@25GB/s,500ns";
  const comm::Collective collective{.size = Bytes(100e6)};
  const CollectiveOptions options{.algorithm = "ring", .fold = false, .steps = true};
  run(state, platform_of(text), collective, options, budget);
  state.counters["peak_MB"] =
      peak_megabytes([&] { evaluate_collective(platform_of(text), collective, options); });
}

void ring_1024(benchmark::State& state) {
  ring_step_by_step(state, "budget: under 0.5 s and 20 MB");
}

void ring_4096(benchmark::State& state) {
  ring_step_by_step(state, "budget: under 6 s");
}

void ring_folded(benchmark::State& state) {
  run(state,
      platform_of("ring:65536@25GB/s,500ns"),
      {.size = Bytes(100e6)},
      {.algorithm = "ring"},
      "budget: under 10 us");
}

// All-to-all with unequal sizes.
void all_to_all(benchmark::State& state, bool fold, const char* budget) {
  comm::Collective collective{.op = comm::Op::kAllToAll, .size = Bytes(64e6)};
  for (int d = 0; d < 64; ++d) {
    collective.weights.push_back(1.0 + d * 37 % 64);
  }
  run(state,
      platform_of("torus:8x8@25GB/s,500ns"),
      collective,
      {.algorithm = "direct", .fold = fold},
      budget);
}

void all_to_all_unfolded(benchmark::State& state) {
  all_to_all(state, false, "budget: under 1 s");
}

void all_to_all_folded(benchmark::State& state) {
  all_to_all(state, true, "budget: under 1 ms");
}

// The 4-phase all-reduce through ACE's engine: every chunk has room in the SRAM partition of its
// phase and one of its state machines.
comm::CollectiveProgram through_engine(const platform::Platform& platform) {
  constexpr double kChunk = 65536.0;
  const comm::Collective collective{.size = Bytes(1e9)};
  comm::GroupLayout layout = comm::make_group_layout(platform, {});
  layout.first_position_only = true;
  comm::Endpoint ace{.executor = comm::Executor::kEngine, .memory = BytesPerSecond(128e9)};
  ace.engine = {.sram = Bytes(4.0 * (1U << 20U)),
                .fsms = 16.0,
                .alus = BytesPerSecond(320e9),
                .chunk = Bytes(kChunk),
                .split = chip::EngineSplit::kTime};
  platform::Router router(platform);
  comm::ProgramBuilder builder(router, comm::View::kOnePerClass, ace);
  builder.add(collective,
              layout,
              comm::kHierarchical.schedule(collective, layout),
              // Half of the payload goes each way.
              {.chunks = static_cast<std::uint32_t>(0.5e9 / kChunk) + 1,
               .window = comm::window_at(ace),
               .through_engines = true});
  comm::CollectiveProgram result = builder.take();
  sim::collapse_steps(result.program, sim::Collapse::kEverywhere);
  return result;
}

void torus_through_engine(benchmark::State& state) {
  const auto platform = platform_of("torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns");
  double events = 0.0;
  for (auto _ : state) {
    const comm::CollectiveProgram program = through_engine(platform);
    events += static_cast<double>(sim::simulate(program.program).events);
  }
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.SetLabel("budget: under 0.1 s");
}

BENCHMARK(ring_1024)
    ->Name("ring all-reduce, step by step")
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ring_4096)
    ->Name("ring all-reduce, step by step")
    ->Arg(4096)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ring_folded)
    ->Name("ring all-reduce, folded, 65,536 devices")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(torus_through_engine)
    ->Name("4x4x4 torus, 1 GB in 64 KiB chunks, engine, folded")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_unfolded)
    ->Name("all-to-all, 8x8 torus, unequal, unfolded")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_folded)
    ->Name("all-to-all, 8x8 torus, unequal, folded")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cairn
