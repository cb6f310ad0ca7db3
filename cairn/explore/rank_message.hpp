// Messages between ranks, as bytes. Numbers are sent in their memory representation, without
// rounding: ranks are the same program on machines of the same kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

enum class MessageKind : std::uint8_t {
  kReady,    // to rank 0: ready to evaluate, with the search as read by this rank
  kRefused,  // to rank 0: cannot evaluate, with the reason
  kWork,     // from rank 0: points to evaluate
  kResult,   // to rank 0: finished points
  kEnd,      // from rank 0: no more work
  kGoodbye,  // to rank 0: the last message
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

// Throws Bug if the bytes are not a message.
RankMessage message_of(const std::string& bytes);

}  // namespace cairn::explore
