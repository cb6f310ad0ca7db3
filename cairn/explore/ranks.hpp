// Processes that search together, on one machine or on many, and messages between them. Rank 0
// runs the algorithm, hands out designs and prints; the others evaluate what they are given.
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

  // What has come; nothing: nothing yet.
  virtual std::optional<Message> receive() = 0;
};

}  // namespace cairn::explore
