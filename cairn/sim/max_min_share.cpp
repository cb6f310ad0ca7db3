#include "cairn/sim/max_min_share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::sim {

namespace {

constexpr double kTie = 1e-12;  // relative difference below which two shares are the same

}  // namespace

void MaxMinShare::clear() {
  uses_.clear();
  claims_.clear();
  pools_.clear();
  users_.clear();
}

std::uint32_t MaxMinShare::add_resource(double capacity, std::string_view name) {
  const auto claim = static_cast<std::uint32_t>(claims_.size());
  pools_.push_back({.capacity = capacity, .name = name, .first_claim = claim, .end_claim = claim});
  return static_cast<std::uint32_t>(pools_.size() - 1);
}

std::uint32_t MaxMinShare::add_user(std::uint32_t issuer, std::uint64_t age, double limit) {
  users_.push_back({.age = age, .limit = limit, .issuer = issuer});
  return static_cast<std::uint32_t>(users_.size() - 1);
}

void MaxMinShare::add_draw(
    std::uint32_t user, double amount, double count, double weight, bool per_member) {
  Pool& pool = pools_.back();
  const auto use = static_cast<std::uint32_t>(uses_.size());
  const std::uint32_t issuer = users_[user].issuer;
  const double weight_here = per_member ? weight * count : weight;
  if (pool.first_claim == pool.end_claim || claims_.back().issuer != issuer) {
    claims_.push_back({.resource = static_cast<std::uint32_t>(pools_.size() - 1),
                       .issuer = issuer,
                       .weight = weight_here,
                       .end = use,
                       .front_begin = use});
    ++pool.end_claim;
  }
  Claim& claim = claims_.back();
  claim.weight = std::max(claim.weight, weight_here);
  claim.end = use + 1;
  uses_.push_back({.user = user,
                   .claim = pool.end_claim - 1,
                   .next_of_user = users_[user].first_use,
                   .load = amount * count});
  users_[user].first_use = use;
}

void MaxMinShare::reserve(double amount) {
  pools_.back().capacity = std::max(0.0, pools_.back().capacity - amount);
}

// Shares of undecided users only grow as others are decided. So a user can be decided as soon as
// its limit is at most its present share of every resource, and a resource is finished as soon as
// none of its front users is limited more by another resource. An unfinished resource waits for one
// that limits one of its users, and is examined again when that one has changed. If all wait, there
// is a cycle.
std::span<const double> MaxMinShare::solve() {
  prepare();
  std::size_t undecided_at_sweep = undecided_;
  while (undecided_ > 0) {
    if (queue_.empty()) {
      if (undecided_ == undecided_at_sweep) {
        resolve_cycle();
        forget_comparisons();
      }
      undecided_at_sweep = undecided_;
      enqueue_all();
      continue;
    }
    const std::uint32_t resource = queue_.back();
    queue_.pop_back();
    pools_[resource].queued = false;
    if (pools_[resource].open_claims > 0) {
      try_finish(resource);
    }
  }
  return rates_;
}

void MaxMinShare::prepare() {
  rates_.assign(users_.size(), 0.0);
  undecided_ = users_.size();
  queue_.clear();
  verdicts_.clear();
  for (Pool& pool : pools_) {
    pool.room = pool.capacity;
    pool.open_claims = pool.end_claim - pool.first_claim;
    for (std::uint32_t c = pool.first_claim; c < pool.end_claim; ++c) {
      pool.open_weight += claims_[c].weight;
      move_front(claims_[c], claims_[c].front_begin);
    }
    pool.level = pool.room / pool.open_weight;
  }
  enqueue_all();
  for (std::uint32_t u = 0; u < users_.size(); ++u) {
    if (users_[u].first_use == kNone) {
      decide(u, users_[u].limit, kNone);
    }
  }
}

// Makes the oldest undecided uses from `begin` on the front, or closes the claim if there are none.
void MaxMinShare::move_front(Claim& claim, std::uint32_t begin) {
  while (begin < claim.end && users_[uses_[begin].user].decided) {
    ++begin;
  }
  claim.front_begin = begin;
  claim.front_end = begin;
  claim.front_load = 0.0;
  claim.undecided_in_front = 0;
  if (begin == claim.end) {
    Pool& pool = pools_[claim.resource];
    claim.open = false;
    pool.room = std::max(0.0, pool.room - claim.used);
    pool.open_weight -= claim.weight;
    --pool.open_claims;
    pool.level = pool.room / pool.open_weight;
    return;
  }
  const std::uint64_t age = users_[uses_[begin].user].age;
  for (std::uint32_t u = begin; u < claim.end && users_[uses_[u].user].age == age; ++u) {
    ++effort_;
    if (!users_[uses_[u].user].decided) {
      claim.front_load += uses_[u].load;
      ++claim.undecided_in_front;
    }
    claim.front_end = u + 1;
  }
}

