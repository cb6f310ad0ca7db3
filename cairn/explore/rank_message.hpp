// What ranks say to each other, as bytes. Numbers travel as they are in memory, so that nothing is
// rounded: ranks are the same program on machines of the same kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

enum class MessageKind : std::uint8_t {
  kReady,    // to rank 0: ready to evaluate, with the search as this rank reads it
  kRefused,  // to rank 0: why it is not, or no longer
  kWork,     // from rank 0: points
  kResult,   // to rank 0: what came of some
  kEnd,      // from rank 0: there is nothing more to do
  kBye,      // to rank 0: the last message
};

struct Work {
  std::uint64_t index = 0;
  search::Point point{};
};

struct WorkResult {
  std::uint64_t index = 0;
  Finding finding{};
};

struct RankMessage {
  MessageKind kind = MessageKind::kEnd;
  std::string text{};                 // kReady, kRefused
  std::vector<Work> work{};           // kWork
  std::vector<WorkResult> results{};  // kResult
};

std::string to_bytes(const RankMessage& message);

// Throws Bug if these bytes are no message.
RankMessage message_of(const std::string& bytes);

}  // namespace cairn::explore
