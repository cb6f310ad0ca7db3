#include "cairn/platform/torus_cycles.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/platform/cycle_product.hpp"

namespace cairn::platform {

namespace {

constexpr std::size_t kMaxWork = 4'000'000;  // devices times orders of axes

// A cycle in which a section can be reversed.
class Tour {
 public:
  explicit Tour(Cycle cycle)
      : order_(std::move(cycle)), place_(std::ranges::max(order_) + std::size_t{1}) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      place_[order_[i]] = i;
    }
  }

  // Number of vertices that move when the edges a-b and c-d are replaced by a-c and b-d. Nullopt if
  // one of them is missing, or if they run in opposite directions, which would leave two cycles.
  [[nodiscard]] std::optional<std::uint32_t> cost_of_replacing(std::uint32_t a,
                                                               std::uint32_t b,
                                                               std::uint32_t c,
                                                               std::uint32_t d) const {
    if (steps(a, b) == 1 && steps(c, d) == 1) {
      return std::min(steps(b, c) + 1, steps(d, a) + 1);
    }
    if (steps(b, a) == 1 && steps(d, c) == 1) {
      return cost_of_replacing(b, a, d, c);
    }
    return std::nullopt;
  }

  // Precondition: cost_of_replacing(a, b, c, d).
  void replace(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    if (steps(a, b) != 1) {
      std::swap(a, b);
      std::swap(c, d);
    }
    // ... a b ... c d ... becomes ... a c ... b d ...
    if (steps(b, c) <= steps(d, a)) {
      turn_round(b, c);
    } else {
      turn_round(d, a);
    }
  }

  [[nodiscard]] Cycle take() && { return std::move(order_); }

 private:
  [[nodiscard]] std::uint32_t steps(std::uint32_t from, std::uint32_t to) const {
    const auto size = static_cast<std::uint32_t>(order_.size());
    return place_[to] - place_[from] + (place_[to] < place_[from] ? size : 0);
  }

  void turn_round(std::uint32_t first, std::uint32_t last) {
    const auto size = static_cast<std::uint32_t>(order_.size());
    std::uint32_t low = place_[first];
    std::uint32_t high = place_[last];
    for (std::uint32_t swaps = (steps(first, last) + 1) / 2; swaps > 0; --swaps) {
      std::swap(order_[low], order_[high]);
      place_[order_[low]] = low;
      place_[order_[high]] = high;
      low = low + 1 == size ? 0 : low + 1;
      high = high == 0 ? size - 1 : high - 1;
    }
  }

  Cycle order_;
  std::vector<std::uint32_t> place_;  // position of each vertex in the order
};

// A square between two copies of a cycle: its edge v-w in both, and the tour that has the edges
// between them.
struct Joint {
  Tour* tour = nullptr;
  std::uint32_t cost = 0;
  std::uint32_t v = 0;
  std::uint32_t w = 0;
};

// The cheapest joint between the copies of `cycle` at the offsets `low` and `high`.
std::optional<Joint> find_joint(const Cycle& cycle,
                                const TwoFactor& copies,
                                std::uint32_t low,
                                std::uint32_t high,
                                std::vector<Tour>& tours) {
  std::optional<Joint> best;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t v = cycle[i];
    const std::uint32_t w = cycle[(i + 1) % cycle.size()];
    if (!copies.joins(v + low, w + low) || !copies.joins(v + high, w + high)) {
      continue;
    }
    for (Tour& tour : tours) {
      const auto cost = tour.cost_of_replacing(v + low, v + high, w + low, w + high);
      if (cost && (!best || *cost < best->cost)) {
        best = {&tour, *cost, v, w};
      }
    }
  }
  return best;
}

