#include "cairn/kernel/stationary_operand.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

using chip::Dataflow;
using model::Contraction;

// Candidates of one operand: a side that cuts it into `cuts` parts, and the longest other side that
// fits.
class Candidates {
 public:
  Candidates(const Work& work, Held operand, Bytes capacity)
      : work_(work),
        c_(must_have(work.contraction, "a contraction")),
        operand_(operand),
        room_(capacity.si() / 2.0),
        sums_(Bytes(kAccumulatorBytes) * (c_.m * c_.n * c_.count)) {}

  // The length that is cut: k, or m if outputs are stationary.
  [[nodiscard]] double length() const { return operand_ == Held::kOutputStationary ? c_.m : c_.k; }

  // Empty if not even one row fits.
  [[nodiscard]] std::optional<StationaryOperand> part(double side, double cuts) const {
    const bool activations = operand_ == Held::kActivationStationary;
    const double whole = activations ? c_.m : c_.n;
    const double other = std::min(whole, std::floor(room_ / (element() * side)));
    if (other < 1.0) {
      return std::nullopt;
    }
    return StationaryOperand{operand_,
                             activations ? other : side,
                             activations ? side : other,
                             outside(cuts, parts(whole, other)),
                             partial(cuts)};
  }

  // Lower bound: streamed operands pass once. Non-decreasing in `cuts`.
  [[nodiscard]] Bytes min_outside(double cuts) const { return outside(cuts, 1.0); }

  [[nodiscard]] Bytes partial(double cuts) const {
    return operand_ == Held::kOutputStationary ? Bytes(0.0) : sums_ * (2.0 * (cuts - 1.0));
  }

 private:
  // Bytes per element of the stationary operand.
  [[nodiscard]] double element() const {
    return operand_ == Held::kOutputStationary   ? kAccumulatorBytes
           : operand_ == Held::kWeightStationary ? work_.right.si() / (c_.k * c_.n * c_.count)
                                                 : work_.left.si() / (c_.m * c_.k * c_.count);
  }

  // The streamed operand passes `passes` times.
  [[nodiscard]] Bytes outside(double cuts, double passes) const {
    switch (operand_) {
      case Held::kOutputStationary:
        return work_.left * passes + work_.right * cuts + work_.other;
      case Held::kWeightStationary:
        return work_.left * passes + work_.right + work_.other + partial(cuts);
      case Held::kActivationStationary:
        return work_.left + work_.right * passes + work_.other + partial(cuts);
      case Held::kNone:
      case Held::kBest:
        break;
    }
    throw Bug("no stationary operand");
  }

  const Work& work_;
  const Contraction& c_;
  Held operand_;
  double room_;
  Bytes sums_;
};

std::vector<Candidates> candidates_of(const Work& work, Dataflow dataflow, Bytes capacity) {
  std::vector<Candidates> all;
  for (const Held operand :
       {Held::kOutputStationary, Held::kWeightStationary, Held::kActivationStationary}) {
    if (dataflow == Dataflow::kBest || dataflow == operand) {
      all.emplace_back(work, operand, capacity);
    }
  }
  return all;
}

}  // namespace

void for_each_stationary_operand(const Work& work,
                                 Dataflow dataflow,
                                 Bytes capacity,
                                 const std::function<void(const StationaryOperand&)>& visit) {
  for (const Candidates& candidates : candidates_of(work, dataflow, capacity)) {
    for_each_side_from_longest(candidates.length(), [&](double side, double cuts) {
      if (const auto part = candidates.part(side, cuts)) {
        visit(*part);
      }
      return true;
    });
  }
}

std::vector<StationaryOperand> best_stationary_operands(const Work& work,
                                                        Dataflow dataflow,
                                                        Bytes capacity) {
  std::vector<StationaryOperand> best;
  const auto is_dominated = [&](Bytes outside, Bytes partial) {
    return std::ranges::any_of(best, [&](const StationaryOperand& part) {
      return part.outside <= outside && part.partial <= partial;
    });
  };
  for (const Candidates& candidates : candidates_of(work, dataflow, capacity)) {
    for_each_side_from_longest(candidates.length(), [&](double side, double cuts) {
      const auto part = candidates.part(side, cuts);
      if (part && !is_dominated(part->outside, part->partial)) {
        std::erase_if(best, [&](const StationaryOperand& other) {
          return part->outside <= other.outside && part->partial <= other.partial;
        });
        best.push_back(*part);
      }
      // More cuts increase both.
      return !is_dominated(candidates.min_outside(cuts), candidates.partial(cuts));
    });
  }
  return best;
}

}  // namespace cairn::kernel
