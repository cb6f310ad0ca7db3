// Traffic of the memories inside a core.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/matrix_unit.hpp"

namespace cairn::kernel {

// Steps of k per slice of both operands; slices are double-buffered.
inline constexpr double kSliceSteps = 16.0;

// Accumulators are fp32, whatever the precision of the operands.
inline constexpr double kAccumulatorBytes = 4.0;

// Maximum columns of a tile of `rows` rows whose accumulators and operand slices fit:
//   4 r c + 2 (r + c) 16 e <= capacity
// 0 if not even one column fits, except that a single output always fits.
double widest_that_fits(double rows, double element, double capacity);

// The side of a square that has at least as many outputs as any rectangle that fits:
//   4 s^2 + 2 (s + s) 16 e = capacity
double square_that_fits(double element, double capacity);

// A tile of outputs, and the elements of both operands that all tiles of this shape read.
struct CutTile {
  double rows = 1.0;
  double columns = 1.0;
  double left = 0.0;
  double right = 0.0;
};

// Number of nearly equal parts per dimension.
struct Cut {
  double down = 1.0;
  double across = 1.0;
};

// The cut of a tile with the fewest reads, left * across + right * down elements, whose parts fit
// and number at least `parts` (or are single outputs). Empty if all read more than `max_reads`.
std::optional<Cut> best_cut(const CutTile& tile,
                            double parts,
                            double element,
                            double capacity,
                            double max_reads = std::numeric_limits<double>::infinity());

// From the outermost level inwards, each level's tile is cut by best_cut for the level inside, into
// at least as many parts as that level has instances. Reads from a level fill the one inside; the
// matrix units read the innermost (Eq. 5).
class CoreLevels {
 public:
  CoreLevels(const chip::Device& device, const MatrixUnit& unit);

  // Number of levels inside a core: the first ones of the device.
  [[nodiscard]] std::size_t count() const { return count_; }

  // Mean outputs of a core's tile (tiles at the edge are smaller), with `sum` steps of k each.
  struct Outputs {
    double rows = 1.0;
    double columns = 1.0;
    double sum = 1.0;
  };

  // Lower bound on reads from `level` (1 or above) for the level inside, for any tiling. With s x s
  // the largest square that fits the level inside, each of D x A tiles has N >= r c / s^2 parts,
  // and D r >= m, A c >= n, so that
  //   left across + right down >= 2 sqrt(left right N) = 2 k sqrt(m A n D N) >= 2 m n k / s
  [[nodiscard]] double min_reads(std::size_t level, double macs, double element) const;

  // Lower bound on accesses to the innermost level: reuse in the matrix units is at most that of
  // the uncut tile.
  [[nodiscard]] double min_unit_accesses(const Outputs& outputs, double macs) const {
    return macs * unit_->accesses_per_mac(outputs.rows, outputs.columns, outputs.sum);
  }

  using Elements = std::array<double, chip::kMaxLevels>;  // by level

  // Elements read and written per level for `macs` MACs. If `max_elements` is given and a level (1
  // or above) exceeds it, that level gets infinity, and levels further inside are skipped.
  [[nodiscard]] Elements elements(const CutTile& tile,
                                  const Outputs& outputs,
                                  double macs,
                                  double element,
                                  const Elements* max_elements = nullptr) const;

 private:
  struct Inside {
    double parts = 1.0;     // instances of the level inside per instance of this level
    double capacity = 0.0;  // of one instance of the level inside
  };

  const MatrixUnit* unit_;
  std::size_t count_ = 0;
  std::array<Inside, chip::kMaxLevels> inside_{};  // by level, from 1
};

}  // namespace cairn::kernel
