// What an algorithm decides: who sends how much to whom, in which phases; not yet over which links
// or how long it takes.
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
    kLinks,     // over given links: Schedule::links[index]
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
  std::uint32_t reducing = 0;  // of these, the first: receivers add up what they receive
  double resident = 1.0;  // share of the part's payload that a device has in the phase, at most
  std::uint32_t first_message = 0;
  std::uint32_t end_message = 0;
  std::string_view algorithm{};  // of the dimension that it goes along; empty: the schedule's
  const platform::Protocol* protocol = nullptr;  // of its messages; nullptr: the platform has none
};

// Parts run side by side, each with its share of the collective's payload: two directions of a
// ring, several rings, two trees.
struct Part {
  double share = 1.0;
  std::vector<Phase> phases{};
  std::vector<Message> messages{};

  void begin_phase(std::uint32_t steps, std::uint32_t reducing = 0, double resident = 1.0);
  void send(const Message& message);
};

struct Schedule {
  std::vector<Part> parts{};
  std::vector<std::vector<Id<platform::Link>>> links{};
  Seconds start{0.0};  // before the first message: its protocols' (protocol.hpp)
};

// The sum over all messages and steps of what they carry, per byte of the collective's size.
double total_share(const Schedule& schedule);

}  // namespace cairn::comm
