#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

std::uint32_t Mesh::stride(Axis axis) const {
  std::uint32_t stride = 1;
  for (std::size_t a = 0; a < static_cast<std::size_t>(axis); ++a) {
    stride *= sizes[a];
  }
  return stride;
}

std::uint32_t Mesh::group_size(Axes axes) const {
  std::uint32_t members = 1;
  for (std::size_t a = 0; a < kAxes; ++a) {
    members *= axes.has(static_cast<Axis>(a)) ? sizes[a] : 1;
  }
  return members;
}

std::vector<std::vector<std::uint32_t>> Mesh::groups(Axes axes, std::uint32_t stage) const {
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of_first(shards(), 0);
  const std::uint32_t begin = stage * stride(Axis::kStage);
  for (std::uint32_t shard = begin; shard < begin + shards_of_stage(); ++shard) {
    std::uint32_t first = shard;  // the member with coordinate 0 along every axis of the group
    for (std::size_t a = 0; a < kAxes; ++a) {
      const auto axis = static_cast<Axis>(a);
      if (axes.has(axis) && axis != Axis::kStage) {
        first -= coordinate(shard, axis) * stride(axis);
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
