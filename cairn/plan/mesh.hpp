// The shards of a strategy as a grid; each axis partitions one dimension of training.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/base/schema.hpp"

namespace cairn::plan {

enum class Axis : std::uint8_t {
  kTensor,         // tensor parallelism: shards of each GEMM, KP1 of DeepFlow
  kTensorColumns,  // second dimension of each GEMM (row_column only), KP2 of DeepFlow
  kData,           // data parallelism: replicas of the model
  kStage,          // pipeline stages
};

inline constexpr std::size_t kAxes = 4;

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

// All axes but the stages.
inline constexpr Axes kWholeStage = [] {
  Axes axes;
  for (const Axis axis : {Axis::kTensor, Axis::kTensorColumns, Axis::kData}) {
    axes.add(axis);
  }
  return axes;
}();

// shard = c0 + size0 (c1 + size1 (c2 + size2 c3)), coordinates in the order of Axis. The shards of
// a stage are consecutive.
struct Mesh {
  std::array<std::uint32_t, kAxes> sizes{1, 1, 1, 1};

  // A mesh with one axis of the given size.
  static Mesh along(Axis axis, std::uint32_t size) {
    Mesh mesh;
    mesh.sizes[static_cast<std::size_t>(axis)] = size;
    return mesh;
  }

  [[nodiscard]] constexpr std::uint32_t size(Axis axis) const {
    return sizes[static_cast<std::size_t>(axis)];
  }

  [[nodiscard]] std::uint32_t shards() const { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }

  [[nodiscard]] std::uint32_t stages() const { return size(Axis::kStage); }

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
};

}  // namespace cairn::plan

// Names of the axes in `order` and in messages.
template <>
struct cairn::EnumNames<cairn::plan::Axis> {
  using E = cairn::plan::Axis;
  static constexpr std::array<EnumName<E>, 4> kNames{{{E::kTensor, "tensor_rows"},
                                                      {E::kTensorColumns, "tensor_columns"},
                                                      {E::kData, "data"},
                                                      {E::kStage, "pipeline"}}};
};
