// The search against brute force over all tilings.
#include "cairn/kernel/tiling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/kernel/test_support/any_device.hpp"
#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

using chip::Dataflow;
using chip::Device;

double ceil_of(double a, double b) {
  return std::ceil(a / b);
}

// For any_device only: registers, one level per core, one shared level, no batched GEMMs.
class BruteForce {
 public:
  BruteForce(const Work& work, const Device& device)
      : work_(work),
        device_(device),
        m_(work.contraction->m),
        n_(work.contraction->n),
        k_(work.contraction->k),
        element_(work.element().si()) {}

  double least_time() {
    const std::vector<double>& sides = device_.tiles.sides;
    const double tallest = sides.empty() ? ceil_of(m_, row_step()) * row_step() : 5.0;
    const double widest = sides.empty() ? ceil_of(n_, column_step()) * column_step() : 5.0;
    for (double r = 1.0; r <= tallest; r += 1.0) {
      for (double c = 1.0; c <= widest; c += 1.0) {
        if (is_side(r, row_step()) && is_side(c, column_step()) && fits_core(r, c)) {
          try_tile(r, c);
        }
      }
    }
    if (std::isinf(best_)) {
      try_tile(sides.empty() ? row_step() : 1.0, sides.empty() ? column_step() : 1.0);
    }
    return best_;
  }

 private:
  [[nodiscard]] bool is_side(double side, double step) const {
    const std::vector<double>& sides = device_.tiles.sides;
    return sides.empty() ? std::fmod(side, step) == 0.0
                         : std::ranges::find(sides, side) != sides.end();
  }

  [[nodiscard]] double depth() const {
    const chip::Cores& cores = device_.cores;
    return cores.matrix.fp16->si() / 2.0 / cores.units / cores.rows / cores.columns;
  }

  [[nodiscard]] double row_step() const {
    const Dataflow flow = device_.cores.dataflow;
    if (flow == Dataflow::kWeightStationary) {
      return depth();
    }
    return flow == Dataflow::kBest ? std::min(device_.cores.rows, depth()) : device_.cores.rows;
  }

  [[nodiscard]] double column_step() const {
    const Dataflow flow = device_.cores.dataflow;
    if (flow == Dataflow::kActivationStationary) {
      return depth();
    }
    return flow == Dataflow::kBest ? std::min(device_.cores.columns, depth())
                                   : device_.cores.columns;
  }

  [[nodiscard]] static double held_by_tile(double r, double c, double element) {
    return 4.0 * r * c + 2.0 * (r + c) * 16.0 * element;
  }

  [[nodiscard]] bool fits_core(double r, double c) const {
    if (r * c == 1.0) {
      return true;
    }
    const double capacity =
        device_.levels[0].capacity.si() * device_.cores.units + device_.levels[1].capacity.si();
    return held_by_tile(r, c, element_) <= capacity &&
           4.0 * r * c <= device_.tiles.accumulators.value_or(Bytes(1e30)).si();
  }

  void try_tile(double r, double c) {
    const double capacity =
        device_.levels[0].capacity.si() * device_.cores.units + device_.levels[1].capacity.si();
    const double accumulators = device_.tiles.accumulators.value_or(Bytes(capacity)).si();
    double at_once = device_.tiles.at_once;
    while (at_once > 1.0 && at_once * 4.0 * r * c > accumulators) {
      at_once -= 1.0;
    }
    const double tiles = ceil_of(m_, r) * ceil_of(n_, c);
    for (double s = 1.0; s <= std::min(device_.tiles.splits, k_); s += 1.0) {
      if (s == 1.0 || tiles * s <= device_.cores.count * at_once) {
        try_split(r, c, s, at_once);
      }
    }
  }