// Merges the copies of `cycle`, one per position on the axis, into one cycle. Changes `tours`,
// which stay Hamiltonian; nullopt where two of the copies cannot be merged.
std::optional<Cycle> join_copies(const Cycle& cycle, Axis axis, std::vector<Tour>& tours) {
  TwoFactor copies(std::ranges::max(cycle) + std::size_t{axis.width - 1} * axis.stride + 1);
  for (std::uint32_t j = 0; j < axis.width; ++j) {
    copies.add(cycle, j * axis.stride);
  }
  std::vector<Tour> changed = tours;
  const auto join = [&](std::uint32_t low) {
    const std::uint32_t high = low + axis.stride;
    const auto joint = find_joint(cycle, copies, low, high, changed);
    if (joint) {
      const auto& [tour, cost, v, w] = *joint;
      tour->replace(v + low, v + high, w + low, w + high);
      copies.replace(v + low, w + low, v + high, w + high);
    }
    return joint.has_value();
  };
  std::vector<std::uint32_t> apart;  // one joint may enable others
  for (std::uint32_t j = 0; j + 1 < axis.width; ++j) {
    apart.push_back(j * axis.stride);
  }
  while (!apart.empty()) {
    if (std::erase_if(apart, join) == 0) {
      return std::nullopt;
    }
  }
  tours = std::move(changed);
  return copies.cycle_through(cycle.front());
}

// For products that cannot be split: two copies of each cycle, opened at vertices with a free cable
// to the other copy, and merged there.
std::vector<Cycle> join_pairs(const std::vector<Cycle>& cycles, std::uint32_t stride) {
  std::vector<std::uint32_t> free(std::ranges::max(cycles.front()) + std::size_t{1}, 2);
  std::vector<Cycle> joined;
  for (Cycle cycle : cycles) {
    const auto cut = std::ranges::adjacent_find(
        cycle, [&](std::uint32_t v, std::uint32_t w) { return free[v] > 0 && free[w] > 0; });
    if (cut == cycle.end()) {
      continue;
    }
    std::ranges::rotate(cycle, cut + 1);
    --free[cycle.front()];
    --free[cycle.back()];
    const std::size_t length = cycle.size();
    for (std::size_t i = length; i > 0; --i) {
      cycle.push_back(cycle[i - 1] + stride);
    }
    joined.push_back(std::move(cycle));
  }
  return joined;
}

std::vector<Cycle> with_axis(const std::vector<Cycle>& cycles, Axis axis) {
  std::vector<Tour> tours;
  for (Cycle& half : split_product(cycles.front(), axis.width, axis.stride)) {
    tours.emplace_back(std::move(half));
  }
  if (tours.empty()) {
    return join_pairs(cycles, axis.stride);
  }
  for (std::size_t c = 1; c < cycles.size(); ++c) {
    if (auto cycle = join_copies(cycles[c], axis, tours)) {
      tours.emplace_back(std::move(*cycle));
    }
  }
  std::vector<Cycle> joined;
  joined.reserve(tours.size());
  for (Tour& tour : tours) {
    joined.push_back(std::move(tour).take());
  }
  return joined;
}

std::vector<Cycle> cycles_in_order(std::vector<Axis> order) {
  if (order.size() > 1 && order[0].width < order[1].width) {
    std::swap(order[0], order[1]);  // puts a width of two second
  }
  std::vector<Cycle> cycles(1);
  for (std::uint32_t c = 0; c < order.front().width; ++c) {
    cycles.front().push_back(c * order.front().stride);
  }
  for (const Axis axis : std::span(order).subspan(1)) {
    cycles = with_axis(cycles, axis);
  }
  return cycles;
}

}  // namespace

std::vector<Cycle> cycles_of_torus(std::span<const Axis> axes) {
  // Start with the narrowest axis last: it has the fewest copies to merge.
  const auto wider = [](Axis a, Axis b) {
    return std::pair(b.width, b.stride) < std::pair(a.width, a.stride);
  };
  std::vector<Axis> order(axes.begin(), axes.end());
  std::ranges::sort(order, wider);
  std::vector<Cycle> best;
  std::size_t work = 0;
  do {
    if (auto cycles = cycles_in_order(order); cycles.size() > best.size()) {
      best = std::move(cycles);
    }
    work += best.front().size();
  } while (best.size() < axes.size() && work < kMaxWork &&
           std::ranges::next_permutation(order, wider).found);
  return best;
}

}  // namespace cairn::platform
