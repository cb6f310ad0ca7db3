#include "cairn/platform/cycle_product.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::platform {

namespace {

using Halves = std::pair<TwoFactor, TwoFactor>;

// The helix with `down` turns downwards, and the remaining edges.
Halves helix(const Cycle& cycle, const Cycle& circle, std::size_t down, std::size_t size) {
  Halves halves{TwoFactor(size), TwoFactor(size)};
  auto& [walk, rest] = halves;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t here = cycle[i];
    const std::uint32_t next = cycle[(i + 1) % cycle.size()];
    const std::size_t one_on = i < down ? circle.size() - 1 : 1;
    std::size_t place = begin;
    for (std::size_t step = 1; step < circle.size(); ++step) {
      const std::size_t after = (place + one_on) % circle.size();
      walk.join(here + circle[place], here + circle[after]);
      rest.join(here + circle[place], next + circle[place]);
      place = after;
    }
    walk.join(here + circle[place], next + circle[place]);
    rest.join(here + circle[place], here + circle[begin]);
    begin = place;
  }
  return halves;
}

std::optional<std::vector<Cycle>> split_by_helix(const Cycle& cycle,
                                                 const Cycle& circle,
                                                 std::size_t size) {
  const std::uint32_t first = cycle.front() + circle.front();
  for (std::size_t down = 0; 2 * down <= cycle.size(); ++down) {
    if ((cycle.size() - 2 * down) % circle.size() == 0) {
      const auto [walk, rest] = helix(cycle, circle, down, size);
      Cycle left = rest.cycle_through(first);
      if (left.size() == cycle.size() * circle.size()) {
        return std::vector{walk.cycle_through(first), std::move(left)};
      }
    }
  }
  return std::nullopt;
}

// Edge (column, column + 1) of every row, with edge (row, row + 1) of every column.
struct Square {
  std::size_t column = 0;
  std::size_t row = 0;
};

// Precondition: one is even and at least four, the other odd and at least three.
std::vector<Square> staircase(std::size_t columns, std::size_t rows) {
  const bool even_columns = columns % 2 == 0;
  const std::size_t k = even_columns ? std::min(rows, columns - 1) : std::min(columns, rows - 1);
  std::vector<Square> squares;
  squares.reserve(columns + rows);
  for (std::size_t i = 0; i < k; ++i) {
    squares.push_back({i, i});
  }
  for (std::size_t more = 1; more + k + (even_columns ? 1 : 0) <= columns; ++more) {
    squares.push_back({k - 1 + more, k - 1 - more % 2});
  }
  for (std::size_t more = 1; more + k + (even_columns ? 0 : 1) <= rows; ++more) {
    squares.push_back({k - 1 - more % 2, k - 1 + more});
  }
  return squares;
}

std::vector<Cycle> split_by_staircase(const Cycle& cycle, const Cycle& circle, std::size_t size) {
  TwoFactor rows(size);
  TwoFactor columns(size);
  for (const std::uint32_t offset : circle) {
    rows.add(cycle, offset);
  }
  for (const std::uint32_t offset : cycle) {
    columns.add(circle, offset);
  }
  for (const Square& square : staircase(cycle.size(), circle.size())) {
    const std::uint32_t left = cycle[square.column];
    const std::uint32_t right = cycle[(square.column + 1) % cycle.size()];
    const std::uint32_t low = circle[square.row];
    const std::uint32_t high = circle[(square.row + 1) % circle.size()];
    rows.replace(left + low, right + low, left + high, right + high);
    columns.replace(left + low, left + high, right + low, right + high);
  }
  const std::uint32_t first = cycle.front() + circle.front();
  return {rows.cycle_through(first), columns.cycle_through(first)};
}

}  // namespace

std::vector<Cycle> split_product(const Cycle& cycle, std::uint32_t width, std::uint32_t stride) {
  Cycle circle;
  for (std::uint32_t j = 0; j < width; ++j) {
    circle.push_back(j * stride);
  }
  const std::size_t size = std::ranges::max(cycle) + std::size_t{circle.back()} + 1;
  const std::size_t shorter = std::min(cycle.size(), circle.size());
  if (cycle.size() % 2 != circle.size() % 2) {
    return shorter == 2 ? std::vector<Cycle>() : split_by_staircase(cycle, circle, size);
  }
  auto halves = split_by_helix(cycle, circle, size);
  if (!halves) {
    halves = split_by_helix(circle, cycle, size);
  }
  return halves ? *halves : std::vector<Cycle>();
}

}  // namespace cairn::platform
