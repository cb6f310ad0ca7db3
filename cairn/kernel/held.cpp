#include "cairn/kernel/held.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/must_have.hpp"
#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

using chip::Dataflow;
using model::Contraction;

template <class Visit>
class Holds {
 public:
  Holds(const Work& work, Bytes capacity, const Visit& visit)
      : work_(work),
        c_(must_have(work.contraction, "a product")),
        room_(capacity.si() / 2.0),
        sums_(Bytes(kAccumulatorBytes) * (c_.m * c_.n * c_.count)),
        visit_(visit) {}

  void hold_outputs() {
    for_each_side(c_.m, 1.0, c_.m, [&](double rows, double down) {
      const double columns = std::min(c_.n, std::floor(room_ / (kAccumulatorBytes * rows)));
      if (columns >= 1.0) {
        const Bytes outside = work_.left * parts(c_.n, columns) + work_.right * down + work_.other;
        visit_(Hold{Held::kOutputStationary, rows, columns, outside, Bytes(0.0)});
      }
    });
  }

  void hold_weights() {
    const double element = work_.right.si() / (c_.k * c_.n * c_.count);
    for_each_side(c_.k, 1.0, c_.k, [&](double rows, double down) {
      const double columns = std::min(c_.n, std::floor(room_ / (element * rows)));
      if (columns >= 1.0) {
        const Bytes partial = sums_ * (2.0 * (down - 1.0));
        const Bytes outside =
            work_.left * parts(c_.n, columns) + work_.right + work_.other + partial;
        visit_(Hold{Held::kWeightStationary, rows, columns, outside, partial});
      }
    });
  }

  void hold_activations() {
    const double element = work_.left.si() / (c_.m * c_.k * c_.count);
    for_each_side(c_.k, 1.0, c_.k, [&](double columns, double across) {
      const double rows = std::min(c_.m, std::floor(room_ / (element * columns)));
      if (rows >= 1.0) {
        const Bytes partial = sums_ * (2.0 * (across - 1.0));
        const Bytes outside = work_.left + work_.right * parts(c_.m, rows) + work_.other + partial;
        visit_(Hold{Held::kActivationStationary, rows, columns, outside, partial});
      }
    });
  }

 private:
  const Work& work_;
  const Contraction& c_;
  double room_;
  Bytes sums_;
  const Visit& visit_;
};

template <class Visit>
void visit_holds(const Work& work, Dataflow dataflow, Bytes capacity, const Visit& visit) {
  Holds<Visit> ways(work, capacity, visit);
  if (dataflow == Dataflow::kBest || dataflow == Dataflow::kOutputStationary) {
    ways.hold_outputs();
  }
  if (dataflow == Dataflow::kBest || dataflow == Dataflow::kWeightStationary) {
    ways.hold_weights();
  }
  if (dataflow == Dataflow::kBest || dataflow == Dataflow::kActivationStationary) {
    ways.hold_activations();
  }
}

}  // namespace

void for_each_hold(const Work& work,
                   Dataflow dataflow,
                   Bytes capacity,
                   const std::function<void(const Hold&)>& visit) {
  visit_holds(work, dataflow, capacity, visit);
}

std::vector<Hold> best_holds(const Work& work, Dataflow dataflow, Bytes capacity) {
  std::vector<Hold> best;
  visit_holds(work, dataflow, capacity, [&](const Hold& hold) {
    const auto as_good = [&](const Hold& other) {
      return other.outside <= hold.outside && other.partial <= hold.partial;
    };
    const auto worse = [&](const Hold& other) {
      return hold.outside <= other.outside && hold.partial <= other.partial;
    };
    if (std::ranges::none_of(best, as_good)) {
      std::erase_if(best, worse);
      best.push_back(hold);
    }
  });
  return best;
}

}  // namespace cairn::kernel
