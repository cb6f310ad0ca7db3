// A sharing problem as a value, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <vector>

#include "cairn/sim/max_min_share.hpp"

namespace cairn::sim::test {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct ShareDraw {
  std::uint32_t resource = 0;
  double amount = 1.0;
  double count = 1.0;
};

struct ShareUser {
  std::uint32_t issuer = 0;
  std::vector<ShareDraw> draws;
  double limit = kUnlimited;
  std::uint64_t age = 0;
};

struct ShareIssuer {
  double weight = 1.0;
  bool per_member = false;
};

struct ShareProblem {
  std::vector<double> capacities;
  std::vector<ShareUser> users;
  std::vector<ShareIssuer> issuers;  // those beyond the end have weight 1

  [[nodiscard]] ShareIssuer issuer(std::uint32_t i) const {
    return i < issuers.size() ? issuers[i] : ShareIssuer{};
  }
};

// Rates by user. Resources are handed to the solver in the order of `resource_order`.
inline std::vector<double> solve(MaxMinShare& sharing,
                                 const ShareProblem& problem,
                                 const std::vector<std::uint32_t>& resource_order) {
  std::vector<std::uint32_t> users(problem.users.size());
  std::iota(users.begin(), users.end(), 0U);
  sharing.clear();
  for (const ShareUser& user : problem.users) {
    sharing.add_user(user.issuer, user.age, user.limit);
  }
  // The solver asks for users grouped by issuer, oldest first.
  std::ranges::stable_sort(users, [&](std::uint32_t a, std::uint32_t b) {
    const ShareUser& x = problem.users[a];
    const ShareUser& y = problem.users[b];
    return x.issuer < y.issuer || (x.issuer == y.issuer && x.age < y.age);
  });
  for (const std::uint32_t r : resource_order) {
    sharing.add_resource(problem.capacities[r]);
    for (const std::uint32_t u : users) {
      const ShareUser& user = problem.users[u];
      const ShareIssuer issuer = problem.issuer(user.issuer);
      for (const ShareDraw& draw : user.draws) {
        if (draw.resource == r) {
          sharing.add_draw(u, draw.amount, draw.count, issuer.weight, issuer.per_member);
        }
      }
    }
  }
  const auto rates = sharing.solve();
  return {rates.begin(), rates.end()};
}

inline std::vector<double> solve(const ShareProblem& problem) {
  MaxMinShare sharing;
  std::vector<std::uint32_t> order(problem.capacities.size());
  std::iota(order.begin(), order.end(), 0U);
  return solve(sharing, problem, order);
}

// RapidCheck prints counterexamples with this.
inline std::ostream& operator<<(std::ostream& out, const ShareProblem& problem) {
  out.precision(17);
  for (std::size_t r = 0; r < problem.capacities.size(); ++r) {
    out << "\n  resource " << r << ": " << problem.capacities[r];
  }
  for (std::size_t u = 0; u < problem.users.size(); ++u) {
    const ShareUser& user = problem.users[u];
    const ShareIssuer issuer = problem.issuer(user.issuer);
    out << "\n  user " << u << ": issuer " << user.issuer << " (weight " << issuer.weight
        << (issuer.per_member ? " per member" : "") << "), age " << user.age << ", limit "
        << user.limit << ", draws";
    for (const ShareDraw& draw : user.draws) {
      out << "  " << draw.amount << " x" << draw.count << " on " << draw.resource;
    }
  }
  return out;
}

}  // namespace cairn::sim::test
