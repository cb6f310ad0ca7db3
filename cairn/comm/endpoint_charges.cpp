#include "cairn/comm/endpoint_charges.hpp"

#include <algorithm>

namespace cairn::comm {

namespace {

// Shares of the payload that a device receives in a step.
struct Received {
  double all = 0.0;
  double largest = 0.0;
};

// By position. With `first_position_only`, the first position receives as much as it sends.
std::vector<Received> received_in(const Part& part, const Phase& phase, const GroupLayout& layout) {
  std::vector<Received> received(layout.senders());
  for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
    const Message& message = part.messages[m];
    Received& there = received[layout.first_position_only ? 0 : message.to];
    there.all += message.share;
    there.largest = std::max(there.largest, message.share);
  }
  return received;
}

// `operand`: bytes of the receiver's own data per byte that it receives.
Charges every_access(const Phase& phase, double operand) {
  const double k = phase.steps;
  const double r = phase.reducing;
  if (r == 0.0) {
    return {.sender = {.read = 1.0}, .receiver = {.written = 1.0}, .forwarder = {1.0, 1.0}};
  }
  return {.sender = {.read = (1.0 + k - r) / k},
          .receiver = {.read = (1.0 + operand) * r / k, .written = (k + operand) / k},
          .forwarder = {1.0, 1.0}};
}

}  // namespace

std::vector<Charges> charges_of(const Part& part,
                                const GroupLayout& layout,
                                const Endpoint& endpoint) {
  std::vector<Charges> charges(part.messages.size());
  if (endpoint.executor != Executor::kCores) {
    return charges;
  }
  for (const Phase& phase : part.phases) {
    const std::vector<Received> received = received_in(part, phase, layout);
    for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
      if (endpoint.accounting == Accounting::kPaper) {
        const MemoryTraffic sent{.read = endpoint.reads_per_sent};
        charges[m] = {.sender = sent, .receiver = {}, .forwarder = sent};
        continue;
      }
      const Received& there = received[layout.first_position_only ? 0 : part.messages[m].to];
      charges[m] = every_access(phase, there.all > 0.0 ? there.largest / there.all : 0.0);
    }
  }
  return charges;
}

}  // namespace cairn::comm
