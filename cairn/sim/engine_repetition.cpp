// The engine's part in skipping periods (repetition.hpp): its state counted from the present
// instant, and the same state some periods later.
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "cairn/sim/engine.hpp"

namespace cairn::sim {

Engine::Census Engine::take_census(const Recurring& recurring) const {
  Census census;
  for (std::uint32_t index = 0; index < slots_.size(); ++index) {
    const Slot& slot = slots_[index];
    if (slot.state == State::kFree) {
      continue;
    }
    if (const auto identity = recurring.identity(slot.activity.tag)) {
      census.recurring.emplace_back(*identity, index);
    } else {
      census.lasting.emplace_back(slot.activity.tag, index);
    }
  }
  std::ranges::sort(census.recurring);
  std::ranges::sort(census.lasting);
  return census;
}

double Engine::remaining_now(const Slot& slot) const {
  return draws_now(slot) ? slot.remaining - slot.rate * now_.since(slot.updated).si()
                         : slot.remaining;
}

bool Engine::append_state(const Recurring& recurring, StateImage& image) {
  settle();
  if (holding_.anyone_waits()) {
    return false;
  }
  const Census census = take_census(recurring);
  // Events of one instant are handled in the order of their numbers.
  std::vector<std::tuple<SimTime, std::uint64_t, std::uint64_t>> events;
  for (const auto& [identity, index] : census.recurring) {
    const Slot& slot = slots_[index];
    image.add(identity);
    image.add(std::uint64_t{static_cast<std::uint8_t>(slot.state)});
    image.add(std::uint64_t{slot.held_by});
    image.add(slot.remaining);
    image.add(slot.rate);
    if (slot.rate > 0.0 || slot.state != State::kActive) {
      image.add(slot.updated, now_);
    }
    if (slot.event != 0) {
      image.add(slot.due, now_);
      events.emplace_back(slot.event_at, slot.event, identity);
    }
  }
  std::ranges::sort(events);
  for (const auto& [at, order, identity] : events) {
    image.add(at, now_);
    image.add(identity);
  }
  for (const auto& [tag, index] : census.lasting) {
    const Slot& slot = slots_[index];
    image.add(tag);
    image.add(std::uint64_t{static_cast<std::uint8_t>(slot.state)});
    image.add(std::uint64_t{slot.held_by});
    image.add(slot.rate);
    image.counts.push_back(remaining_now(slot));
    image.counts.push_back(static_cast<double>(slot.updated.picoseconds()));
  }
  for (const Line& line : lines_) {
    image.counts.push_back(line.drawn);
  }
  return true;
}

std::uint64_t Engine::count_periods(const Recurring& recurring,
                                    std::int64_t period,
                                    Growth& growth) const {
  std::uint64_t periods = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [tag, index] : take_census(recurring).lasting) {
    const Slot& slot = slots_[index];
    const double worked = -growth.next();
    const bool one_rate = growth.next() == 0.0;
    if (one_rate && slot.event != 0) {
      const SimTime until = slot.state == State::kLatent ? slot.updated : slot.due;
      periods = std::min(periods,
                         static_cast<std::uint64_t>(std::max<std::int64_t>(
                             0, (until.picoseconds() - now_.picoseconds() - 1) / period)));
    } else if (!one_rate && worked > 0.0) {
      // It completes in the period that begins with less than it does in one.
      const double left = std::clamp(remaining_now(slot) / worked - 1.0, 0.0, 1e15);
      periods = std::min(periods, static_cast<std::uint64_t>(left));
    }
  }
  return periods;
}

void Engine::skip(const Recurring& recurring, const Skip& skip, Growth& growth) {
  const Census census = take_census(recurring);
  const SimTime now = skip.move(now_);
  std::vector<std::uint32_t> rescheduled;
  for (const auto& [tag, index] : census.lasting) {
    Slot& slot = slots_[index];
    const double worked = growth.next();
    const bool one_rate = growth.next() == 0.0;
    if (!one_rate) {
      slot.remaining = remaining_now(slot) + worked;
      slot.updated = now;
      slot.event = 0;
      rescheduled.push_back(index);
    }
  }
  for (const auto& [identity, index] : census.recurring) {
    Slot& slot = slots_[index];
    recurring.move(slot.activity);
    for (SimTime* time :
         {&slot.updated, &slot.event_at, &slot.due, &slot.submitted, &slot.admitted}) {
      *time = skip.move(*time);
    }
  }
  for (Line& line : lines_) {
    line.drawn += growth.next();
  }
  std::vector<Event> events;
  while (!queue_.empty()) {
    const Event event = queue_.pop();
    if (slots_[event.subject].event == event.order) {
      events.push_back({slots_[event.subject].event_at, event.order, event.subject, event.kind});
    }
  }
  std::ranges::sort(
      events, {}, [](const Event& event) { return std::pair(event.at, event.order); });
  queue_ = EventQueue();
  for (const Event& event : events) {
    slots_[event.subject].event = queue_.push(event.at, event.subject, event.kind);
  }
  now_ = now;
  for (const std::uint32_t index : rescheduled) {
    if (slots_[index].rate > 0.0) {
      schedule_completion(index);
    }
  }
}

}  // namespace cairn::sim
