// For tests: replays a schedule on sets of blocks instead of bytes.
#pragma once

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

// The messages of each step of a part, phases one after the other.
inline std::vector<std::vector<Message>> steps_of(const Part& part) {
  std::vector<std::vector<Message>> steps;
  for (const Phase& phase : part.phases) {
    for (std::uint32_t step = 0; step < phase.steps; ++step) {
      steps.emplace_back(part.messages.begin() + phase.first_message,
                         part.messages.begin() + phase.end_message);
    }
  }
  return steps;
}

// The positions whose data reaches each position, if every message forwards all that its sender
// has.
inline std::vector<std::set<std::uint32_t>> reached_from(const Part& part,
                                                         std::uint32_t positions) {
  std::vector<std::set<std::uint32_t>> reached(positions);
  for (std::uint32_t p = 0; p < positions; ++p) {
    reached[p].insert(p);
  }
  for (const auto& step : steps_of(part)) {
    const auto before = reached;
    for (const Message& message : step) {
      reached[message.to].insert(before[message.from].begin(), before[message.from].end());
    }
  }
  return reached;
}

// Whether `steps` can gather: each position starts with one of n blocks, a message carries as many
// blocks as its share of the payload allows, and at the end every position has all blocks. Blocks
// that the receiver lacks are chosen, the sender's own first. A reduce-scatter is the reverse.
inline bool gathers(const std::vector<std::vector<Message>>& steps, std::uint32_t positions) {
  std::vector<std::set<std::uint32_t>> has(positions);
  for (std::uint32_t p = 0; p < positions; ++p) {
    has[p].insert(p);
  }
  for (const auto& step : steps) {
    const auto before = has;
    for (const Message& message : step) {
      auto room = std::llround(message.share * positions);
      const auto& sender = before[message.from];
      if (room > 0 && has[message.to].insert(message.from).second) {
        --room;
      }
      for (auto block = sender.begin(); block != sender.end() && room > 0; ++block) {
        room -= has[message.to].insert(*block).second ? 1 : 0;
      }
    }
  }
  for (const auto& blocks : has) {
    if (blocks.size() != positions) {
      return false;
    }
  }
  return true;
}

inline std::vector<std::vector<Message>> backwards(std::vector<std::vector<Message>> steps) {
  std::vector<std::vector<Message>> reversed(steps.rbegin(), steps.rend());
  for (auto& step : reversed) {
    for (Message& message : step) {
      std::swap(message.from, message.to);
    }
  }
  return reversed;
}

}  // namespace cairn::comm
