#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

void Part::begin_phase(std::uint32_t steps, std::uint32_t reducing, double resident) {
  const auto first = static_cast<std::uint32_t>(messages.size());
  phases.push_back({.steps = steps,
                    .reducing = reducing,
                    .resident = resident,
                    .first_message = first,
                    .end_message = first});
}

void Part::send(const Message& message) {
  messages.push_back(message);
  phases.back().end_message = static_cast<std::uint32_t>(messages.size());
}

double total_share(const CollectiveSchedule& schedule) {
  double total = 0.0;
  for (const Part& part : schedule.parts) {
    for (const Phase& phase : part.phases) {
      for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
        total += part.share * part.messages[m].share * phase.steps;
      }
    }
  }
  return total;
}

}  // namespace cairn::comm
