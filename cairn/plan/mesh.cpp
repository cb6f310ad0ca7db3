#include "cairn/plan/mesh.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::plan {

Mesh::Mesh(std::initializer_list<MeshAxis> axes)
    : Mesh(std::span<const MeshAxis>(axes.begin(), axes.size())) {}

Mesh::Mesh(std::span<const MeshAxis> axes) {
  for (const MeshAxis& each : axes) {
    ensure(size(each.axis) == 1, "an axis is listed twice");
    ensure(each.size == 1 || stages() == 1, "an axis after the pipeline");
    if (each.size > 1) {
      axes_.push_back(each);
    }
  }
}

std::uint32_t Mesh::size(Axis axis) const {
  const auto found = std::ranges::find(axes_, axis, &MeshAxis::axis);
  return found == axes_.end() ? 1 : found->size;
}

std::uint32_t Mesh::shards() const {
  std::uint32_t shards = 1;
  for (const MeshAxis& each : axes_) {
    shards *= each.size;
  }
  return shards;
}

std::uint32_t Mesh::stride(Axis axis) const {
  std::uint32_t stride = 1;
  for (const MeshAxis& each : axes_) {
    if (each.axis == axis) {
      break;
    }
    stride *= each.size;
  }
  return stride;
}

std::uint32_t Mesh::group_size(Axes axes) const {
  std::uint32_t members = 1;
  for (const MeshAxis& each : axes_) {
    members *= axes.has(each.axis) ? each.size : 1;
  }
  return members;
}

std::vector<std::vector<std::uint32_t>> Mesh::groups(Axes axes, std::uint32_t stage) const {
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of_first(shards(), 0);
  const std::uint32_t begin = stage * shards_of_stage();
  for (std::uint32_t shard = begin; shard < begin + shards_of_stage(); ++shard) {
    std::uint32_t first = shard;  // the member with coordinate 0 along every axis of the group
    for (const MeshAxis& each : axes_) {
      if (axes.has(each.axis) && each.axis != Axis::kPipeline) {
        first -= coordinate(shard, each.axis) * stride(each.axis);
      }
    }
    if (first == shard) {
      group_of_first[first] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group_of_first[first]].push_back(shard);
  }
  return groups;
}

}  // namespace cairn::plan
