// Processes that run one search, on one or several machines, and messages between them. Rank 0
// runs the algorithm, assigns designs and prints; the other ranks evaluate.
#pragma once

#include <optional>
#include <string>

namespace cairn::explore {

class Ranks {
 public:
  struct Message {
    int from = 0;
    std::string bytes{};
  };

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  // Returns at once. Messages from one rank to another arrive in the order in which they were sent.
  virtual void send(int to, std::string bytes) = 0;

  // The next message received, if any. Does not block.
  virtual std::optional<Message> receive() = 0;
};

}  // namespace cairn::explore
