// The schedule of an algorithm: the messages of each phase with their sizes; routes and times are
// decided later.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/platform/graph.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::comm {

// How a message travels.
struct Path {
  enum class Kind : std::uint8_t {
    kRouted,    // as the platform routes
    kRingStep,  // one step along the ring of a dimension of the platform
    kLinks,     // over given links: CollectiveSchedule::links[index]
  };

  Kind kind = Kind::kRouted;
  bool up = true;           // kRingStep
  std::uint32_t index = 0;  // kRingStep: the platform's dimension; kLinks: which
};

struct Message {
  std::uint32_t from = 0;  // positions in the group
  std::uint32_t to = 0;
  double share = 0.0;  // of the part's payload, per step
  Path path{};
};

// Every message of the phase is sent once in each of its steps (sim::Phase).
struct Phase {
  std::uint32_t steps = 1;
  std::uint32_t reducing = 0;  // in so many first steps, receivers reduce what they receive
  double resident = 1.0;       // maximum share of the part's payload on a device in the phase
  std::uint32_t first_message = 0;
  std::uint32_t end_message = 0;
  std::string_view algorithm{};                  // of the dimension; empty: the schedule's
  const platform::Protocol* protocol = nullptr;  // of its messages; nullptr: the platform has none
};

// Parts run concurrently, each with its share of the collective's payload: two directions of a
// ring, several rings, two trees.
struct Part {
  double share = 1.0;
  std::vector<Phase> phases{};
  std::vector<Message> messages{};

  void begin_phase(std::uint32_t steps, std::uint32_t reducing = 0, double resident = 1.0);
  void send(const Message& message);
};

struct CollectiveSchedule {
  std::vector<Part> parts{};
  std::vector<std::vector<Id<platform::Link>>> links{};
  Seconds start{0.0};  // start-up time before the first message (protocol.hpp)
};

// Bytes of all messages and steps, per byte of the collective's size.
double total_share(const CollectiveSchedule& schedule);

}  // namespace cairn::comm
