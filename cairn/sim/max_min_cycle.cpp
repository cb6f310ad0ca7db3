// The rare case of MaxMinShare: resources that wait for each other in a cycle. User 1 may be
// limited by resource A and user 2 by resource B although both use both, so that neither resource
// can be finished first. The shares are then the solution of coupled equations, found by filling
// one resource at a time given the others (Gauss-Seidel) until nothing changes.
//
// The equations may have many solutions, some of which treat equivalent users unequally
// (max_min_uniform.cpp). So one user of each class is solved.
//
// A change may return around the cycle with the opposite sign and a gain g > 1. With one resource
// of the cycle damped, to a step of s = 1 - damping, it decays if s < 2 / (1 + g). With all damped
// equally it need not: a cycle of three is unstable from g = 8 on, however small the step. So at
// first all are damped a little, which suffices for most; then, in rounds, only some, a different
// set in every round, and increasingly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/failure.hpp"
#include "cairn/sim/max_min_share.hpp"

namespace cairn::sim {

namespace {

constexpr std::uint32_t kRounds = 256;

// Whether `resource` is among the third that is damped in `round`.
bool is_slow(std::uint32_t resource, std::uint32_t round) {
  std::uint32_t mixed = (resource + 1) * 2654435761U ^ round * 2246822519U;
  mixed ^= mixed >> 15U;
  mixed *= 3266489917U;
  return (mixed >> 16U) % 3 == 0;
}

// 1 - damping of these.
double slow_step(std::uint32_t round) {
  return std::pow(0.5, 2 + round / 4 % 9);
}

// Enough for a change to decay at such a step: (1 - s)^(32 / s) = e^-32.
std::uint32_t sweeps_of(std::uint32_t round) {
  return round == 0 ? 256 : static_cast<std::uint32_t>(32.0 / slow_step(round));
}

double damping_of(std::uint32_t resource, std::uint32_t round, std::uint32_t sweep) {
  constexpr std::uint32_t kUndampedSweeps = 4;
  if (round == 0) {
    return sweep < kUndampedSweeps ? 0.0 : 0.5;
  }
  return is_slow(resource, round) ? 1.0 - slow_step(round) : 0.0;
}

double relative_change(double before, double after) {
  return before == after ? 0.0 : std::abs(after - before) / std::max(before, after);
}

}  // namespace

// Decides all remaining users.
void MaxMinShare::resolve_cycle() {
  find_classes();
  for (std::uint32_t u = 0; u < uses_.size(); ++u) {
    const Claim& claim = claims_[uses_[u].claim];
    use_classes_[uses_[u].use_class].rate = claim.open && in_front(u) ? front_rate(claim) : 0.0;
  }
  std::uint32_t round = 0;
  while (!settles(round)) {
    if (++round == kRounds) {
      report_unresolved_cycle();
    }
  }
  for (std::uint32_t i = 0; i < users_.size(); ++i) {
    if (users_[i].decided) {
      continue;
    }
    Verdict verdict{.user = i, .held_by = kNone, .rate = users_[i].limit};
    for (std::uint32_t u = users_[i].first_use; u != kNone; u = uses_[u].next_of_user) {
      if (use_classes_[uses_[u].use_class].rate < verdict.rate) {
        verdict.rate = use_classes_[uses_[u].use_class].rate;
        verdict.held_by = claims_[uses_[u].claim].resource;
      }
    }
    verdicts_.push_back(verdict);
  }
  decide_all();
}

// Sweeps over all resources until nothing changes; false without convergence.
bool MaxMinShare::settles(std::uint32_t round) {
  constexpr double kConverged = 1e-12;
  for (std::uint32_t sweep = 0; sweep < sweeps_of(round); ++sweep) {
    double change = 0.0;
    for (const std::uint32_t r : cycle_pools_) {
      change = std::max(change, refill(pools_[r], damping_of(r, round, sweep)));
    }
    if (change < kConverged) {
      return true;
    }
  }
  return false;
}

void MaxMinShare::report_unresolved_cycle() const {
  std::string names;
  for (std::size_t r = 0; r < pools_.size(); ++r) {
    if (pools_[r].open_claims > 0) {
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", r, pools_[r].name);
    }
  }
  throw Bug("no convergence of shares for resources that wait for each other in a cycle: " + names);
}

// Divides one resource among its open claims, given the rates that the other resources allow their
// users: the level L solves  sum of min(weight * L, demand) = room. Returns the largest relative
// change of a rate.
double MaxMinShare::refill(const Pool& pool, double damping) {
  demands_.clear();
  double weight = 0.0;
  for (std::uint32_t c = pool.first_claim; c < pool.end_claim; ++c) {
    const Claim& claim = claims_[c];
    if (!claim.open) {
      continue;
    }
    double demand = claim.used;
    for (std::uint32_t u = claim.front_begin; u < claim.end; ++u) {
      UseClass& use_class = use_classes_[uses_[u].use_class];
      use_class.cap = users_[uses_[u].user].decided ? 0.0 : cap_elsewhere(uses_[u]);
      use_class.got = std::min(use_class.rate, use_class.cap);
      demand += uses_[u].load * use_class.cap;
    }
    demands_.emplace_back(demand / claim.weight, c);
    weight += claim.weight;
  }
  std::ranges::sort(demands_);
  double room = pool.room;
  double change = 0.0;
  for (const auto& [demand_per_weight, c] : demands_) {
    const Claim& claim = claims_[c];
    const double level = std::max(0.0, room / weight);
    const bool content = demand_per_weight < level;
    const double given = claim.weight * std::min(level, demand_per_weight);
    change =
        std::max(change, split_claim(claim, content ? pool.capacity : given - claim.used, damping));
    room -= given;
    weight -= claim.weight;
  }
  return change;
}

// Serves the claim's users, oldest first, from `allowance`. Returns the largest relative change of
// a rate.
double MaxMinShare::split_claim(const Claim& claim, double allowance, double damping) {
  double change = 0.0;
  double left = std::max(0.0, allowance);
  for (std::uint32_t begin = claim.front_begin; begin < claim.end;) {
    const std::uint64_t age = users_[uses_[begin].user].age;
    double demand = 0.0;
    std::uint32_t end = begin;
    for (; end < claim.end && users_[uses_[end].user].age == age; ++end) {
      demand += uses_[end].load * use_classes_[uses_[end].use_class].cap;
    }
    const bool content = demand < left;
    const double rate = content ? 0.0 : split_age(begin, end, left);
    left = content ? left - demand : 0.0;
    for (std::uint32_t u = begin; u < end; ++u) {
      UseClass& use_class = use_classes_[uses_[u].use_class];
      // No user can be faster than with the whole resource, so that is equivalent to no limit.
      const double now = content ? pools_[claim.resource].capacity / uses_[u].load : rate;
      change = std::max(change, relative_change(use_class.got, std::min(now, use_class.cap)));
      use_class.rate = content ? now : now + damping * (use_class.got - now);
    }
    begin = end;
  }
  return change;
}

// The rate x that solves  sum of load * min(x, cap) = allowance, for the uses in [begin, end).
double MaxMinShare::split_age(std::uint32_t begin, std::uint32_t end, double allowance) {
  caps_.clear();
  double load = 0.0;
  for (std::uint32_t u = begin; u < end; ++u) {
    if (!users_[uses_[u].user].decided) {
      caps_.emplace_back(use_classes_[uses_[u].use_class].cap, uses_[u].load);
      load += uses_[u].load;
    }
  }
  std::ranges::sort(caps_);
  for (const auto& [cap, own_load] : caps_) {
    if (cap * load >= allowance) {
      return allowance / load;
    }
    allowance -= cap * own_load;
    load -= own_load;
  }
  return caps_.empty() ? 0.0 : caps_.back().first;
}

// The rate that the user's limit and its other resources allow at present; at most that with all of
// this resource.
double MaxMinShare::cap_elsewhere(const Use& use) const {
  double rate =
      std::min(users_[use.user].limit, pools_[claims_[use.claim].resource].capacity / use.load);
  for (std::uint32_t u = users_[use.user].first_use; u != kNone; u = uses_[u].next_of_user) {
    if (uses_[u].use_class != use.use_class) {
      rate = std::min(rate, use_classes_[uses_[u].use_class].rate);
    }
  }
  return rate;
}

}  // namespace cairn::sim
