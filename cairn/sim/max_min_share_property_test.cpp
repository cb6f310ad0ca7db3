// Properties of sharing over random problems, against a brute-force reference and against the
// definition in max_min_share.hpp.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "cairn/sim/test_support/share_oracle.hpp"
#include "cairn/sim/test_support/share_problem.hpp"

namespace cairn::sim {
namespace {

using test::Certificate;
using test::kUnlimited;
using test::progressive_filling;
using test::ShareDraw;
using test::ShareProblem;
using test::ShareUser;
using test::solve;

double pick(std::initializer_list<double> values) {
  return *rc::gen::elementOf(std::vector<double>(values));
}

std::uint32_t below(std::size_t end) {
  return *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(end));
}

double random_limit() {
  return *rc::gen::inRange(0, 3) == 0 ? *rc::gen::inRange(1, 40) * 0.25 : kUnlimited;
}

std::vector<double> random_capacities() {
  std::vector<double> capacities(*rc::gen::inRange<std::size_t>(1, 6));
  for (double& capacity : capacities) {
    capacity = *rc::gen::inRange(1, 100) * 0.25;
  }
  return capacities;
}

// Draws on one to three distinct resources.
std::vector<ShareDraw> random_draws(std::size_t resources, bool unit_amounts) {
  std::vector<ShareDraw> draws;
  const std::size_t wanted = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < wanted; ++i) {
    const ShareDraw draw{below(resources), unit_amounts ? 1.0 : pick({0.5, 1.0, 1.5, 2.0, 3.0})};
    const auto same = [&](const ShareDraw& other) { return other.resource == draw.resource; };
    if (std::ranges::none_of(draws, same)) {
      draws.push_back(draw);
    }
  }
  return draws;
}

// One user per issuer, unit amounts: classic weighted max-min.
ShareProblem build_plain_problem() {
  ShareProblem problem{random_capacities(), {}, {}};
  const std::uint32_t users = *rc::gen::inRange<std::uint32_t>(1, 10);
  for (std::uint32_t u = 0; u < users; ++u) {
    problem.users.push_back({u, random_draws(problem.capacities.size(), true), random_limit()});
    problem.issuers.push_back({pick({0.5, 1.0, 2.0, 3.0})});
  }
  return problem;
}

struct Mix {
  bool unit_amounts = false;
  bool several_per_issuer = true;
  bool ages = false;  // several chunks of an issuer, served oldest first
  bool counts = false;
};

ShareProblem build_mixed_problem(const Mix& mix) {
  ShareProblem problem{random_capacities(), {}, {}};
  const std::uint32_t users = *rc::gen::inRange<std::uint32_t>(1, 10);
  const std::uint32_t issuers = mix.several_per_issuer ? 1 + below(users) : users;
  for (std::uint32_t i = 0; i < issuers; ++i) {
    problem.issuers.push_back({pick({0.5, 1.0, 2.0, 3.0})});
  }
  for (std::uint32_t u = 0; u < users; ++u) {
    const std::uint32_t issuer = mix.several_per_issuer ? below(issuers) : u;
    ShareUser user{issuer,
                   random_draws(problem.capacities.size(), mix.unit_amounts),
                   random_limit(),
                   mix.ages ? below(3) : 0};
    for (ShareDraw& draw : user.draws) {
      draw.count = mix.counts ? 1 + below(4) : 1.0;
    }
    problem.users.push_back(std::move(user));
  }
  return problem;
}

// Built as one value, so that RapidCheck prints the problem and not each number of it.
ShareProblem plain_problem() {
  return *rc::gen::exec(build_plain_problem);
}

ShareProblem mixed_problem(const Mix& mix) {
  return *rc::gen::exec([mix] { return build_mixed_problem(mix); });
}

// Relative to the larger, or to what the largest user gets: a dozen users cost some hundred
// roundings of 1e-16, the solver's ties 1e-12, and a younger chunk may be left such a rounding
// error where older ones use a resource up exactly.
bool same_rate(double a, double b, double largest) {
  return a == b || std::abs(a - b) <= 1e-9 * std::max({a, b, 1e-3 * largest});
}

std::string in_words(const std::vector<double>& rates) {
  std::string text;
  for (const double rate : rates) {
    text += std::to_string(rate) + " ";
  }
  return text;
}

void assert_same(const std::vector<double>& a, const std::vector<double>& b) {
  RC_LOG() << "rates " << in_words(a) << "and " << in_words(b) << "\n";
  RC_ASSERT(a.size() == b.size());
  const double largest = *std::ranges::max_element(a);
  for (std::size_t u = 0; u < a.size(); ++u) {
    RC_ASSERT(same_rate(a[u], b[u], largest));
  }
}

void assert_fair(const ShareProblem& problem) {
  const std::vector<double> rates = solve(problem);
  const std::string fault = Certificate(problem, rates).fault();

  RC_LOG() << fault << "; rates " << in_words(rates) << "\n";
  RC_ASSERT(fault.empty());
}

