// Equivalent users and resources of a cycle (max_min_cycle.cpp).
//
// Fair shares need not be unique. Take two collectives, each of three ranks around a ring of six
// memories, whose messages pass through the memories of the other one: on every memory a collective
// has four messages of its own and forwards two. Fairness only requires that memories are full and
// that users with less than others are limited elsewhere; so one pair of ranks may get more than
// another. A folded program (fold.hpp) would never find such shares. So users of the same resources
// in the same proportions get the same rate.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cairn/sim/max_min_share.hpp"

namespace cairn::sim {

namespace {

// Values that differ only by rounding are equal.
Colour mix_rounded(Colour colour, double value) {
  constexpr double kSteps = 1U << 30U;
  if (!std::isfinite(value)) {
    return mix_value(colour, value);
  }
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return mix_value(mix(colour, static_cast<Colour>(exponent + 4096)),
                   std::round(mantissa * kSteps));
}

// The first of `members` of each colour, in order.
std::vector<std::uint32_t> first_of_each(std::vector<std::uint32_t> members,
                                         const std::vector<Colour>& colours) {
  std::ranges::stable_sort(members, {}, [&](std::uint32_t member) { return colours[member]; });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return colours[a] == colours[b]; };
  members.erase(std::unique(members.begin(), members.end(), same), members.end());
  std::ranges::sort(members);
  return members;
}

}  // namespace

// Sets cycle_pools_, use_classes_ and Use::use_class.
void MaxMinShare::find_classes() {
  cycle_pools_.clear();
  for (std::uint32_t r = 0; r < pools_.size(); ++r) {
    if (pools_[r].open_claims > 0) {
      cycle_pools_.push_back(r);
    }
  }
  std::vector<std::uint32_t> number(uses_.size());
  std::iota(number.begin(), number.end(), 0U);
  if (!refine_colours()) {
    use_classes_.assign(uses_.size(), {});
    for (const std::uint32_t u : number) {
      uses_[u].use_class = u;
    }
    return;
  }
  cycle_pools_ = first_of_each(std::move(cycle_pools_), pool_colours_);
  std::vector<Colour> colours;
  colours.reserve(uses_.size());
  for (const Use& use : uses_) {
    const Colour pool = pool_colours_[claims_[use.claim].resource];
    colours.push_back(mix(mix(pool, claim_colours_[use.claim]), user_colours_[use.user]));
  }
  std::ranges::sort(number, {}, [&](std::uint32_t use) { return colours[use]; });
  use_classes_.clear();
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (i == 0 || colours[number[i]] != colours[number[i - 1]]) {
      use_classes_.emplace_back();
    }
    uses_[number[i]].use_class = static_cast<std::uint32_t>(use_classes_.size() - 1);
  }
}

// True once a further round splits no class; false if all are different.
bool MaxMinShare::refine_colours() {
  constexpr int kMaxRounds = 100;
  user_colours_.clear();
  pool_colours_.clear();
  for (std::size_t u = 0; u < users_.size(); ++u) {
    const User& user = users_[u];
    user_colours_.push_back(user.decided ? mix(u) : mix_rounded(mix(user.age, 1), user.limit));
  }
  for (std::size_t r = 0; r < pools_.size(); ++r) {
    const Pool& pool = pools_[r];
    pool_colours_.push_back(pool.open_claims == 0 ? mix(r) : mix_rounded(2, pool.room));
  }
  claim_colours_.assign(claims_.size(), 0);
  std::vector<Colour> met_by_user;
  std::size_t classes = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    refine_once(met_by_user);
    const std::size_t now = distinct(user_colours_) + distinct(pool_colours_);
    if (now == users_.size() + pools_.size()) {
      return false;
    }
    if (now == classes) {
      return true;
    }
    classes = now;
  }
  return false;
}

// New colour = old colour and the multiset of neighbours' colours; sums of mixed colours represent
// multisets. The neighbours of users are claims, their issuers on a resource.
void MaxMinShare::refine_once(std::vector<Colour>& met_by_user) {
  met_by_user.assign(users_.size(), 0);
  for (const std::uint32_t r : cycle_pools_) {
    const Pool& pool = pools_[r];
    Colour met = 0;
    for (std::uint32_t c = pool.first_claim; c < pool.end_claim; ++c) {
      const Claim& claim = claims_[c];
      if (!claim.open) {
        continue;
      }
      Colour users = 0;
      for (std::uint32_t u = claim.front_begin; u < claim.end; ++u) {
        if (!users_[uses_[u].user].decided) {
          users += mix_rounded(user_colours_[uses_[u].user], uses_[u].load);
        }
      }
      const Colour colour = mix(mix_rounded(mix_rounded(3, claim.weight), claim.used), users);
      claim_colours_[c] = colour;
      met += mix(colour);
      for (std::uint32_t u = claim.front_begin; u < claim.end; ++u) {
        met_by_user[uses_[u].user] += mix_rounded(mix(pool_colours_[r], colour), uses_[u].load);
      }
    }
    pool_colours_[r] = mix(pool_colours_[r], met);
  }
  for (std::size_t u = 0; u < users_.size(); ++u) {
    user_colours_[u] = users_[u].decided ? user_colours_[u] : mix(user_colours_[u], met_by_user[u]);
  }
}

}  // namespace cairn::sim
