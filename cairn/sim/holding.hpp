// Holding: activities that need amounts of held resources wait until all of them can be granted at
// once, in each resource's order. An activity is granted when it is first in the queue of every
// resource it holds and each has enough free; until then nothing behind it overtakes.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/law.hpp"

namespace cairn::sim {

class Holding {
 public:
  // Every resource is registered, shared ones too, so that resource ids are indices here.
  void add(const Resource& resource);

  // `slot` asks for `holds` (not empty) at time `now`.
  void request(std::uint32_t slot,
               const Activity& activity,
               std::span<const Hold> holds,
               SimTime now);

  void release(std::span<const Hold> holds);

  // Grants what can be granted, in order, and appends the slots to `granted`. Requests made at one
  // instant must all be in before the first call at that instant: ties go by class, then rank.
  void grant(std::vector<std::uint32_t>& granted);

  [[nodiscard]] bool anyone_waits() const { return !waiting_.empty(); }

  [[nodiscard]] double peak(Id<Resource> resource) const { return pools_[resource.index()].peak; }

  // One line per waiting activity: what it waits for, how much is free, and whether it is first.
  [[nodiscard]] std::string describe(std::span<const Resource> resources) const;

 private:
  // Position in a resource's queue; smaller is served first.
  struct Place {
    std::int64_t first;   // by the resource's order: time, minus time, or minus priority
    std::int64_t second;  // time, under priority
    std::uint32_t activity_class;
    std::uint32_t rank;
    std::uint64_t arrival;
    std::uint32_t request;

    auto operator<=>(const Place&) const = default;
  };

  struct Pool {
    double capacity;
    double free;
    double peak = 0.0;
    GrantOrder order;
    std::set<Place> queue;
    bool changed = false;
  };

  struct Request {
    std::uint32_t slot;
    std::uint64_t tag;
    std::uint64_t arrival;
    std::vector<Hold> holds;
    std::vector<Place> places;  // parallel to holds
  };

  [[nodiscard]] bool can_grant(const Request& request) const;
  void take(const Request& request);
  void mark_changed(std::uint32_t resource);

  std::vector<Pool> pools_;
  std::vector<Request> requests_;
  std::vector<std::uint32_t> free_requests_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> waiting_;  // arrival, request
  std::vector<std::uint32_t> changed_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace cairn::sim
