#include "cairn/sim/holding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::sim {

void Holding::add(const Resource& resource) {
  pools_.push_back({.capacity = resource.capacity,
                    .free = resource.capacity,
                    .order = resource.order,
                    .queue = {}});
}

void Holding::request(std::uint32_t slot,
                      const Activity& activity,
                      std::span<const Hold> holds,
                      SimTime now) {
  std::uint32_t index = 0;
  if (free_requests_.empty()) {
    index = static_cast<std::uint32_t>(requests_.size());
    requests_.emplace_back();
  } else {
    index = free_requests_.back();
    free_requests_.pop_back();
  }
  Request& request = requests_[index];
  request.slot = slot;
  request.tag = activity.tag;
  request.arrival = ++arrivals_;
  request.holds.assign(holds.begin(), holds.end());
  request.places.clear();
  for (const Hold& hold : holds) {
    Pool& pool = pools_[hold.resource.index()];
    const std::int64_t time = now.picoseconds();
    Place place{.first = time,
                .second = 0,
                .activity_class = activity.activity_class,
                .rank = activity.rank,
                .arrival = request.arrival,
                .request = index};
    switch (pool.order) {
      case GrantOrder::kFirstIn:
        break;
      case GrantOrder::kLastIn:
        place.first = -time;
        break;
      case GrantOrder::kPriority:
        place.first = -std::int64_t{activity.priority};
        place.second = time;
        break;
    }
    request.places.push_back(place);
    pool.queue.insert(place);
    mark_changed(hold.resource.value);
  }
  waiting_.emplace(request.arrival, index);
}

void Holding::release(std::span<const Hold> holds) {
  for (const Hold& hold : holds) {
    Pool& pool = pools_[hold.resource.index()];
    // Clamped: sums of amounts that are not exact binary fractions must not leave a residue.
    pool.free = std::min(pool.capacity, pool.free + hold.amount * hold.count);
    mark_changed(hold.resource.value);
  }
}

void Holding::grant(std::vector<std::uint32_t>& granted) {
  while (!changed_.empty()) {
    const std::uint32_t resource = changed_.back();
    changed_.pop_back();
    Pool& pool = pools_[resource];
    pool.changed = false;
    while (!pool.queue.empty()) {
      const std::uint32_t index = pool.queue.begin()->request;
      Request& request = requests_[index];
      if (!can_grant(request)) {
        break;
      }
      take(request);
      granted.push_back(request.slot);
      waiting_.erase({request.arrival, index});
      free_requests_.push_back(index);
    }
  }
}

bool Holding::can_grant(const Request& request) const {
  for (std::size_t i = 0; i < request.holds.size(); ++i) {
    const Hold& hold = request.holds[i];
    const Pool& pool = pools_[hold.resource.index()];
    const double slack = pool.capacity * 1e-12;
    if (*pool.queue.begin() != request.places[i] || pool.free + slack < hold.amount * hold.count) {
      return false;
    }
  }
  return true;
}

void Holding::take(const Request& request) {
  for (std::size_t i = 0; i < request.holds.size(); ++i) {
    const Hold& hold = request.holds[i];
    Pool& pool = pools_[hold.resource.index()];
    pool.queue.erase(request.places[i]);
    pool.free = std::max(0.0, pool.free - hold.amount * hold.count);
    pool.peak = std::max(pool.peak, pool.capacity - pool.free);
    mark_changed(hold.resource.value);  // the next in the queue may now be first everywhere
  }
}

void Holding::mark_changed(std::uint32_t resource) {
  if (!pools_[resource].changed) {
    pools_[resource].changed = true;
    changed_.push_back(resource);
  }
}

std::string Holding::describe(std::span<const Resource> resources) const {
  constexpr std::size_t kMax = 8;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [arrival, index] : waiting_) {
    if (shown++ == kMax) {
      text += fmt::format("\n  and {} more", waiting_.size() - kMax);
      break;
    }
    const Request& request = requests_[index];
    text += fmt::format("\n  activity {:#x} waits for", request.tag);
    for (std::size_t i = 0; i < request.holds.size(); ++i) {
      const Hold& hold = request.holds[i];
      const Pool& pool = pools_[hold.resource.index()];
      text += fmt::format("{} {:g} of {} ({:g} of {:g} free{})",
                          i == 0 ? "" : ",",
                          hold.amount * hold.count,
                          resources[hold.resource.index()].name,
                          pool.free,
                          pool.capacity,
                          *pool.queue.begin() == request.places[i] ? "" : ", not first in line");
    }
  }
  return text;
}

}  // namespace cairn::sim
