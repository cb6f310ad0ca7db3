#include "cairn/sim/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::sim {

namespace {

std::vector<Hold> merged(const std::vector<Hold>& holds) {
  std::vector<Hold> result;
  for (const Hold& hold : holds) {
    const auto same = std::ranges::find(result, hold.resource, &Hold::resource);
    if (same == result.end()) {
      result.push_back({hold.resource, hold.amount * hold.count, 1.0});
    } else {
      same->amount += hold.amount * hold.count;
    }
  }
  return result;
}

}  // namespace

Id<Resource> Engine::add(Resource resource) {
  ensure(resource.capacity > 0.0, "a resource needs a capacity above zero");
  lines_.push_back({.capacity = resource.capacity, .users = {}});
  holding_.add(resource);
  resources_.push_back(std::move(resource));
  return Id<Resource>(resources_.size() - 1);
}

Id<Issuer> Engine::add(Issuer issuer) {
  ensure(issuer.weight > 0.0, "an issuer needs a weight above zero");
  issuers_.push_back(std::move(issuer));
  return Id<Issuer>(issuers_.size() - 1);
}

Id<Demand> Engine::add(const Demand& demand) {
  Needs needs{.first_draw = static_cast<std::uint32_t>(draws_.size()),
              .end_draw = 0,
              .lone_rate = demand.speed_limit,
              .latency = demand.latency,
              .holds = merged(demand.holds)};
  for (const Draw& draw : demand.draws) {
    const double capacity = lines_[draw.resource.index()].capacity;
    if (draw.amount <= 0.0 || draw.count <= 0.0 || std::isinf(capacity)) {
      continue;
    }
    const auto own = draws_.begin() + needs.first_draw;
    const auto same = std::find_if(
        own, draws_.end(), [&](const Draw& other) { return other.resource == draw.resource; });
    if (same == draws_.end()) {
      draws_.push_back(draw);
    } else {
      const double total = same->amount * same->count + draw.amount * draw.count;
      same->count = std::max(same->count, draw.count);
      same->amount = total / same->count;
    }
  }
  needs.end_draw = static_cast<std::uint32_t>(draws_.size());
  for (std::uint32_t d = needs.first_draw; d < needs.end_draw; ++d) {
    const Draw& draw = draws_[d];
    needs.lone_rate = std::min(needs.lone_rate,
                               lines_[draw.resource.index()].capacity / (draw.amount * draw.count));
  }
  needs_.push_back(std::move(needs));
  return Id<Demand>(needs_.size() - 1);
}

void Engine::submit(const Activity& activity) {
  std::uint32_t index = 0;
  if (free_slots_.empty()) {
    index = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    index = free_slots_.back();
    free_slots_.pop_back();
  }
  Slot& slot = slots_[index];
  slot.activity = activity;
  slot.remaining = activity.work;
  slot.submitted = now_;
  slot.state = State::kWaiting;
  slot.event = 0;
  ++live_;
  const Needs& n = needs(slot);
  if (n.holds.empty()) {
    fresh_.push_back(index);
    join_lines(index);
  } else {
    holding_.request(index, activity, n.holds, now_);
  }
}

std::span<const Completion> Engine::advance(SimTime until) {
  completions_.clear();
  while (completions_.empty()) {
    settle();
    drop_stale_events();
    if (queue_.empty()) {
      if (live_ > 0) {
        report_stall();
      }
      now_ = until == SimTime::never() ? now_ : std::max(now_, until);
      break;
    }
    const SimTime next = queue_.top().at;
    if (next > until) {
      now_ = std::max(now_, until);
      break;
    }
    now_ = next;
    while (!queue_.empty() && queue_.top().at == now_) {
      handle(queue_.pop());
    }
  }
  return completions_;
}

// Stale events must not advance the clock.
void Engine::drop_stale_events() {
  while (!queue_.empty() && stale(queue_.top())) {
    queue_.pop();
  }
}

// An event is stale if its subject no longer waits for it. A completion postponed to a later time
// stays in the queue and is rescheduled when it comes up.
bool Engine::stale(const Event& event) {
  Slot& slot = slots_[event.subject];
  if (slot.event != event.order) {
    return true;
  }
  if (event.kind == kComplete && slot.due > event.at) {
    slot.event_at = slot.due;
    slot.event = queue_.push(slot.due, event.subject, kComplete);
    return true;
  }
  return false;
}

void Engine::handle(const Event& event) {
  if (stale(event)) {
    return;
  }
  ++events_;
  if (event.kind == kComplete) {
    complete(event.subject);
  } else {
    begin(event.subject);
  }
}