void MaxMinShare::decide(std::uint32_t user, double rate, std::uint32_t held_by) {
  rates_[user] = rate;
  users_[user].held_by = held_by;
  users_[user].decided = true;
  --undecided_;
  for (std::uint32_t u = users_[user].first_use; u != kNone; u = uses_[u].next_of_user) {
    ++effort_;
    const Use& use = uses_[u];
    Claim& claim = claims_[use.claim];
    claim.used += use.load * rate;
    if (in_front(u)) {
      claim.front_load -= use.load;
      if (--claim.undecided_in_front == 0) {
        move_front(claim, claim.front_end);
      }
    }
  }
}

void MaxMinShare::decide_all() {
  for (const Verdict& verdict : verdicts_) {
    decide(verdict.user, verdict.rate, verdict.held_by);
  }
  verdicts_.clear();
}

void MaxMinShare::enqueue(std::uint32_t resource) {
  if (!pools_[resource].queued) {
    pools_[resource].queued = true;
    queue_.push_back(resource);
  }
}

void MaxMinShare::enqueue_all() {
  for (auto r = static_cast<std::uint32_t>(pools_.size()); r > 0; --r) {
    pools_[r - 1].first_waiting = kNone;
    enqueue(r - 1);
  }
}

// If another resource limits one of the front users more, waits for that one. Otherwise decides the
// users that reach their own limit; if there are none, the resource is finished.
void MaxMinShare::try_finish(std::uint32_t resource) {
  const Pool& pool = pools_[resource];
  for (std::uint32_t c = pool.first_claim; c < pool.end_claim; ++c) {
    const Claim& claim = claims_[c];
    if (!claim.open) {
      continue;
    }
    const double here = front_rate(claim);
    for (std::uint32_t u = claim.front_begin; u < claim.front_end; ++u) {
      const Use& use = uses_[u];
      const User& user = users_[use.user];
      if (user.decided) {
        continue;
      }
      const auto [elsewhere, other] = lowest_rate_elsewhere(u);
      if (user.limit <= std::min(here, elsewhere) * (1.0 + kTie)) {
        verdicts_.push_back({use.user, kNone, user.limit});
      } else if (elsewhere * (1.0 + kTie) < here) {
        pools_[resource].next_waiting = pools_[other].first_waiting;
        pools_[other].first_waiting = resource;
        decide_all();
        return;
      }
    }
  }
  if (verdicts_.empty()) {
    saturate(resource);
  } else {
    decide_all();
    enqueue(resource);
  }
}

// Front users get their shares, which saturate the resource; users behind the front get nothing.
void MaxMinShare::saturate(std::uint32_t resource) {
  const Pool& pool = pools_[resource];
  for (std::uint32_t c = pool.first_claim; c < pool.end_claim; ++c) {
    const Claim& claim = claims_[c];
    if (!claim.open) {
      continue;
    }
    const double here = front_rate(claim);
    for (std::uint32_t u = claim.front_begin; u < claim.end; ++u) {
      if (!users_[uses_[u].user].decided) {
        const double rate = u < claim.front_end ? here : 0.0;
        verdicts_.push_back({uses_[u].user, resource, rate});
      }
    }
  }
  decide_all();
  for (std::uint32_t r = pool.first_waiting; r != kNone; r = pools_[r].next_waiting) {
    enqueue(r);
  }
}

// The present rate of each front user of the claim: its issuer's part of the room, less what the
// issuer's decided users take, at equal rates.
double MaxMinShare::front_rate(const Claim& claim) const {
  const double allowance = claim.weight * pools_[claim.resource].level - claim.used;
  return std::max(0.0, allowance / claim.front_load);
}

bool MaxMinShare::in_front(std::uint32_t use) const {
  const Claim& claim = claims_[uses_[use].claim];
  return use >= claim.front_begin && use < claim.front_end;
}

// The rate that the resource guarantees the user: 0 behind the front.
double MaxMinShare::granted(std::uint32_t use) const {
  return in_front(use) ? front_rate(claims_[uses_[use].claim]) : 0.0;
}

void MaxMinShare::compare_uses(User& user) {
  user.compared = true;
  user.lowest = {};
  user.next = {};
  for (std::uint32_t u = user.first_use; u != kNone; u = uses_[u].next_of_user) {
    ++effort_;
    const double rate = granted(u);
    if (rate < user.lowest.rate) {
      user.next = std::exchange(user.lowest, {u, rate});
    } else if (rate < user.next.rate) {
      user.next = {u, rate};
    }
  }
}

void MaxMinShare::forget_comparisons() {
  for (User& user : users_) {
    user.compared = false;
  }
}

// The lowest rate that the user's other resources grant it, and that resource. Rates only grow, so
// the lowest at the last comparison still is the lowest if it has not grown.
std::pair<double, std::uint32_t> MaxMinShare::lowest_rate_elsewhere(std::uint32_t use) {
  User& user = users_[uses_[use].user];
  const auto elsewhere = [&] { return user.lowest.use == use ? user.next : user.lowest; };
  LowestRate lowest = elsewhere();
  if (!user.compared || (lowest.use != kNone && granted(lowest.use) != lowest.rate)) {
    compare_uses(user);
    lowest = elsewhere();
  }
  ++effort_;
  return {lowest.rate, lowest.use == kNone ? kNone : claims_[uses_[lowest.use].claim].resource};
}

}  // namespace cairn::sim
