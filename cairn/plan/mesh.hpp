// The shards of a strategy as a grid: a list of axes, each of which partitions one dimension of
// training.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/base/schema.hpp"

namespace cairn::plan {

enum class Axis : std::uint8_t {
  kTensor,         // tensor parallelism: shards of each GEMM, KP1 of DeepFlow
  kTensorColumns,  // second dimension of each GEMM (row_column only), KP2 of DeepFlow
  kData,           // data parallelism: replicas of the model
  kPipeline,       // pipeline stages
};

// The axes within a stage. A tensor is split, whole or partial along each (layout.hpp).
inline constexpr std::array kStageAxes{Axis::kTensor, Axis::kTensorColumns, Axis::kData};

inline constexpr std::array kAllAxes{
    Axis::kTensor, Axis::kTensorColumns, Axis::kData, Axis::kPipeline};

// A set of axes; a collective over it runs among shards that differ along these axes only.
class Axes {
 public:
  constexpr Axes() = default;

  constexpr Axes(Axis axis) : bits_(bit(axis)) {}  // NOLINT(google-explicit-constructor)

  constexpr void add(Axis axis) { bits_ = static_cast<std::uint8_t>(bits_ | bit(axis)); }

  [[nodiscard]] constexpr bool has(Axis axis) const { return (bits_ & bit(axis)) != 0; }

  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

  constexpr auto operator<=>(const Axes&) const = default;

 private:
  static constexpr std::uint8_t bit(Axis axis) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(axis));
  }

  std::uint8_t bits_ = 0;
};

inline constexpr Axes kWholeStage = [] {
  Axes axes;
  for (const Axis axis : kStageAxes) {
    axes.add(axis);
  }
  return axes;
}();

struct MeshAxis {
  Axis axis{};
  std::uint32_t size = 1;

  bool operator==(const MeshAxis&) const = default;
};

// Shards are numbered along the axes in their order: shard = c0 + size0 (c1 + size1 (c2 + ...)).
// The pipeline is last, so that the shards of a stage are consecutive. Meshes with other axes may
// cover the same shards.
class Mesh {
 public:
  Mesh() = default;

  // Axes of size 1 need not be listed. Throws Bug if an axis is listed twice or after the pipeline.
  Mesh(std::initializer_list<MeshAxis> axes);
  explicit Mesh(std::span<const MeshAxis> axes);

  // Those of a size above 1.
  [[nodiscard]] const std::vector<MeshAxis>& axes() const { return axes_; }

  [[nodiscard]] std::uint32_t size(Axis axis) const;

  [[nodiscard]] std::uint32_t shards() const;

  [[nodiscard]] std::uint32_t stages() const { return size(Axis::kPipeline); }

  [[nodiscard]] std::uint32_t shards_of_stage() const { return shards() / stages(); }

  // Distance in shards between neighbours along the axis.
  [[nodiscard]] std::uint32_t stride(Axis axis) const;

  [[nodiscard]] std::uint32_t coordinate(std::uint32_t shard, Axis axis) const {
    return shard / stride(axis) % size(axis);
  }

  // Members of a collective over these axes.
  [[nodiscard]] std::uint32_t group_size(Axes axes) const;

  // The groups of a stage; members in the order of their coordinates.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups(Axes axes,
                                                               std::uint32_t stage) const;

  bool operator==(const Mesh&) const = default;

 private:
  std::vector<MeshAxis> axes_{};
};

}  // namespace cairn::plan

// Names of the axes in `order` and in messages.
template <>
struct cairn::EnumNames<cairn::plan::Axis> {
  using E = cairn::plan::Axis;
  static constexpr std::array<EnumName<E>, 4> kNames{{{E::kTensor, "tensor_rows"},
                                                      {E::kTensorColumns, "tensor_columns"},
                                                      {E::kData, "data"},
                                                      {E::kPipeline, "pipeline"}}};
};