TEST(MaxMinShareProperty, EqualsProgressiveFilling) {
  EXPECT_TRUE(rc::check("one user per issuer, unit amounts, weights and limits", [] {
    const ShareProblem problem = plain_problem();

    assert_same(solve(problem), progressive_filling(problem));
  }));
}

TEST(MaxMinShareProperty, EveryUserIsLimitedBySomething) {
  EXPECT_TRUE(rc::check("one user per issuer",
                        [] { assert_fair(mixed_problem({.several_per_issuer = false})); }));
  EXPECT_TRUE(rc::check("several users per issuer, equal ages, unit amounts",
                        [] { assert_fair(mixed_problem({.unit_amounts = true})); }));
  EXPECT_TRUE(
      rc::check("several users per issuer, equal ages", [] { assert_fair(mixed_problem({})); }));
  EXPECT_TRUE(rc::check("several users per issuer, equal ages, folded classes",
                        [] { assert_fair(mixed_problem({.counts = true})); }));
}

TEST(MaxMinShareProperty, EveryChunkIsLimitedByAResourceOrOlderChunks) {
  EXPECT_TRUE(rc::check("unit amounts",
                        [] { assert_fair(mixed_problem({.unit_amounts = true, .ages = true})); }));
  EXPECT_TRUE(rc::check("unequal amounts", [] { assert_fair(mixed_problem({.ages = true})); }));
  EXPECT_TRUE(rc::check("folded classes",
                        [] { assert_fair(mixed_problem({.ages = true, .counts = true})); }));
}

// Chunks of several ages and amounts up to 64 times apart: resources wait for each other in
// cycles, around which a change may return many times larger.
ShareProblem entangled_problem(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto any = [&](std::uint32_t first, std::uint32_t last) {
    return std::uniform_int_distribution<std::uint32_t>(first, last)(random);
  };
  ShareProblem problem;
  for (std::uint32_t r = any(2, 16); r > 0; --r) {
    problem.capacities.push_back(0.1 * any(1, 100));
  }
  const auto resources = static_cast<std::uint32_t>(problem.capacities.size());
  const std::uint32_t users = any(2, 24);
  const std::uint32_t issuers = any(1, users);
  for (std::uint32_t i = 0; i < issuers; ++i) {
    problem.issuers.push_back({0.5 * any(1, 6)});
  }
  for (std::uint32_t u = 0; u < users; ++u) {
    ShareUser user{
        any(0, issuers - 1), {}, any(0, 3) == 0 ? 0.5 * any(1, 6) : kUnlimited, any(0, 3)};
    for (std::uint32_t r = 0; r < resources; ++r) {
      if (any(1, resources) <= 4) {
        user.draws.push_back({r, std::exp2(0.5 * any(0, 12)), 1.0 * any(1, 4)});
      }
    }
    problem.users.push_back(std::move(user));
  }
  return problem;
}

TEST(MaxMinShareProperty, EveryCycleIsResolved) {
  EXPECT_TRUE(rc::check([] {
    const auto first = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint32_t more = 0; more < 10; ++more) {
      const ShareProblem problem = entangled_problem(first + more);
      const std::string fault = Certificate(problem, solve(problem)).fault();

      RC_LOG() << "seed " << first + more << ": " << fault << problem << "\n";
      RC_ASSERT(fault.empty());
    }
  }));
}

TEST(MaxMinShareProperty, MoreCapacityOfASingleResourceSlowsNoUser) {
  EXPECT_TRUE(rc::check([] {
    ShareProblem problem = mixed_problem({.ages = true, .counts = true});
    for (ShareUser& user : problem.users) {
      user.draws.resize(1);
      user.draws.front().resource = 0;
    }

    const std::vector<double> before = solve(problem);
    problem.capacities[0] *= 1.0 + *rc::gen::inRange(0, 100) * 0.05;
    const std::vector<double> after = solve(problem);

    for (std::size_t u = 0; u < before.size(); ++u) {
      RC_ASSERT(after[u] >= before[u] * (1 - 1e-9));
    }
  }));
}

TEST(MaxMinShareProperty, ScalingCapacitiesAndLimitsScalesRates) {
  EXPECT_TRUE(rc::check([] {
    ShareProblem problem = mixed_problem({.ages = true, .counts = true});
    const double factor = pick({1e-9, 0.3, 7.0, 1e9});

    std::vector<double> expected = solve(problem);
    for (double& capacity : problem.capacities) {
      capacity *= factor;
    }
    for (ShareUser& user : problem.users) {
      user.limit *= factor;
    }
    for (double& rate : expected) {
      rate *= factor;
    }

    assert_same(solve(problem), expected);
  }));
}

TEST(MaxMinShareProperty, TheOrderOfResourcesDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const ShareProblem problem = mixed_problem({.unit_amounts = true, .ages = true});
    std::vector<std::uint32_t> reversed(problem.capacities.size());
    std::iota(reversed.rbegin(), reversed.rend(), 0U);
    MaxMinShare sharing;

    assert_same(solve(sharing, problem, reversed), solve(problem));
  }));
}

}  // namespace
}  // namespace cairn::sim
