// Generation of chips; the label has the budget.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "cairn/chip/generate.hpp"
#include "cairn/chip/template.hpp"

namespace cairn {
namespace {

void generated_chip(benchmark::State& state) {
  const std::filesystem::path data(CAIRN_DATA_FOLDER);
  const chip::TemplateFolders folders{.chips = {data / "chips"}, .technologies = {data / "tech"}};
  const NamedFile file = load_named("v100", folders.chips, "a chip", {});
  const chip::Template v100 = chip::read_template(file.config, folders);
  for (auto _ : state) {
    benchmark::DoNotOptimize(chip::generate(v100));
  }
  state.SetLabel("budget 20 us");
}

BENCHMARK(generated_chip)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cairn