  [[nodiscard]] double cycles(double r, double c, double k) const {
    const chip::Cores& cores = device_.cores;
    const auto of = [&](double a, double b, double d) {
      return ceil_of(ceil_of(a, cores.rows) * ceil_of(b, cores.columns), cores.units) *
             ceil_of(d, depth());
    };
    switch (cores.dataflow) {
      case Dataflow::kWeightStationary:
        return of(k, c, r);
      case Dataflow::kActivationStationary:
        return of(r, k, c);
      case Dataflow::kBest:
        return std::min({of(r, c, k), of(k, c, r), of(r, k, c)});
      case Dataflow::kNone:
      case Dataflow::kOutputStationary:
        break;
    }
    return of(r, c, k);
  }

  void try_split(double r, double c, double s, double at_once) {
    const double down = ceil_of(m_, r);
    const double across = ceil_of(n_, c);
    const double waves = ceil_of(down * across * s, device_.cores.count);
    const double rate = device_.cores.frequency.si() * device_.cores.utilization;
    double time = waves * cycles(r, c, std::ceil(k_ / s)) / rate +
                  ceil_of(waves, at_once) * device_.tiles.fill.si() +
                  (s > 1.0 ? device_.tiles.join.si() : 0.0);
    const double left = m_ * k_ * across;
    const double right = n_ * k_ * down;
    time = std::max(time, core_time(r, c, left, right, std::ceil(k_ / s)));
    const double sums = 4.0 * m_ * n_;
    const double cut = s > 1.0 ? s * sums : 0.0;
    const double l2 = element_ * (left + right) + work_.other.si() + 2.0 * cut;
    const double leaves = cut <= device_.levels[2].capacity.si() ? 0.0 : 2.0 * cut;
    const auto consider = [&](double outside, double partial) {
      const double its = std::max({time,
                                   (l2 + partial) / device_.levels[2].bandwidth->si(),
                                   (outside + leaves) / device_.memory.bandwidth.si()});
      best_ = std::min(best_, its);
    };
    const double in_flight = std::max(1.0, std::floor(device_.cores.count * at_once / s));
    for (double b = 1.0; b <= std::min(down, in_flight); b += 1.0) {
      const double wide = std::floor(in_flight / b);
      consider(bytes(ceil_of(across, wide), ceil_of(down, b)), 0.0);
    }
    hold(consider, sums);
  }

  [[nodiscard]] double bytes(double passes_left, double passes_right) const {
    return work_.left.si() * passes_left + work_.right.si() * passes_right + work_.other.si();
  }

  template <class Consider>
  void hold(const Consider& consider, double sums) const {
    const Dataflow flow = device_.cores.dataflow;
    const bool best = flow == Dataflow::kBest;
    const double room = device_.levels[2].capacity.si() / 2.0;
    const double longest = std::max({m_, n_, k_});
    for (double a = 1.0; a <= longest; a += 1.0) {
      for (double b = 1.0; b <= longest; b += 1.0) {
        if ((best || flow == Dataflow::kOutputStationary) && a <= m_ && b <= n_ &&
            4.0 * a * b <= room) {
          consider(bytes(ceil_of(n_, b), ceil_of(m_, a)), 0.0);
        }
        const bool fits = element_ * a * b <= room;
        if ((best || flow == Dataflow::kWeightStationary) && a <= k_ && b <= n_ && fits) {
          const double partial = 2.0 * (ceil_of(k_, a) - 1.0) * sums;
          consider(bytes(ceil_of(n_, b), 1.0) + partial, partial);
        }
        if ((best || flow == Dataflow::kActivationStationary) && a <= m_ && b <= k_ && fits) {
          const double partial = 2.0 * (ceil_of(k_, b) - 1.0) * sums;
          consider(bytes(1.0, ceil_of(m_, a)) + partial, partial);
        }
      }
    }
  }

