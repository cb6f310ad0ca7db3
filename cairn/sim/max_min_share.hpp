// Weighted max-min sharing in the unit of the contended resource.
//
// Given users (activities) that draw on resources in fixed proportion, find rates x such that
//
//   sum over users of count * amount * x  <=  capacity            on every resource, and
//   every user is limited by something: its own limit, or a saturated resource on which
//   - its issuer has no smaller share (per weight, in the resource's unit) than any other issuer,
//   and
//   - within the issuer, only older users, and users of equal age that are no faster, take what it
//     lacks.
//
// With one user per issuer and unit amounts this is the classic max-min fairness (Bertsekas &
// Gallager, Data Networks, 6.5.2). With unequal amounts it is, between issuers, the bottleneck max
// fairness of Bonald & Roberts ("Multi-resource fairness", SIGMETRICS 2015): shares are equal in
// bytes/s of the contended memory or link, not in progress. Within an issuer, equal ages progress
// equally: shares in the resource's unit would not be unique there when messages are split over
// several paths.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/sim/colour.hpp"

namespace cairn::sim {

// A problem is filled in resource by resource; within a resource, users must come grouped by issuer
// and, within an issuer, oldest first. The solver keeps its memory between problems.
class MaxMinShare {
 public:
  void clear();

  // `name` is for error messages and must outlive the problem.
  std::uint32_t add_resource(double capacity, std::string_view name = {});

  // `limit` is the user's own speed limit.
  std::uint32_t add_user(std::uint32_t issuer, std::uint64_t age, double limit);

  // The user draws `amount` per unit of progress on the resource added last, `count` times; at most
  // once per resource. `weight` is that of its issuer here; for an issuer per member it is
  // multiplied by `count`.
  void add_draw(std::uint32_t user, double amount, double count, double weight, bool per_member);

  // Takes `amount` off the capacity of the resource added last.
  void reserve(double amount);

  // The rates, by user, in progress per second. Throws Bug, naming the resources, if it finds none.
  std::span<const double> solve();

  // The same, after solve().
  [[nodiscard]] std::span<const double> rates() const { return rates_; }

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // After solve(): the resource that limits the user; kNone: its own limit.
  [[nodiscard]] std::uint32_t held_back_by(std::uint32_t user) const {
    return users_[user].held_by;
  }

  // Uses of a resource by a user examined so far, in all problems.
  [[nodiscard]] std::uint64_t effort() const { return effort_; }

 private:
  // One user on one resource.
  struct Use {
    std::uint32_t user;
    std::uint32_t claim;
    std::uint32_t next_of_user;
    double load;                  // units drawn per unit of progress: amount * count
    std::uint32_t use_class = 0;  // while a cycle is being resolved: index into use_classes_
  };

  // Equivalent users in equivalent claims, while a cycle is being resolved. A user with several
  // uses of one class has the same rate in all of them.
  struct UseClass {
    double rate = 0.0;  // granted to each use
    double cap = 0.0;   // maximum given the other resources
    double got = 0.0;   // granted before
  };

  // One issuer on one resource: its uses are consecutive, oldest first. The front shares the
  // issuer's part; uses behind it wait for what the front leaves.
  struct Claim {
    std::uint32_t resource;
    std::uint32_t issuer;
    double weight;
    std::uint32_t end;              // one past its last use
    std::uint32_t front_begin = 0;  // the front: its oldest undecided uses, all of one age
    std::uint32_t front_end = 0;
    std::uint32_t undecided_in_front = 0;
    double front_load = 0.0;  // sum of their loads
    double used = 0.0;        // by users whose rate is final
    bool open = true;         // has undecided uses
  };

  struct Pool {
    double capacity;
    std::string_view name;
    std::uint32_t first_claim;
    std::uint32_t end_claim;
    double room = 0.0;         // capacity less what closed claims use
    double open_weight = 0.0;  // sum of weights of open claims
    double level = 0.0;        // room / open_weight: what an open claim gets per weight
    std::uint32_t open_claims = 0;
    std::uint32_t first_waiting = kNone;  // resources to examine again when this one is finished
    std::uint32_t next_waiting = kNone;   // the next in the list this one is in
    bool queued = false;
  };

  // The use that grants its user the lowest rate, and that rate.
  struct LowestRate {
    std::uint32_t use = kNone;
    double rate = std::numeric_limits<double>::infinity();
  };

  struct User {
    std::uint64_t age;
    double limit;
    std::uint32_t issuer;
    std::uint32_t first_use = kNone;
    std::uint32_t held_by = kNone;
    bool decided = false;
    bool compared = false;  // whether `lowest` and `next` are known
    LowestRate lowest{};    // among its uses
    LowestRate next{};      // among the others
  };

  struct Verdict {
    std::uint32_t user;
    std::uint32_t held_by;
    double rate;
  };

  void prepare();
  void move_front(Claim& claim, std::uint32_t begin);
  void decide(std::uint32_t user, double rate, std::uint32_t held_by);
  void decide_all();
  void enqueue(std::uint32_t resource);
  void enqueue_all();
  void try_finish(std::uint32_t resource);
  void saturate(std::uint32_t resource);
  void resolve_cycle();
  void find_classes();
  bool refine_colours();
  void refine_once(std::vector<Colour>& met_by_user);
  bool settles(std::uint32_t round);
  [[noreturn]] void report_unresolved_cycle() const;
  double refill(const Pool& pool, double damping);
  double split_claim(const Claim& claim, double allowance, double damping);
  double split_age(std::uint32_t begin, std::uint32_t end, double allowance);

  [[nodiscard]] double front_rate(const Claim& claim) const;
  [[nodiscard]] bool in_front(std::uint32_t use) const;
  [[nodiscard]] double granted(std::uint32_t use) const;
  void compare_uses(User& user);
  void forget_comparisons();
  [[nodiscard]] std::pair<double, std::uint32_t> lowest_rate_elsewhere(std::uint32_t use);
  [[nodiscard]] double cap_elsewhere(const Use& use) const;

  std::vector<Use> uses_;
  std::vector<Claim> claims_;
  std::vector<Pool> pools_;
  std::vector<User> users_;
  std::vector<double> rates_;
  std::size_t undecided_ = 0;
  std::uint64_t effort_ = 0;

  std::vector<std::uint32_t> queue_;                       // resources to examine
  std::vector<Verdict> verdicts_;                          // users to be decided next
  std::vector<std::pair<double, std::uint32_t>> demands_;  // scratch of refill()
  std::vector<std::pair<double, double>> caps_;            // scratch of split_age()

  // While a cycle is being resolved.
  std::vector<UseClass> use_classes_;
  std::vector<std::uint32_t> cycle_pools_;  // one of each class
  std::vector<Colour> user_colours_;
  std::vector<Colour> pool_colours_;
  std::vector<Colour> claim_colours_;
};

}  // namespace cairn::sim
