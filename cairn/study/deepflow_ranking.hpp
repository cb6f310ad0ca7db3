// All strategies of the language model on so many devices, the fastest first.
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
  std::optional<BytesPerSecond> memory{};  // instead of what the chip gives
  std::optional<double> hidden{};          // instead of what is assumed
  std::optional<double> batch{};           // likewise
  std::vector<std::uint32_t> stages{1};
  std::uint32_t micro_batches = 1;

  Where where{};
};

const Schema<Ranking>& schema_of(const Ranking*);

// Throws ConfigError: also for stages that do not divide the devices.
Ranking read_ranking(const Config& config);

enum class Family : std::uint8_t {
  kData,  // and nothing else
  kRowColumn,
  kColumnRow,
  kPipeline,  // of data-parallel stages
};

// One strategy, tried.
struct Trial {
  std::string strategy{};  // "CR-8-d64-p1"
  plan::Strategy how{};
  Family family{};
  Seconds time{};
  Seconds compute{};                // of it
  Seconds communication_exposed{};  // likewise: kernels wait for collectives
  Bytes peak{};
  bool fits = false;
};

// One that cannot be.
struct LeftOut {
  std::string strategy{};
  Family family{};
  std::string reason{};
};

struct Ranked {
  std::vector<Trial> trials{};  // the fastest first
  std::vector<LeftOut> left_out{};
  std::size_t pruned = 0;  // not tried: none of them can be the fastest
};

// All RC and CR with all numbers of replicas, and data parallelism alone; in all else like `like`.
std::vector<plan::Strategy> all_strategies(std::uint32_t devices,
                                           const std::vector<std::uint32_t>& stages,
                                           std::uint32_t micro_batches,
                                           const plan::Strategy& like);

// These strategies of the design, whatever it says of one. `bounds`: what each takes at least;
// those that cannot be the fastest are not tried. Empty: all are.
Ranked rank(Design design,
            const std::vector<plan::Strategy>& strategies,
            EvaluationCache& cache,
            const Tick& tick,
            const std::vector<Seconds>& bounds = {});

// Throws ConfigError if none can be tried.
Ranked rank(const Ranking& ranking,
            const DeepFlowAssumptions& assumptions,
            const DataFolders& folders,
            const Tick& tick);

}  // namespace cairn::study
