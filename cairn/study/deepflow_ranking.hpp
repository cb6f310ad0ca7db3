// All strategies of the language model on a number of devices, fastest first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/study/deepflow.hpp"

namespace cairn::study {

struct Ranking {
  std::string name{};
  std::uint32_t devices = 64;
  std::string node = "12 nm";
  BytesPerSecond network{48e9};
  std::optional<BytesPerSecond> memory{};  // overrides the chip's bandwidth
  std::optional<double> hidden{};          // overrides the assumption
  std::optional<double> batch{};           // overrides the assumption
  std::vector<std::uint32_t> stages{1};
  std::uint32_t micro_batches = 1;

  Where where{};
};

const Schema<Ranking>& schema_of(const Ranking*);

// Throws ConfigError, also if a number of stages does not divide the devices.
Ranking read_ranking(const Config& config);

enum class Family : std::uint8_t {
  kData,  // data parallelism only
  kRowColumn,
  kColumnRow,
  kPipeline,  // data-parallel stages
};

// An evaluated strategy.
struct RankedStrategy {
  std::string strategy{};  // "CR-8-d64-p1"
  plan::Strategy how{};
  Family family{};
  Seconds time{};
  Seconds compute{};
  Seconds communication_exposed{};
  Bytes peak{};
  bool fits = false;
};

struct InfeasibleStrategy {
  std::string strategy{};
  Family family{};
  std::string reason{};
};

struct Ranked {
  std::vector<RankedStrategy> strategies{};  // fastest first
  std::vector<InfeasibleStrategy> infeasible{};
  std::size_t pruned = 0;  // not evaluated: their lower bound exceeds the best time
};

// All RC and CR strategies with all numbers of replicas, and data parallelism; all other settings
// as in `like`.
std::vector<plan::Strategy> all_strategies(std::uint32_t devices,
                                           const std::vector<std::uint32_t>& stages,
                                           std::uint32_t micro_batches,
                                           const plan::Strategy& like);

// Evaluates the strategies on the design, whose own strategy is ignored. `bounds`: lower bounds of
// the step times, for pruning; empty: none is pruned.
Ranked rank(Design design,
            const std::vector<plan::Strategy>& strategies,
            EvaluationCache& cache,
            const Tick& tick,
            const std::vector<Seconds>& bounds = {});

// Throws ConfigError if no strategy is feasible.
Ranked rank(const Ranking& ranking,
            const DeepFlowAssumptions& assumptions,
            const DataFolders& folders,
            const Tick& tick);

}  // namespace cairn::study
