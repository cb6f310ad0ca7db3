// How a tensor lies on the devices of a stage: along each axis of the mesh it is cut in some way,
// or not.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

enum class Split : std::uint8_t {
  kWhole,    // every device along the axis has the same
  kRows,     // its samples; of a weight, its inputs
  kColumns,  // its channels; of a weight, its outputs
  kSteps,    // its steps of all samples
  kPartial,  // numbers whose sum along the axis is the value
};

inline constexpr std::size_t kAxesOfStage = 3;  // all but Axis::kStage

// By axis.
class Layout {
 public:
  constexpr Split& operator[](Axis axis) { return splits_[static_cast<std::size_t>(axis)]; }

  constexpr Split operator[](Axis axis) const { return splits_[static_cast<std::size_t>(axis)]; }

  constexpr bool operator==(const Layout&) const = default;

 private:
  std::array<Split, kAxesOfStage> splits_{};
};

inline constexpr std::array<Axis, kAxesOfStage> kStageAxes{
    Axis::kKernel1, Axis::kKernel2, Axis::kData};

// The layout, whole along axes that have one device only.
constexpr Layout normal(Layout layout, const Mesh& mesh) {
  for (const Axis axis : kStageAxes) {
    if (mesh.size(axis) == 1) {
      layout[axis] = Split::kWhole;
    }
  }
  return layout;
}

// The axes along which the layout is `split`.
constexpr Axes axes_with(const Layout& layout, Split split) {
  Axes axes;
  for (const Axis axis : kStageAxes) {
    if (layout[axis] == split) {
      axes.add(axis);
    }
  }
  return axes;
}

}  // namespace cairn::plan
