#include "cairn/platform/two_factor.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::platform {

void TwoFactor::join(std::uint32_t a, std::uint32_t b) {
  exchange(a, kNone, b);
  exchange(b, kNone, a);
}

void TwoFactor::add(const Cycle& cycle, std::uint32_t offset) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    join(cycle[i] + offset, cycle[(i + 1) % cycle.size()] + offset);
  }
}

void TwoFactor::replace(std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
  exchange(p, q, r);
  exchange(q, p, s);
  exchange(r, s, p);
  exchange(s, r, q);
}

void TwoFactor::exchange(std::uint32_t at,
                         std::uint32_t old_neighbour,
                         std::uint32_t new_neighbour) {
  const auto found = std::ranges::find(neighbours_[at], old_neighbour);
  ensure(found != neighbours_[at].end(), "the edge to replace does not exist");
  *found = new_neighbour;
}

Cycle TwoFactor::cycle_through(std::uint32_t first) const {
  Cycle cycle{first};
  std::uint32_t before = first;
  std::uint32_t here = neighbours_[first][1];
  while (here != first) {
    cycle.push_back(here);
    const auto [a, b] = neighbours_[here];
    const std::uint32_t next = a == before ? b : a;
    before = here;
    here = next;
  }
  return cycle;
}

}  // namespace cairn::platform
