// Incremental sharing: which rates must be solved again when the users of a line have changed.
//
// A change need not affect everything that is connected. The affected set starts with the users of
// changed lines; all others keep their rate. The result is the max-min share of all if every
// outsider is still satisfied: the line that limits it is still full and no user on it has a larger
// share, and on no line is an affected activity limited while the outsider has more. Outsiders that
// are not satisfied become affected, and the set is solved again.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "cairn/sim/engine.hpp"

namespace cairn::sim {

namespace {

constexpr double kTie = 1e-9;  // relative difference below which two shares are the same

}  // namespace

void Engine::join_lines(std::uint32_t index) {
  const Slot& slot = slots_[index];
  const auto place_in_line = [this](const LineUser& user) {
    const Activity& activity = slots_[user.slot].activity;
    return std::pair(activity.issuer, activity.age);
  };
  const Needs& n = needs(slot);
  for (std::uint32_t d = n.first_draw; d < n.end_draw; ++d) {
    Line& line = lines_[draws_[d].resource.index()];
    const LineUser user = user_of(index, d);
    if (line.users.empty()) {
      line.users.push_back(user);
      continue;
    }
    const auto place =
        std::ranges::upper_bound(line.users, place_in_line(user), std::less<>{}, place_in_line);
    line.repeats += has_issuer_neighbour(line, place, slot.activity.issuer) ? 1U : 0U;
    line.users.insert(place, user);
  }
}

void Engine::leave_lines(std::uint32_t index) {
  const Slot& slot = slots_[index];
  for (const Draw& draw : draws(slot)) {
    Line& line = lines_[draw.resource.index()];
    line.drawn += draw.amount * draw.count * slot.activity.work;
    line.lone = line.lone == index ? kNone : line.lone;
    if (line.users.size() == 1) {
      line.users.clear();
      continue;
    }
    const auto place = line.users.erase(std::ranges::find(line.users, index, &LineUser::slot));
    line.repeats -= has_issuer_neighbour(line, place, slot.activity.issuer) ? 1U : 0U;
    mark_dirty(draw.resource.value);
  }
}

// Whether a user of `issuer` at `place` is, or would be, next to another user of that issuer.
bool Engine::has_issuer_neighbour(const Line& line,
                                  std::vector<LineUser>::const_iterator place,
                                  Id<Issuer> issuer) const {
  const auto of_issuer = [&](const LineUser& user) {
    return slots_[user.slot].activity.issuer == issuer;
  };
  return (place != line.users.begin() && of_issuer(*(place - 1))) ||
         (place != line.users.end() && of_issuer(*place));
}

void Engine::mark_dirty(std::uint32_t resource) {
  if (!lines_[resource].dirty) {
    lines_[resource].dirty = true;
    dirty_.push_back(resource);
  }
}

void Engine::share() {
  ++stamp_;
  affected_.clear();
  affected_lines_.clear();
  proposals_.clear();
  closed_ = 0;
  for (const std::uint32_t resource : dirty_) {
    lines_[resource].dirty = false;
    enlist_users(resource);
  }
  dirty_.clear();
  do {
    gather_affected_lines();
    solve_affected();
  } while (enlist_disturbed());
  for (std::size_t i = 0; i < affected_.size(); ++i) {
    const Proposal found = solution(i);
    set_rate(affected_[i], found.rate, found.held_by);
  }
}

Engine::Proposal Engine::solution(std::size_t member) const {
  const std::uint32_t line = sharing_.held_back_by(static_cast<std::uint32_t>(member));
  return {sharing_.rates()[member], line == kNone ? kNone : affected_lines_[line]};
}

void Engine::enlist(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.stamp != stamp_) {
    slot.stamp = stamp_;
    slot.user = static_cast<std::uint32_t>(affected_.size());
    affected_.push_back(index);
    proposals_.push_back({slot.rate, slot.held_by});
  }
}

// Adds all users of the line, except those with rate 0 that stay at 0: once older activities of
// their issuer that draw on nothing else can use up the whole line, younger ones wait. (A younger
// one with a rate above 0 releases it on its other lines too, so it is solved.)
void Engine::enlist_users(std::uint32_t resource) {
  const Line& line = lines_[resource];
  const Activity* previous = nullptr;
  double older = 0.0;     // guaranteed draw of older activities of the issuer
  double same_age = 0.0;  // the same for activities of this age
  for (const LineUser& user : line.users) {
    const std::uint32_t index = user.slot;
    const Slot& slot = slots_[index];
    if (!draws_now(slot)) {
      continue;
    }
    const Activity& activity = slot.activity;
    if (previous == nullptr || previous->issuer != activity.issuer) {
      older = 0.0;
      same_age = 0.0;
    } else if (previous->age != activity.age) {
      older += same_age;
      same_age = 0.0;
    }
    previous = &activity;
    if (older >= line.capacity && slot.stamp != stamp_ && slot.rate == 0.0) {
      set_rate(index, 0.0, resource);
      continue;
    }
    enlist(index);
    if (draws(slot).size() == 1) {
      same_age += user.drawn * std::min(needs(slot).lone_rate, activity.speed_limit);
    }
  }
}

