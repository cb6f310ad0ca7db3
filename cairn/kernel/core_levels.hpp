// Traffic of the memories inside a core.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/matrix_unit.hpp"

namespace cairn::kernel {

// Sums of this many products are formed at a time from slices of both operands, twice over: one is
// filled while the other is used.
inline constexpr double kSliceSteps = 16.0;

// Sums are wider than their operands.
inline constexpr double kAccumulatorBytes = 4.0;

// The most columns of a tile of so many rows whose sums, and the slices of whose operands, fit:
//   4 r c + 2 (r + c) 16 e <= capacity
// 0 if not even one does, but a single output always does.
double widest_that_fits(double rows, double element, double capacity);

// The side of a square with at least as many outputs as any rectangle that fits:
//   4 s^2 + 2 (s + s) 16 e = capacity
double square_that_fits(double element, double capacity);

// A tile of outputs, and the elements of both operands that are read for all tiles like it.
struct CutTile {
  double rows = 1.0;
  double columns = 1.0;
  double left = 0.0;
  double right = 0.0;
};

// Into so many parts, as equal as can be.
struct Cut {
  double down = 1.0;
  double across = 1.0;
};

// The cut of a tile with the fewest reads, left * across + right * down elements, whose parts fit
// and are at least `parts` (or single outputs). None if all read more than `most`.
std::optional<Cut> best_cut(const CutTile& tile,
                            double parts,
                            double element,
                            double capacity,
                            double most = std::numeric_limits<double>::infinity());

// A level's tile is cut again for the level inside it, by best_cut with as many parts as there are
// of that level, from the outermost inwards. What is read from a level fills the one inside; the
// innermost is read by the matrix units (Eq. 5).
class CoreLevels {
 public:
  CoreLevels(const chip::Device& device, const MatrixUnit& unit);

  // How many of the device's levels are inside its cores: the first so many.
  [[nodiscard]] std::size_t count() const { return count_; }

  // Outputs of a core's tile on average, for some tiles are cut off by the edge; each is the sum of
  // so many products.
  struct Outputs {
    double rows = 1.0;
    double columns = 1.0;
    double sum = 1.0;
  };

  // What one of them, from the second, reads at least for the one inside it, whatever the tiles.
  // Of s x s outputs, the most that fit the level inside, N = r c / s^2 parts or more make up each
  // of D x A tiles, and D r >= m, A c >= n, so that
  //   left across + right down >= 2 sqrt(left right N) = 2 k sqrt(m A n D N) >= 2 m n k / s
  [[nodiscard]] double fewest_read(std::size_t level, double macs, double element) const;

  // What the innermost moves at least: matrix units use what they hold no more often than if the
  // tile were not cut.
  [[nodiscard]] double fewest_by_units(const Outputs& outputs, double macs) const {
    return macs * unit_->accesses_per_mac(outputs.rows, outputs.columns, outputs.sum);
  }

  using Elements = std::array<double, chip::kMostLevels>;  // by level

  // Elements that each of them reads and writes for all of `macs` products. Where `most` is given
  // and a level, from the second, has to move more, it moves infinitely many, and what is further
  // inside is not looked at.
  [[nodiscard]] Elements elements(const CutTile& tile,
                                  const Outputs& outputs,
                                  double macs,
                                  double element,
                                  const Elements* most = nullptr) const;

 private:
  struct Inside {
    double parts = 1.0;     // of the level inside, for one of this
    double capacity = 0.0;  // of one part
  };

  const MatrixUnit* unit_;
  std::size_t count_ = 0;
  std::array<Inside, chip::kMostLevels> inside_{};  // by level, from 1
};

}  // namespace cairn::kernel
