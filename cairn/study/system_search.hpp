// The best chip and strategy of the language model on a given interconnect, alternating: the best
// shares of the chip for a strategy, then the best strategy on that chip.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "cairn/study/chip_search.hpp"
#include "cairn/study/deepflow_ranking.hpp"

namespace cairn::study {

struct GeneratedChip {
  chip::Device device{};
  BytesPerSecond network{};  // to other packages
};

struct SearchedSystem {
  GeneratedChip chip{};
  RankedStrategy best{};
};

class SystemSearch {
 public:
  struct Options {
    Links links = Links::kGiven;
    BytesPerSecond network{};  // used with Links::kGiven
    // The platform of devices with this bandwidth to other packages.
    std::function<platform::Platform(BytesPerSecond network)> connect{};
  };

  // The assumptions must outlive the search.
  SystemSearch(const DeepFlowAssumptions& assumptions, Options options, Tick tick)
      : assumptions_(assumptions), options_(std::move(options)), tick_(std::move(tick)) {}

  [[nodiscard]] Feasible<GeneratedChip> make(const chip::Template& design) const;

  // The same; throws ConfigError if the chip is infeasible or lacks the precision.
  [[nodiscard]] GeneratedChip make_first(const chip::Template& design,
                                         const std::string& node) const;

  // Evaluates all strategies; with lower `bounds`, only those that can be the fastest. Throws
  // ConfigError if none is feasible.
  [[nodiscard]] Ranked rank(const GeneratedChip& chip,
                            const std::vector<plan::Strategy>& strategies,
                            const std::vector<Seconds>& bounds = {}) const;

  [[nodiscard]] Design design_on(const GeneratedChip& chip) const;

  using BestOn = std::function<RankedStrategy(const GeneratedChip& chip)>;

  // Starts from the shares of `design`; `first` is its chip and best strategy. `found`: receives
  // the best template.
  [[nodiscard]] SearchedSystem improve(const chip::Template& design,
                                       const SearchedSystem& first,
                                       const ChipSearch& how,
                                       const BestOn& best_on,
                                       chip::Template* found = nullptr) const;

 private:
  [[nodiscard]] std::optional<Seconds> time_of(const chip::Template& design,
                                               const plan::Strategy& strategy,
                                               const platform::Platform& platform) const;

  const DeepFlowAssumptions& assumptions_;
  Options options_;
  Tick tick_;
  std::unique_ptr<EvaluationCache> cache_ = std::make_unique<EvaluationCache>();
};

}  // namespace cairn::study
