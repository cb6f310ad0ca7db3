// The model of the simulator: activities, the resources they use, and their issuers.
//
// An activity makes progress at some rate (units of work per second; for a transfer, bytes/s).
// While it runs it *draws* on shared resources in fixed proportion to its progress, and it *holds*
// amounts of others from admission to release. Its speed is limited by its own limit and by its
// share of the resources it draws on.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::sim {

enum class ResourceKind : std::uint8_t {
  kShared,  // a rate (bytes/s, flop/s), divided among the activities that draw on it
  kHeld,    // an amount (slots, bytes, cores), granted and released
};

// The order in which waiting activities are granted their holds. Ties: by class, then rank.
enum class GrantOrder : std::uint8_t { kFirstIn, kLastIn, kPriority };

struct Resource {
  std::string name{};
  ResourceKind kind = ResourceKind::kShared;
  double capacity = 0.0;  // units per second if shared, units if held; one member's, for a class
  GrantOrder order = GrantOrder::kFirstIn;
  // Folding only: resources with different labels are never in one class (a link and a bus with the
  // same traffic are counted separately).
  std::uint32_t label = 0;
};

// One unit of progress takes `amount` units of `resource`. `count` is the multiplicity of a folded
// class: how many members of the activity's class draw on one member of the resource's class.
struct Draw {
  Id<Resource> resource;
  double amount = 1.0;
  double count = 1.0;

  bool operator==(const Draw&) const = default;
};

struct Hold {
  Id<Resource> resource;
  double amount = 1.0;
  double count = 1.0;

  bool operator==(const Hold&) const = default;
};

// The needs of activities of one kind; described once, used by many.
struct Demand {
  std::vector<Draw> draws{};
  std::vector<Hold> holds{};
  Seconds latency{};  // from admission until it starts to draw
  double speed_limit = std::numeric_limits<double>::infinity();  // its own, in work/s

  bool operator==(const Demand&) const = default;
};

// A competitor for resources: a kernel, a collective, a DMA queue. A shared resource is divided
// among issuers in proportion to their weight; an issuer's share serves its oldest activity first.
struct Issuer {
  std::string name{};
  double weight = 1.0;
  // Folding only. False: one issuer for all members of its class (a collective has one share of a
  // link however many of its ranks use it). True: each member is an issuer (a DMA queue per
  // device).
  bool per_member = false;
};

struct Activity {
  Id<Demand> demand{};
  Id<Issuer> issuer{};
  double work = 0.0;
  std::uint64_t age = 0;  // smaller is older; equal ages share equally
  std::int32_t priority = 0;
  std::uint32_t activity_class = 0;  // breaks ties of simultaneous requests to hold
  std::uint32_t rank = 0;            // then this
  double speed_limit = std::numeric_limits<double>::infinity();  // besides the demand's
  std::uint64_t tag = 0;  // set by the caller, returned on completion
};

}  // namespace cairn::sim