// Several users of one issuer on a line must be solved together.
void Engine::gather_affected_lines() {
  for (; closed_ < affected_.size(); ++closed_) {
    for (const Draw& draw : draws(slots_[affected_[closed_]])) {
      Line& line = lines_[draw.resource.index()];
      if (line.stamp == stamp_) {
        continue;
      }
      line.stamp = stamp_;
      line.pool = static_cast<std::uint32_t>(affected_lines_.size());
      affected_lines_.push_back(draw.resource.value);
      if (line.repeats > 0) {
        enlist_users(draw.resource.value);
      }
    }
  }
}

void Engine::solve_affected() {
  sharing_.clear();
  for (const std::uint32_t index : affected_) {
    const Slot& slot = slots_[index];
    sharing_.add_user(slot.activity.issuer.value,
                      slot.activity.age,
                      std::min(needs(slot).lone_rate, slot.activity.speed_limit));
  }
  for (const std::uint32_t resource : affected_lines_) {
    const Line& line = lines_[resource];
    effort_ += line.users.size();
    sharing_.add_resource(line.capacity, resources_[resource].name);
    double kept = 0.0;  // by users that keep their rate
    for (const LineUser& user : line.users) {
      const Slot& slot = slots_[user.slot];
      if (!draws_now(slot)) {
        continue;
      }
      if (slot.stamp == stamp_) {
        const Draw& draw = draws_[user.draw];
        const Issuer& issuer = issuers_[slot.activity.issuer.index()];
        sharing_.add_draw(slot.user, draw.amount, draw.count, issuer.weight, issuer.per_member);
      } else {
        kept += user.drawn * slot.rate;
      }
    }
    sharing_.reserve(kept);
  }
  sharing_.solve();
}

// Only lines of affected activities whose rate or limiting resource differs from the last check can
// affect outsiders.
bool Engine::enlist_disturbed() {
  const std::size_t before = affected_.size();
  for (std::size_t i = 0; i < before; ++i) {
    const Proposal found = solution(i);
    Proposal& checked = proposals_[i];
    if (found.held_by != checked.held_by ||
        std::abs(found.rate - checked.rate) > kTie * checked.rate) {
      checked = found;
      for (const Draw& draw : draws(slots_[affected_[i]])) {
        mark_dirty(draw.resource.value);
      }
    }
  }
  for (const std::uint32_t resource : dirty_) {
    lines_[resource].dirty = false;
    if (lines_[resource].repeats == 0) {
      enlist_disturbed(resource, before);
    }
  }
  dirty_.clear();
  return affected_.size() > before;
}

// Enlists the outsiders on a line that are no longer satisfied. Only for lines on which each issuer
// has one user. The first `solved` affected activities have new rates; the others count as
// outsiders.
void Engine::enlist_disturbed(std::uint32_t resource, std::size_t solved) {
  const Line& line = lines_[resource];
  double used = 0.0;
  double largest = 0.0;                                        // share of an affected activity
  double held_back = std::numeric_limits<double>::infinity();  // smallest share limited here
  bool outsiders = false;
  for (const LineUser& user : line.users) {
    const Slot& slot = slots_[user.slot];
    if (!draws_now(slot)) {
      continue;
    }
    if (slot.stamp != stamp_ || slot.user >= solved) {
      outsiders = outsiders || slot.stamp != stamp_;
      used += user.drawn * slot.rate;
      continue;
    }
    const double drawn = user.drawn * sharing_.rates()[slot.user];
    const double share = drawn / user.weight;
    used += drawn;
    largest = std::max(largest, share);
    if (sharing_.held_back_by(slot.user) == line.pool) {
      held_back = std::min(held_back, share);
    }
  }
  if (!outsiders) {
    return;
  }
  const bool full = used >= line.capacity * (1.0 - kTie);
  for (const LineUser& user : line.users) {
    const Slot& slot = slots_[user.slot];
    if (!draws_now(slot) || slot.stamp == stamp_) {
      continue;
    }
    const double share = user.drawn * slot.rate / user.weight;
    const bool has_more = share > held_back * (1.0 + kTie);
    const bool released = slot.held_by == resource && (!full || largest > share * (1.0 + kTie));
    if (has_more || released) {
      enlist(user.slot);
    }
  }
}

void Engine::set_rate(std::uint32_t index, double rate, std::uint32_t held_by) {
  constexpr double kUnchanged = 1e-12;
  Slot& slot = slots_[index];
  slot.state = State::kActive;
  slot.held_by = held_by;
  if (std::abs(rate - slot.rate) <= kUnchanged * slot.rate && (slot.event != 0 || rate == 0.0)) {
    return;  // its event stays valid
  }
  slot.remaining -= slot.rate * now_.since(slot.updated).si();
  slot.updated = now_;
  slot.rate = rate;
  schedule_completion(index);
}

Engine::LineUser Engine::user_of(std::uint32_t slot, std::uint32_t index) const {
  const Draw& draw = draws_[index];
  const Issuer& issuer = issuers_[slots_[slot].activity.issuer.index()];
  return {.slot = slot,
          .draw = index,
          .drawn = draw.amount * draw.count,
          .weight = issuer.per_member ? issuer.weight * draw.count : issuer.weight};
}

}  // namespace cairn::sim
