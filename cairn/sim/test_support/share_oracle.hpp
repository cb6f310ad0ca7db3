// Two references for shares, for tests: the textbook's algorithm for the classic
// case, and the definition in max_min_share.hpp for any.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cairn/sim/test_support/share_problem.hpp"

namespace cairn::sim::test {

// Progressive filling, as in the textbook: all rates grow in proportion to their weights; a user
// stops at its limit or at a full resource. `level` is the common rate per weight.
class ProgressiveFilling {
 public:
  explicit ProgressiveFilling(const ShareProblem& problem)
      : problem_(problem), rates_(problem.users.size(), 0.0), stopped_(rates_.size(), false) {}

  std::vector<double> run() {
    while (std::ranges::find(stopped_, false) != stopped_.end()) {
      const double level = next_level();
      std::vector<bool> stops(rates_.size());
      for (std::size_t u = 0; u < rates_.size(); ++u) {
        stops[u] = !stopped_[u] && level_of(u) <= level * (1 + 1e-13);
      }
      for (std::size_t u = 0; u < rates_.size(); ++u) {
        if (stops[u]) {
          rates_[u] = std::min(problem_.users[u].limit, problem_.issuers[u].weight * level);
          stopped_[u] = true;
        }
      }
    }
    return std::move(rates_);
  }

 private:
  [[nodiscard]] bool crosses(std::size_t u, std::size_t r) const {
    return std::ranges::any_of(problem_.users[u].draws,
                               [&](const ShareDraw& d) { return d.resource == r; });
  }

  // The level at which a resource is full.
  [[nodiscard]] double full_at(std::size_t r) const {
    double room = problem_.capacities[r];
    double weight = 0.0;
    for (std::size_t u = 0; u < rates_.size(); ++u) {
      if (crosses(u, r)) {
        (stopped_[u] ? room : weight) += stopped_[u] ? -rates_[u] : problem_.issuers[u].weight;
      }
    }
    return weight > 0.0 ? room / weight : kUnlimited;
  }

  // The level at which a user stops.
  [[nodiscard]] double level_of(std::size_t u) const {
    double level = problem_.users[u].limit / problem_.issuers[u].weight;
    for (const ShareDraw& d : problem_.users[u].draws) {
      level = std::min(level, full_at(d.resource));
    }
    return level;
  }

  // The level at which the next user stops.
  [[nodiscard]] double next_level() const {
    double level = kUnlimited;
    for (std::size_t u = 0; u < rates_.size(); ++u) {
      if (!stopped_[u]) {
        level = std::min(level, level_of(u));
      }
    }
    return level;
  }

  const ShareProblem& problem_;
  std::vector<double> rates_;
  std::vector<bool> stopped_;
};

inline std::vector<double> progressive_filling(const ShareProblem& problem) {
  return ProgressiveFilling(problem).run();
}

// Checks the definition literally. Returns the violation, or an empty text.
class Certificate {
 public:
  Certificate(const ShareProblem& problem, const std::vector<double>& rates)
      : problem_(problem), rates_(rates) {}

  [[nodiscard]] std::string fault() const {
    for (std::uint32_t r = 0; r < problem_.capacities.size(); ++r) {
      if (used(r) > problem_.capacities[r] * (1 + 1e-9)) {
        return "resource " + std::to_string(r) + " is above its capacity";
      }
    }
    for (std::uint32_t u = 0; u < rates_.size(); ++u) {
      const auto holds_back = [&](const ShareDraw& d) { return held_back(u, d); };
      const auto& draws = problem_.users[u].draws;
      if (rates_[u] < problem_.users[u].limit * (1 - kSame) &&
          std::ranges::none_of(draws, holds_back)) {
        return "nothing limits user " + std::to_string(u);
      }
    }
    return {};
  }

 private:
  static constexpr double kSame = 1e-6;  // far above rounding, far below any real difference here

  template <class Filter>
  [[nodiscard]] double sum(std::uint32_t resource, const Filter& filter) const {
    double total = 0.0;
    for (std::uint32_t u = 0; u < rates_.size(); ++u) {
      for (const ShareDraw& d : problem_.users[u].draws) {
        if (d.resource == resource && filter(problem_.users[u])) {
          total += d.count * d.amount * rates_[u];
        }
      }
    }
    return total;
  }

  [[nodiscard]] double used(std::uint32_t resource) const {
    return sum(resource, [](const ShareUser&) { return true; });
  }

  [[nodiscard]] double share(std::uint32_t resource, std::uint32_t issuer) const {
    return sum(resource, [&](const ShareUser& user) { return user.issuer == issuer; }) /
           problem_.issuer(issuer).weight;
  }

  [[nodiscard]] bool held_back(std::uint32_t u, const ShareDraw& draw) const {
    const ShareUser& user = problem_.users[u];
    const double capacity = problem_.capacities[draw.resource];
    const double noise = capacity * kSame;
    if (used(draw.resource) < capacity - noise) {
      return false;
    }
    for (const ShareUser& other : problem_.users) {
      if (share(draw.resource, other.issuer) > share(draw.resource, user.issuer) + noise) {
        return false;
      }
    }
    const double younger = sum(draw.resource, [&](const ShareUser& other) {
      return other.issuer == user.issuer && other.age > user.age;
    });
    return younger <= noise && peers_have_no_more(u, draw, noise);
  }

  [[nodiscard]] bool peers_have_no_more(std::uint32_t u,
                                        const ShareDraw& draw,
                                        double noise) const {
    for (std::uint32_t v = 0; v < rates_.size(); ++v) {
      const ShareUser& peer = problem_.users[v];
      if (peer.issuer != problem_.users[u].issuer || peer.age != problem_.users[u].age) {
        continue;
      }
      for (const ShareDraw& d : peer.draws) {
        if (d.resource == draw.resource && d.count * d.amount * (rates_[v] - rates_[u]) > noise) {
          return false;
        }
      }
    }
    return true;
  }

  const ShareProblem& problem_;
  const std::vector<double>& rates_;
};

}  // namespace cairn::sim::test
