// How a tensor is sharded across the devices of a stage: along each axis of the mesh it is split,
// replicated or partial.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

enum class Split : std::uint8_t {
  kWhole,    // replicated
  kRows,     // split by samples; a weight, by inputs
  kColumns,  // split by channels; a weight, by outputs
  kSteps,    // split by sequence positions
  kPartial,  // partial sums: the value is the sum along the axis
};

// The split along each axis.
class TensorLayout {
 public:
  constexpr Split& operator[](Axis axis) { return splits_[static_cast<std::size_t>(axis)]; }

  constexpr Split operator[](Axis axis) const { return splits_[static_cast<std::size_t>(axis)]; }

  constexpr bool operator==(const TensorLayout&) const = default;

 private:
  std::array<Split, kStageAxes.size()> splits_{};
};

// The layout, whole along axes of size 1.
inline TensorLayout normal(TensorLayout layout, const Mesh& mesh) {
  for (const Axis axis : kStageAxes) {
    if (mesh.size(axis) == 1) {
      layout[axis] = Split::kWhole;
    }
  }
  return layout;
}

// The axes along which the layout is `split`.
constexpr Axes axes_with(const TensorLayout& layout, Split split) {
  Axes axes;
  for (const Axis axis : kStageAxes) {
    if (layout[axis] == split) {
      axes.add(axis);
    }
  }
  return axes;
}

}  // namespace cairn::plan
