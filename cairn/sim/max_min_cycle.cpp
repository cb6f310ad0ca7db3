// The rare case of MaxMinShare: resources that wait for each other in a circle. User 1 may be held
// back by resource A and user 2 by resource B although both use both, so that neither resource can
// be finished first. The shares are then the solution of coupled equations, found by filling one
// resource at a time given the others (Gauss-Seidel) until nothing changes.
#include <algorithm>
#include <cmath>

#include "cairn/sim/max_min_share.hpp"

namespace cairn::sim {

namespace {

double relative_change(double before, double after) {
  return before == after ? 0.0 : std::abs(after - before) / std::max(before, after);
}

}  // namespace

// Decides everybody who is left. Damping keeps two resources from passing the same users to and
// fro.
void MaxMinShare::resolve_cycle() {
  constexpr int kMaxSweeps = 2000;
  constexpr int kUndampedSweeps = 4;
  constexpr double kConverged = 1e-12;
  for (std::uint32_t u = 0; u < uses_.size(); ++u) {
    const Claim& claim = claims_[uses_[u].claim];
    uses_[u].cycle_rate = claim.open && in_front(u) ? front_rate(claim) : 0.0;
  }
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    for (const Pool& pool : pools_) {
      if (pool.open_claims > 0) {
        change = std::max(change, refill(pool, sweep < kUndampedSweeps ? 0.0 : 0.5));
      }
    }
    if (change < kConverged) {
      break;
    }
  }
  for (std::uint32_t i = 0; i < users_.size(); ++i) {
    if (users_[i].decided) {
      continue;
    }
    Verdict verdict{.user = i, .held_by = kNone, .rate = users_[i].limit};
    for (std::uint32_t u = users_[i].first_use; u != kNone; u = uses_[u].next_of_user) {
      if (uses_[u].cycle_rate < verdict.rate) {
        verdict.rate = uses_[u].cycle_rate;
        verdict.held_by = claims_[uses_[u].claim].resource;
      }
    }
    verdicts_.push_back(verdict);
  }
  scale_to_fit();
  decide_all();
}

// Rates that did not converge quite must still respect every capacity.
void MaxMinShare::scale_to_fit() {
  std::vector<double> free(pools_.size());
  std::vector<double> load(pools_.size(), 0.0);
  for (std::size_t r = 0; r < pools_.size(); ++r) {
    free[r] = pools_[r].capacity;
  }
  for (const Claim& claim : claims_) {
    free[claim.resource] = std::max(0.0, free[claim.resource] - claim.used);
  }
  for (const Verdict& v : verdicts_) {
    for (std::uint32_t u = users_[v.user].first_use; u != kNone; u = uses_[u].next_of_user) {
      load[claims_[uses_[u].claim].resource] += uses_[u].load * v.rate;
    }
  }
  for (Verdict& v : verdicts_) {
    double factor = 1.0;
    for (std::uint32_t u = users_[v.user].first_use; u != kNone; u = uses_[u].next_of_user) {
      const std::uint32_t r = claims_[uses_[u].claim].resource;
      if (load[r] > free[r]) {
        factor = std::min(factor, free[r] / load[r]);
      }
    }
    v.rate *= factor;
  }
}

// Divides one resource among its open claims, given what their users can use in view of the other
// resources: the level L solves  sum of min(weight * L, demand) = room. Returns how much what users
// get has changed.
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
      uses_[u].cycle_cap = users_[uses_[u].user].decided ? 0.0 : cap_elsewhere(uses_[u]);
      demand += uses_[u].load * uses_[u].cycle_cap;
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

// Serves the claim's users, oldest first, from `allowance`. Returns how much what they get has
// changed.
double MaxMinShare::split_claim(const Claim& claim, double allowance, double damping) {
  double change = 0.0;
  double left = std::max(0.0, allowance);
  for (std::uint32_t begin = claim.front_begin; begin < claim.end;) {
    const std::uint64_t age = users_[uses_[begin].user].age;
    double demand = 0.0;
    std::uint32_t end = begin;
    for (; end < claim.end && users_[uses_[end].user].age == age; ++end) {
      demand += uses_[end].load * uses_[end].cycle_cap;
    }
    const bool content = demand < left;
    const double rate = content ? 0.0 : split_age(begin, end, left);
    left = content ? left - demand : 0.0;
    for (std::uint32_t u = begin; u < end; ++u) {
      Use& use = uses_[u];
      // Nobody can be faster than with the whole resource, so that is as good as no limit.
      const double now = content ? pools_[claim.resource].capacity / use.load : rate;
      const double got = std::min(use.cycle_rate, use.cycle_cap);
      use.cycle_rate = now + damping * (use.cycle_rate - now);
      change = std::max(change, relative_change(got, std::min(use.cycle_rate, use.cycle_cap)));
    }
    begin = end;
  }
  return change;
}

// The rate x that solves  sum of load * min(x, what it can use) = allowance, for the uses in
// [begin, end).
double MaxMinShare::split_age(std::uint32_t begin, std::uint32_t end, double allowance) {
  caps_.clear();
  double load = 0.0;
  for (std::uint32_t u = begin; u < end; ++u) {
    if (!users_[uses_[u].user].decided) {
      caps_.emplace_back(uses_[u].cycle_cap, uses_[u].load);
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

// The rate that the user's limit and other resources let it have, by present knowledge; no more
// than with all of this resource.
double MaxMinShare::cap_elsewhere(const Use& use) const {
  double rate =
      std::min(users_[use.user].limit, pools_[claims_[use.claim].resource].capacity / use.load);
  for (std::uint32_t u = users_[use.user].first_use; u != kNone; u = uses_[u].next_of_user) {
    if (&uses_[u] != &use) {
      rate = std::min(rate, uses_[u].cycle_rate);
    }
  }
  return rate;
}

}  // namespace cairn::sim