  // The cut of a core's tile for its units with the fewest reads from the core's level; then the
  // registers, by Eq. 5.
  [[nodiscard]] double core_time(double r, double c, double left, double right, double sum) const {
    const double needed = std::min(device_.cores.units, r * c);
    double fewest = INFINITY;
    double rows_of_unit = 1.0;
    double columns_of_unit = 1.0;
    for (double a = 1.0; a <= r; a += 1.0) {
      for (double b = 1.0; b <= c; b += 1.0) {
        const double rows = ceil_of(r, a);
        const double columns = ceil_of(c, b);
        const bool fits = rows * columns == 1.0 ||
                          held_by_tile(rows, columns, element_) <= device_.levels[0].capacity.si();
        const double read = left * b + right * a;
        if (fits && a * b >= needed && read < fewest) {
          fewest = read;
          rows_of_unit = m_ / ceil_of(m_, r) / a;
          columns_of_unit = n_ / ceil_of(n_, c) / b;
        }
      }
    }
    double time = element_ * (left + right + fewest) / device_.levels[1].bandwidth->si();
    if (device_.levels[0].bandwidth) {
      const double accesses = m_ * n_ * k_ * accesses_per_mac(rows_of_unit, columns_of_unit, sum);
      time = std::max(time, element_ * accesses / device_.levels[0].bandwidth->si());
    }
    return time;
  }

  [[nodiscard]] double accesses_per_mac(double r, double c, double k) const {
    const chip::Cores& cores = device_.cores;
    double reuse = 1.0;
    switch (cores.dataflow) {
      case Dataflow::kNone:
        break;
      case Dataflow::kWeightStationary:
        reuse = ceil_of(r, cores.rows);
        break;
      case Dataflow::kActivationStationary:
        reuse = ceil_of(c, cores.columns);
        break;
      case Dataflow::kOutputStationary:
        reuse = ceil_of(k, depth());
        break;
      case Dataflow::kBest:
        reuse = std::max({ceil_of(r, cores.rows), ceil_of(c, cores.columns), ceil_of(k, depth())});
        break;
    }
    const double x = cores.rows;
    const double y = cores.columns;
    return (x * y + reuse * x + reuse * y) / (reuse * x * y);
  }

  const Work& work_;
  const Device& device_;
  double m_;
  double n_;
  double k_;
  double element_;
  double best_ = INFINITY;
};

double small() {
  return 1.0 * *rc::gen::inRange(1, 13);
}

RC_GTEST_PROP(TilingProperty, EqualsBruteForceOverAllTilings, ()) {
  const Device device = any_device();
  const Work work = gemm(small(), small(), small());

  const Cost ours = cost(work, device);
  const double expected = BruteForce(work, device).least_time();

  RC_LOG() << ConfigReader<Device>::to_text(device) << "\n"
           << work.contraction->m << " x " << work.contraction->n << " x " << work.contraction->k
           << ": ours " << ours.time.si() << " tile " << ours.tiling.tile_rows << " x "
           << ours.tiling.tile_columns << " splits " << ours.tiling.splits << ", brute force "
           << expected << "\n";
  RC_ASSERT(std::abs(ours.time.si() - expected) <= 1e-12 * expected);
}

// Units that are never idle take exactly the lower bound; rounding must not prune them.
RC_GTEST_PROP(TilingProperty, ReachesTheLowerBoundWhenUnitsAreNeverIdle, ()) {
  Device device = any_device();
  device.cores.dataflow = Dataflow::kOutputStationary;
  device.tiles = {};
  device.memory.bandwidth = BytesPerSecond(1e18);
  for (chip::Level& level : device.levels) {
    level.capacity = Bytes(1e9);
    level.bandwidth.reset();
  }
  const chip::Cores& cores = device.cores;
  const double wide = cores.units * cores.columns * *rc::gen::inRange(1, 40);
  const double deep = 2.0 * *rc::gen::inRange(1, 2000);
  const Work work = gemm(cores.count * cores.rows * *rc::gen::inRange(1, 40), wide, deep);

  const double cycles = work.macs() / (cores.count * cores.matrix.fp16->si() / 2.0);
  const double expected = cycles / (cores.frequency.si() * cores.utilization);

  RC_ASSERT(std::abs(cost(work, device).time.si() - expected) <= 1e-12 * expected);
}

}  // namespace
}  // namespace cairn::kernel
