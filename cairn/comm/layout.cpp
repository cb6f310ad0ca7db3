#include "cairn/comm/layout.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::comm {

namespace {

bool is_whole(const platform::Platform& platform, const std::vector<std::uint32_t>& group) {
  if (group.empty()) {
    return true;
  }
  if (group.size() != platform.device_count()) {
    return false;
  }
  for (std::uint32_t i = 0; i < group.size(); ++i) {
    if (group[i] != i) {
      return false;
    }
  }
  return true;
}

// The number of the group's coordinates along each dimension of the platform.
std::vector<std::uint32_t> widths_of(const platform::Platform& platform,
                                     const std::vector<std::uint32_t>& members) {
  std::vector<std::uint32_t> widths;
  std::uint32_t stride = 1;
  for (const std::uint32_t dim : platform.dims) {
    std::vector<bool> seen(dim, false);
    std::uint32_t width = 0;
    for (const std::uint32_t rank : members) {
      const std::uint32_t coordinate = rank / stride % dim;
      width += seen[coordinate] ? 0U : 1U;
      seen[coordinate] = true;
    }
    widths.push_back(width);
    stride *= dim;
  }
  return widths;
}

// The grid of which `members` are all combinations of coordinates, in rank order; otherwise empty.
std::vector<GridDimension> find_grid(const platform::Platform& platform,
                                     const std::vector<std::uint32_t>& members) {
  const std::vector<std::uint32_t> widths = widths_of(platform, members);
  std::vector<GridDimension> grid;
  std::size_t product = 1;
  for (std::size_t d = 0; d < widths.size(); ++d) {
    product *= widths[d];
    if (widths[d] > 1) {
      grid.push_back(
          {.width = widths[d], .platform_dim = d, .complete = widths[d] == platform.dims[d]});
    }
  }
  const bool is_grid = product == members.size() && std::ranges::is_sorted(members);
  return is_grid ? grid : std::vector<GridDimension>{};
}

}  // namespace

std::uint32_t GroupLayout::along(std::uint32_t position,
                                 std::size_t dim,
                                 std::uint32_t offset) const {
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dim; ++d) {
    stride *= grid[d].width;
  }
  const std::uint32_t width = grid[dim].width;
  const std::uint32_t coordinate = position / stride % width;
  const std::uint32_t next = (coordinate + offset) % width;
  return position - coordinate * stride + next * stride;
}

std::uint32_t GroupLayout::shifted(std::uint32_t position, std::uint32_t displacement) const {
  std::uint32_t result = 0;
  std::uint32_t stride = 1;
  for (const GridDimension& dimension : grid) {
    const std::uint32_t coordinate = position / stride % dimension.width;
    const std::uint32_t offset = displacement / stride % dimension.width;
    result += (coordinate + offset) % dimension.width * stride;
    stride *= dimension.width;
  }
  return result;
}

GroupLayout make_group_layout(const platform::Platform& platform,
                              const std::vector<std::uint32_t>& group) {
  GroupLayout layout{.platform = &platform};
  layout.whole = is_whole(platform, group);
  if (layout.whole) {
    layout.positions = platform.device_count();
    layout.is_grid = true;
    for (std::size_t d = 0; d < platform.dims.size(); ++d) {
      if (platform.dims[d] > 1) {
        layout.grid.push_back({.width = platform.dims[d], .platform_dim = d, .complete = true});
      }
    }
    return layout;
  }
  layout.members = group;
  layout.positions = static_cast<std::uint32_t>(group.size());
  layout.grid = find_grid(platform, group);
  layout.is_grid = !layout.grid.empty();
  if (!layout.is_grid) {
    layout.grid = {{.width = layout.positions}};
  }
  return layout;
}

}  // namespace cairn::comm
