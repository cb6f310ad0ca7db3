#include "cairn/study/deepflow_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cairn/search/exhaustive.hpp"

namespace cairn::study {

const Schema<Ranking>& schema_of(const Ranking*) {
  static const auto kSchema =
      Schema<Ranking>("ranking", "all strategies on a number of devices")
          .required("name", &Ranking::name, "name in results", "64")
          .required("devices", &Ranking::devices, "devices around one switch", "64")
          .at_least(2)
          .at_most(4096)
          .optional("node", &Ranking::node, "logic node")
          .required("network", &Ranking::network, "bandwidth per device and direction", "48 GB/s")
          .positive()
          .optional("memory", &Ranking::memory, "memory bandwidth, instead of the chip's")
          .positive()
          .optional("hidden", &Ranking::hidden, "hidden size, instead of the assumed")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("batch", &Ranking::batch, "samples, instead of the assumed")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("stages", &Ranking::stages, "numbers of pipeline stages to try")
          .at_least(1)
          .optional("micro_batches", &Ranking::micro_batches, "per step of a pipeline")
          .at_least(1)
          .at_most(256);
  return kSchema;
}

Ranking read_ranking(const Config& config) {
  auto ranking = read_config<Ranking>(config);
  ranking.where = config.where;
  check_filled(config, {"stages"});
  for (std::size_t i = 0; i < ranking.stages.size(); ++i) {
    if (ranking.devices % ranking.stages[i] != 0) {
      const Config& stages = *config.find("stages");
      reject(stages.kind == Config::Kind::kList ? stages.items[i] : stages,
             fmt::format("does not divide the {} devices", ranking.devices));
    }
  }
  return ranking;
}

namespace {

std::vector<std::uint32_t> divisors(std::uint32_t number) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t d = 1; d <= number; ++d) {
    if (number % d == 0) {
      result.push_back(d);
    }
  }
  return result;
}

Family family_of(const plan::Strategy& strategy) {
  switch (strategy.parallelism) {
    case plan::Parallelism::kRowColumn:
      return Family::kRowColumn;
    case plan::Parallelism::kColumnRow:
      return Family::kColumnRow;
    case plan::Parallelism::kData:
    case plan::Parallelism::kModel:
    case plan::Parallelism::kTensor:
    case plan::Parallelism::kOneWeirdTrick:
    case plan::Parallelism::kHybrid:
      break;
  }
  return strategy.stages == 1 ? Family::kData : Family::kPipeline;
}

}  // namespace

std::vector<plan::Strategy> all_strategies(std::uint32_t devices,
                                           const std::vector<std::uint32_t>& stages,
                                           std::uint32_t micro_batches,
                                           const plan::Strategy& like) {
  std::vector<plan::Strategy> strategies;
  for (const std::uint32_t stage_count : stages) {
    const auto add = [&](plan::Parallelism form, std::uint32_t k1, std::uint32_t k2) {
      plan::Strategy strategy = like;
      strategy.parallelism = form;
      strategy.tensor_rows = k1;
      strategy.tensor_columns = k2;
      strategy.stages = stage_count;
      strategy.micro_batches = stage_count == 1 ? 1 : micro_batches;
      strategies.push_back(std::move(strategy));
    };
    const std::uint32_t shards = devices / stage_count;
    add(plan::Parallelism::kData, 1, 1);
    for (const std::uint32_t kernel : divisors(shards)) {
      if (kernel > 1) {
        add(plan::Parallelism::kColumnRow, kernel, 1);
        for (const std::uint32_t rows : divisors(kernel)) {
          add(plan::Parallelism::kRowColumn, rows, kernel / rows);
        }
      }
    }
  }
  return strategies;
}

Ranked rank(Design design,
            const std::vector<plan::Strategy>& strategies,
            EvaluationCache& cache,
            const Tick& tick,
            const std::vector<Seconds>& bounds) {
  const std::uint32_t devices = design.platform.device_count();
  const auto place = [](const search::Point& point) {
    return static_cast<std::size_t>(point.front());
  };
  search::Exhaustive::Bound bound;
  if (!bounds.empty()) {
    bound = [&](const search::Point& point) { return bounds[place(point)].si(); };
  }
  search::Exhaustive all(
      {.axes = {search::Axis::choice("strategy", strategies.size())}}, {.at_once = 1}, bound);
  Ranked ranked;
  for (auto points = all.ask(); !points.empty(); points = all.ask()) {
    if (tick) {
      tick();
    }
    const plan::Strategy& strategy = strategies[place(points.front())];
    design.strategy = strategy;
    const std::string name = plan::notation(strategy, plan::make_mesh(strategy, devices).value());
    const auto step = evaluate(design, cache, Detail::kTrial);
    if (!step) {
      ranked.infeasible.push_back({name, family_of(strategy), step.reason().detail});
      all.tell(std::array{search::Outcome::infeasible(1)});
      continue;
    }
    ranked.strategies.push_back({.strategy = name,
                                 .how = strategy,
                                 .family = family_of(strategy),
                                 .time = step->step_time,
                                 .compute = step->breakdown.compute,
                                 .communication_exposed = step->breakdown.communication_exposed,
                                 .peak = step->peak_memory,
                                 .fits = step->overflow() == Bytes(0.0)});
    all.tell(std::array{search::Outcome{.objectives = {step->step_time.si()}}});
  }
  ranked.pruned = all.pruned();
  std::ranges::stable_sort(ranked.strategies, {}, &RankedStrategy::time);
  return ranked;
}

Ranked rank(const Ranking& ranking,
            const DeepFlowAssumptions& assumptions,
            const DataFolders& folders,
            const Tick& tick) {
  DeepFlowAssumptions here = assumptions;
  here.hidden = ranking.hidden.value_or(here.hidden);
  here.batch = ranking.batch.value_or(here.batch);
  chip::Device device = generated_device(here, ranking.node, folders);
  device.memory.bandwidth = ranking.memory.value_or(device.memory.bandwidth);
  const Design design = deepflow_design(
      here, device, around_a_switch(ranking.devices, ranking.network, here.network_latency));
  EvaluationCache cache;
  Ranked ranked =
      rank(design,
           all_strategies(ranking.devices, ranking.stages, ranking.micro_batches, design.strategy),
           cache,
           tick);
  if (ranked.strategies.empty()) {
    const InfeasibleStrategy& first = ranked.infeasible.front();
    throw ConfigError(ranking.where,
                      fmt::format("no strategy is feasible: {}: {}", first.strategy, first.reason));
  }
  return ranked;
}

}  // namespace cairn::study
