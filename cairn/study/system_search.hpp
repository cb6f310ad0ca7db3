// The best chip and strategy of the language model together, on devices joined in some way: by
// turns, the best shares of a chip for a strategy, and the best strategy on that chip.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "cairn/study/chip_search.hpp"
#include "cairn/study/deepflow_ranking.hpp"

namespace cairn::study {

struct MadeChip {
  chip::Device device{};
  BytesPerSecond network{};  // to other packages
};

struct SearchedSystem {
  MadeChip chip{};
  Trial best{};
};

class SystemSearch {
 public:
  struct Options {
    Links links = Links::kGiven;
    BytesPerSecond network{};  // if it is given
    // Devices, each with so much bandwidth to other packages.
    std::function<platform::Platform(BytesPerSecond network)> joined{};
  };

  // The assumptions stay where they are.
  SystemSearch(const DeepFlowAssumptions& assumptions, Options options, Tick tick)
      : assumptions_(assumptions), options_(std::move(options)), tick_(std::move(tick)) {}

  [[nodiscard]] Feasible<MadeChip> make(const chip::Template& design) const;

  // The same; throws ConfigError where it cannot be made, or lacks the precision.
  [[nodiscard]] MadeChip make_first(const chip::Template& design, const std::string& node) const;

  // All of them, or those that can be the fastest by what each takes at least. Throws ConfigError
  // if none can be tried.
  [[nodiscard]] Ranked rank(const MadeChip& chip,
                            const std::vector<plan::Strategy>& strategies,
                            const std::vector<Seconds>& bounds = {}) const;

  [[nodiscard]] Design design_on(const MadeChip& chip) const;

  using BestOn = std::function<Trial(const MadeChip& chip)>;

  // From the shares of `design`, of which `first` is made, and its best strategy.
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