// Brings everything up to date for the present instant: grants, starts, shares.
void Engine::settle() {
  const std::size_t before = fresh_.size();
  holding_.grant(fresh_);
  for (std::size_t i = before; i < fresh_.size(); ++i) {
    join_lines(fresh_[i]);
  }
  for (const std::uint32_t slot : fresh_) {
    start(slot);
  }
  fresh_.clear();
  if (!dirty_.empty()) {
    share();
  }
}

void Engine::start(std::uint32_t index) {
  Slot& slot = slots_[index];
  slot.admitted = now_;
  slot.rate = 0.0;
  if (slot.remaining <= 0.0) {
    slot.state = State::kWorkless;
    complete_at(index, after(now_, needs(slot).latency));
    return;
  }
  if (alone(slot)) {
    start_alone(index);
    return;
  }
  for (const Draw& draw : draws(slot)) {
    wake_lone_latent(lines_[draw.resource.index()]);
  }
  slot.updated = after(now_, needs(slot).latency);
  slot.state = State::kLatent;
  if (slot.updated > now_) {
    begin_at(index);
  } else {
    begin(index);
  }
}

// Alone on its resources, one event is enough: the end of latency and transfer together.
void Engine::start_alone(std::uint32_t index) {
  Slot& slot = slots_[index];
  const Needs& n = needs(slot);
  slot.rate = std::min(n.lone_rate, slot.activity.speed_limit);
  slot.updated = after(now_, n.latency);
  slot.state = State::kLoneLatent;
  for (const Draw& draw : draws(slot)) {
    lines_[draw.resource.index()].lone = index;
  }
  const Seconds drawing(slot.remaining / slot.rate);
  complete_at(index, after(now_, n.latency + drawing));
}

// A second user joins a line whose first user was scheduled as if alone: if that one is still
// latent, it gets the begin event that was omitted.
void Engine::wake_lone_latent(Line& line) {
  const std::uint32_t index = std::exchange(line.lone, kNone);
  if (index == kNone || slots_[index].state != State::kLoneLatent) {
    return;
  }
  Slot& slot = slots_[index];
  if (slot.updated > now_) {
    slot.state = State::kLatent;
    slot.rate = 0.0;
    begin_at(index);
  } else {
    slot.state = State::kActive;
  }
}

void Engine::begin_at(std::uint32_t index) {
  Slot& slot = slots_[index];
  slot.event_at = slot.updated;
  slot.event = queue_.push(slot.updated, index, kBegin);
}

void Engine::begin(std::uint32_t index) {
  Slot& slot = slots_[index];
  slot.state = State::kActive;
  slot.event = 0;
  slot.updated = now_;
  if (draws(slot).empty()) {
    slot.rate = std::min(needs(slot).lone_rate, slot.activity.speed_limit);
    schedule_completion(index);
    return;
  }
  for (const Draw& draw : draws(slot)) {
    mark_dirty(draw.resource.value);
  }
}

void Engine::complete(std::uint32_t index) {
  Slot& slot = slots_[index];
  completions_.push_back({.tag = slot.activity.tag,
                          .submitted = slot.submitted,
                          .admitted = slot.admitted,
                          .finished = now_});
  leave_lines(index);
  const Needs& n = needs(slot);
  if (!n.holds.empty()) {
    holding_.release(n.holds);
  }
  slot.state = State::kFree;
  slot.event = 0;
  free_slots_.push_back(index);
  --live_;
}

void Engine::schedule_completion(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.remaining <= 0.0) {
    complete_at(index, now_);
  } else if (slot.rate > 0.0) {
    complete_at(index, after(now_, Seconds(slot.remaining / slot.rate)));
  } else {
    slot.event = 0;
  }
}

// A pending completion that is postponed stays in the queue until it comes up (see stale).
void Engine::complete_at(std::uint32_t index, SimTime due) {
  Slot& slot = slots_[index];
  slot.due = due;
  if (slot.event == 0 || slot.event_at > due) {
    slot.event_at = due;
    slot.event = queue_.push(due, index, kComplete);
  }
}

bool Engine::alone(const Slot& slot) const {
  return std::ranges::all_of(draws(slot), [this](const Draw& draw) {
    return lines_[draw.resource.index()].users.size() == 1;
  });
}

double Engine::peak_held(Id<Resource> resource) const {
  return holding_.peak(resource);
}

std::vector<std::pair<std::uint64_t, double>> Engine::rates() {
  settle();
  std::vector<std::pair<std::uint64_t, double>> rates;
  for (const Slot& slot : slots_) {
    if (slot.state != State::kFree && draws_now(slot)) {
      rates.emplace_back(slot.activity.tag, slot.rate);
    }
  }
  return rates;
}

void Engine::report_stall() const {
  throw Bug("the simulation is stuck: nothing runs, but" + holding_.describe(resources_));
}

}  // namespace cairn::sim
