// Invariants for any activities on any resources.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include "cairn/sim/engine.hpp"
#include "cairn/sim/test_support/engine_world.hpp"
#include "cairn/sim/test_support/share_oracle.hpp"
#include "cairn/sim/test_support/workload.hpp"

namespace cairn::sim {

// Not in an anonymous namespace, where they would not be found by their arguments.
// NOLINTBEGIN(misc-use-anonymous-namespace)
static std::ostream& operator<<(std::ostream& out, const Completion& c) {
  return out << c.tag << ": " << c.submitted.picoseconds() << " " << c.admitted.picoseconds() << " "
             << c.finished.picoseconds() << " ps";
}

static bool operator==(const Completion& a, const Completion& b) {
  return a.tag == b.tag && a.submitted == b.submitted && a.admitted == b.admitted &&
         a.finished == b.finished;
}

// NOLINTEND(misc-use-anonymous-namespace)

namespace {

using test::Arrival;
using test::kGigabyte;
using test::Workload;
using test::workload;

double weight_of(std::uint32_t issuer) {
  return 1.0 + issuer % 3;
}

// The engine solves only the activities that a change affects; the shares of all must be fair.
void assert_fair(Engine& engine, const Workload& w) {
  test::ShareProblem problem{w.capacities, {}, {}};
  for (std::uint32_t i = 0; i < w.issuers; ++i) {
    problem.issuers.push_back({weight_of(i), false});
  }
  std::vector<double> rates;
  for (const auto& [tag, rate] : engine.rates()) {
    if (tag == w.arrivals.size()) {
      continue;  // the clock
    }
    const Arrival& arrival = w.arrivals[tag];
    if (arrival.work == 0.0) {
      return;  // it completes at this same instant, and shares are final only then
    }
    test::ShareUser user{arrival.issuer, {}, w.alone_rate(arrival), arrival.age};
    for (const Draw& draw : arrival.demand.draws) {
      user.draws.push_back({draw.resource.value, draw.amount, draw.count});
    }
    problem.users.push_back(std::move(user));
    rates.push_back(rate);
  }
  const std::string fault = test::Certificate(problem, rates).fault();
  if (!fault.empty()) {
    RC_LOG() << fault << " at " << engine.now().picoseconds() << " ps; rates";
    for (const double rate : rates) {
      RC_LOG() << " " << rate;
    }
    RC_LOG() << problem << "\n";
  }
  RC_ASSERT(fault.empty());
}

// Completions in order. At each stop shares must be fair and no resource above its capacity.
std::vector<Completion> carry_out(Engine& engine, const Workload& w) {
  for (const double capacity : w.capacities) {
    engine.add(test::link("link", capacity));
  }
  for (const double slots : w.slots) {
    engine.add(test::pool("pool", slots));
  }
  for (std::uint32_t i = 0; i < w.issuers; ++i) {
    engine.add(Issuer{"issuer", weight_of(i)});
  }
  // An idle engine's clock stands still; this one ticks until the last arrival.
  const double last_ns = w.arrivals.back().at.since(SimTime()).si() * 1e9;
  const Id<Demand> tick = engine.add(test::drawing(std::vector<Draw>{}, 0.0, kGigabyte));
  engine.submit(test::activity(tick, Id<Issuer>(0), last_ns + 1.0, w.arrivals.size()));
  std::vector<Completion> done;
  std::size_t next = 0;
  const auto advance = [&](SimTime until) {
    while (true) {
      const auto completions = engine.advance(until);
      std::ranges::copy_if(completions, std::back_inserter(done), [&](auto& c) {
        return c.tag != w.arrivals.size();
      });
      if (completions.empty()) {
        return;
      }
      // Not while more arrive at this instant: reading rates grants pending requests.
      if (next == w.arrivals.size() || w.arrivals[next].at > engine.now()) {
        assert_fair(engine, w);
      }
    }
  };
  for (; next < w.arrivals.size(); ++next) {
    const Arrival& arrival = w.arrivals[next];
    if (arrival.at > engine.now()) {
      assert_fair(engine, w);
      advance(arrival.at);
    }
    Activity a =
        test::activity(engine.add(arrival.demand), Id<Issuer>(arrival.issuer), arrival.work, next);
    a.age = arrival.age;
    engine.submit(a);
  }
  assert_fair(engine, w);
  advance(SimTime::never());
  return done;
}

std::vector<Completion> carry_out(const Workload& w) {
  Engine engine;
  return carry_out(engine, w);
}

std::vector<SimTime> finish_times(const Workload& w) {
  std::vector<SimTime> finished(w.arrivals.size());
  for (const Completion& c : carry_out(w)) {
    finished[c.tag] = c.finished;
  }
  return finished;
}

TEST(EngineProperty, EverythingCompletesOnceAndBytesAreConserved) {
  EXPECT_TRUE(rc::check([] {
    const Workload w = workload({});
    Engine engine;

    const std::vector<Completion> done = carry_out(engine, w);

    std::vector<int> completed(w.arrivals.size(), 0);
    for (const Completion& c : done) {
      ++completed[c.tag];
      RC_ASSERT(c.submitted == w.arrivals[c.tag].at);
      RC_ASSERT(c.submitted <= c.admitted);
      RC_ASSERT(c.admitted <= c.finished);
    }
    RC_ASSERT(std::count(completed.begin(), completed.end(), 1) ==
              static_cast<std::ptrdiff_t>(completed.size()));
    RC_ASSERT(engine.idle());
    for (std::size_t r = 0; r < w.capacities.size(); ++r) {
      // A sum of at most a dozen products.
      RC_ASSERT(std::abs(engine.drawn(Id<Resource>(r)) - w.load(r)) <= 1e-12 * w.load(r));
    }
    for (std::size_t h = 0; h < w.slots.size(); ++h) {
      RC_ASSERT(engine.peak_held(Id<Resource>(w.capacities.size() + h)) <= w.slots[h]);
    }
  }));
}

TEST(EngineProperty, SharesAreFairAtEachInstant) {
  EXPECT_TRUE(rc::check("each activity an issuer of its own", [] {
    carry_out(workload({.max_resources = 10, .own_issuers = true, .max_arrivals = 30}));
  }));
  EXPECT_TRUE(rc::check("three issuers with chunks of several ages",
                        [] { carry_out(workload({.max_resources = 10, .max_arrivals = 30})); }));
}

TEST(EngineProperty, NoActivityBeatsItsLowerBounds) {
  EXPECT_TRUE(rc::check([] {
    const Workload w = workload({.spread_arrivals = false});

    const std::vector<SimTime> finished = finish_times(w);

    // 1 ps: the event clock drops noise below 1/1000 ps per event.
    const double last = std::ranges::max_element(finished)->since(SimTime()).si();
    for (std::size_t r = 0; r < w.capacities.size(); ++r) {
      RC_ASSERT(last >= w.load(r) / w.capacities[r] - 1e-12);
    }
    for (std::size_t i = 0; i < finished.size(); ++i) {
      RC_ASSERT(finished[i].since(SimTime()).si() >= w.alone(w.arrivals[i]).si() - 1e-12);
    }
  }));
}

TEST(EngineProperty, WithoutContentionEachTakesAsLongAsAlone) {
  EXPECT_TRUE(rc::check([] {
    Workload w = workload({.holds = false});
    w.arrivals.resize(1);
    w.arrivals[0].at = SimTime();

    RC_ASSERT(finish_times(w)[0] == after(SimTime(), w.alone(w.arrivals[0])));
  }));
}

// On one resource the remaining activities get no less when others finish earlier, so by induction
// no progress is ever behind. (Over several resources this is not a theorem.)
TEST(EngineProperty, MoreCapacityOfASingleResourceNeverDelaysACompletion) {
  EXPECT_TRUE(rc::check([] {
    Workload w = workload({.max_resources = 1, .holds = false});

    const std::vector<SimTime> before = finish_times(w);
    w.capacities[0] *= 1.0 + *rc::gen::inRange(0, 40) * 0.05;
    const std::vector<SimTime> after = finish_times(w);

    for (std::size_t i = 0; i < before.size(); ++i) {
      // Each earlier completion may have rounded up by 1 ps.
      RC_ASSERT(after[i].picoseconds() <=
                before[i].picoseconds() + static_cast<std::int64_t>(before.size()));
    }
  }));
}

TEST(EngineProperty, TheSameWorkloadGivesTheSameCompletions) {
  EXPECT_TRUE(rc::check([] {
    const Workload w = workload({});

    RC_ASSERT(carry_out(w) == carry_out(w));
  }));
}

}  // namespace
}  // namespace cairn::sim
