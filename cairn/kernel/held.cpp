#include "cairn/kernel/held.hpp"

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

// Holds part of an operand, so long along the side that is cut into `cuts`; as much of the other
// side as there is room for.
class Holder {
 public:
  Holder(const Work& work, Held operand, Bytes capacity)
      : work_(work),
        c_(must_have(work.contraction, "a product")),
        operand_(operand),
        room_(capacity.si() / 2.0),
        sums_(Bytes(kAccumulatorBytes) * (c_.m * c_.n * c_.count)) {}

  // What is cut: the sum, unless sums stay.
  [[nodiscard]] double length() const { return operand_ == Held::kOutputStationary ? c_.m : c_.k; }

  // Nothing if there is no room.
  [[nodiscard]] std::optional<Hold> hold(double side, double cuts) const {
    const bool activations = operand_ == Held::kActivationStationary;
    const double whole = activations ? c_.m : c_.n;
    const double other = std::min(whole, std::floor(room_ / (element() * side)));
    if (other < 1.0) {
      return std::nullopt;
    }
    return Hold{operand_,
                activations ? other : side,
                activations ? side : other,
                outside(cuts, parts(whole, other)),
                partial(cuts)};
  }

  // A bound: what passes does so once. Never less for more cuts.
  [[nodiscard]] Bytes fewest(double cuts) const { return outside(cuts, 1.0); }

  [[nodiscard]] Bytes partial(double cuts) const {
    return operand_ == Held::kOutputStationary ? Bytes(0.0) : sums_ * (2.0 * (cuts - 1.0));
  }

 private:
  // Of the operand that stays.
  [[nodiscard]] double element() const {
    return operand_ == Held::kOutputStationary   ? kAccumulatorBytes
           : operand_ == Held::kWeightStationary ? work_.right.si() / (c_.k * c_.n * c_.count)
                                                 : work_.left.si() / (c_.m * c_.k * c_.count);
  }

  // What passes does so `passes` times.
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
    throw Bug("nothing that is held");
  }

  const Work& work_;
  const Contraction& c_;
  Held operand_;
  double room_;
  Bytes sums_;
};

std::vector<Holder> holders(const Work& work, Dataflow dataflow, Bytes capacity) {
  std::vector<Holder> all;
  for (const Held operand :
       {Held::kOutputStationary, Held::kWeightStationary, Held::kActivationStationary}) {
    if (dataflow == Dataflow::kBest || dataflow == operand) {
      all.emplace_back(work, operand, capacity);
    }
  }
  return all;
}

}  // namespace

void for_each_hold(const Work& work,
                   Dataflow dataflow,
                   Bytes capacity,
                   const std::function<void(const Hold&)>& visit) {
  for (const Holder& holder : holders(work, dataflow, capacity)) {
    for_each_side_from_longest(holder.length(), [&](double side, double cuts) {
      if (const auto hold = holder.hold(side, cuts)) {
        visit(*hold);
      }
      return true;
    });
  }
}

std::vector<Hold> best_holds(const Work& work, Dataflow dataflow, Bytes capacity) {
  std::vector<Hold> best;
  const auto has_as_good = [&](Bytes outside, Bytes partial) {
    return std::ranges::any_of(
        best, [&](const Hold& hold) { return hold.outside <= outside && hold.partial <= partial; });
  };
  for (const Holder& holder : holders(work, dataflow, capacity)) {
    for_each_side_from_longest(holder.length(), [&](double side, double cuts) {
      const auto hold = holder.hold(side, cuts);
      if (hold && !has_as_good(hold->outside, hold->partial)) {
        std::erase_if(best, [&](const Hold& other) {
          return hold->outside <= other.outside && hold->partial <= other.partial;
        });
        best.push_back(*hold);
      }
      // More cuts only add to both.
      return !has_as_good(holder.fewest(cuts), holder.partial(cuts));
    });
  }
  return best;
}

}  // namespace cairn::kernel
