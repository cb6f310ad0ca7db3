// Throughput of searches in designs/s; labels have the budgets.
#include <benchmark/benchmark.h>

#include <string>

#include "cairn/base/named_file.hpp"
#include "cairn/base/yaml_reader.hpp"
#include "cairn/explore/explore.hpp"

namespace cairn {
namespace {

struct Search {
  DataFolders folders = DataFolders::in({CAIRN_DATA_FOLDER});
  explore::Request request;

  explicit Search(const std::string& text)
      : request(explore::read_request(parse_config(text, "benchmark"),
                                      folders,
                                      {std::string(CAIRN_DATA_FOLDER) + "/designs"})) {}
};

// All row-column, column-row and data-parallel strategies of the language model on 512 devices, for
// several batch sizes: trials share cached plans and kernels.
constexpr const char* kStrategies =
    "{design: language-model-on-512-v100,"
    " vary: {strategy.spread: {spread: [row_column, column_row], stages: [1]},"
    "        strategy.batch: [4096, 8192, 16384, 32768, 65536],"
    "        memory.capacity: [ignored]},"
    " algorithm: {prune: PRUNE}}";

// Shares of area, power and perimeter of a chip, on 64 devices: every trial has another device.
std::string chips(std::size_t trials) {
  const NamedFile file = load_named(
      "language-model-chip", {std::string(CAIRN_DATA_FOLDER) + "/searches"}, "a search", {});
  Config config = file.config;
  set_value(config, "algorithm.method=random");
  set_value(config, "algorithm.trials=" + std::to_string(trials));
  return to_text(config);
}

std::string strategies_with(const std::string& prune) {
  std::string text = kStrategies;
  return text.replace(text.find("PRUNE"), 5, prune);
}

void search(benchmark::State& state, const std::string& text, const char* label) {
  const Search search(text);
  std::size_t evaluated = 0;
  std::size_t points = 0;
  for (auto _ : state) {
    const explore::Exploration found = explore::explore(
        search.request, search.folders, {.threads = static_cast<std::size_t>(state.range(0))});
    evaluated += found.trials.size();
    points += found.trials.size() + found.pruned;
  }
  state.counters["designs"] =
      benchmark::Counter(static_cast<double>(evaluated), benchmark::Counter::kIsRate);
  state.counters["points"] =
      benchmark::Counter(static_cast<double>(points), benchmark::Counter::kIsRate);
  state.SetLabel(label);
}

void strategies(benchmark::State& state) {
  search(state,
         strategies_with("false"),
         "strategies on 512 devices, budget 5000 designs/s on one core");
}

void pruned_strategies(benchmark::State& state) {
  search(state, strategies_with("true"), "the same, with pruning");
}

void chip_fractions(benchmark::State& state) {
  search(state, chips(200), "chip fractions, 64 devices, budget 1000 designs/s on one core");
}

BENCHMARK(strategies)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(pruned_strategies)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(chip_fractions)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cairn
