// What holds for any activities on any resources.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "cairn/sim/engine.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim {

std::ostream& operator<<(std::ostream& out, const Completion& c) {
  return out << c.tag << ": " << c.submitted.picoseconds() << " " << c.admitted.picoseconds() << " "
             << c.finished.picoseconds() << " ps";
}

bool operator==(const Completion& a, const Completion& b) {
  return a.tag == b.tag && a.submitted == b.submitted && a.admitted == b.admitted &&
         a.finished == b.finished;
}

namespace {

using test::kGigabyte;
using test::kNoLimit;
using test::ns;

struct Arrival {
  SimTime at;
  Demand demand;
  std::uint32_t issuer = 0;
  double work = 0.0;
  std::uint64_t age = 0;
};

struct Workload {
  std::vector<double> capacities;  // of shared resources
  std::vector<double> slots;       // of held ones
  std::vector<Arrival> arrivals;   // in order of time
  static constexpr std::uint32_t kIssuers = 3;

  [[nodiscard]] double load(std::size_t resource) const {
    double sum = 0.0;
    for (const Arrival& arrival : arrivals) {
      for (const Draw& draw : arrival.demand.draws) {
        sum += draw.resource.index() == resource ? draw.amount * draw.count * arrival.work : 0.0;
      }
    }
    return sum;
  }

  // Latency and work at the speed it would have with everything for itself.
  [[nodiscard]] Seconds alone(const Arrival& arrival) const {
    double rate = arrival.demand.speed_limit;
    for (const Draw& draw : arrival.demand.draws) {
      rate = std::min(rate, capacities[draw.resource.index()] / (draw.amount * draw.count));
    }
    return arrival.demand.latency + Seconds(arrival.work / rate);
  }
};

std::ostream& operator<<(std::ostream& out, const Workload& w) {
  for (const double capacity : w.capacities) {
    out << "\n  shared " << capacity;
  }
  for (const double slots : w.slots) {
    out << "\n  held " << slots;
  }
  for (const Arrival& a : w.arrivals) {
    out << "\n  at " << a.at.picoseconds() << " ps: issuer " << a.issuer << ", age " << a.age
        << ", work " << a.work << ", latency " << a.demand.latency.si() << ", limit "
        << a.demand.speed_limit << ", draws";
    for (const Draw& d : a.demand.draws) {
      out << " " << d.amount << "x" << d.count << " on " << d.resource.value;
    }
    for (const Hold& h : a.demand.holds) {
      out << " holds " << h.amount << " of " << h.resource.value;
    }
  }
  return out;
}

struct Kind {
  std::size_t most_resources = 5;
  bool holds = true;
  bool spread_arrivals = true;
  bool unit_draws = false;
};

Workload build(const Kind& kind) {
  Workload w;
  w.capacities.resize(*rc::gen::inRange<std::size_t>(1, kind.most_resources + 1));
  for (double& capacity : w.capacities) {
    capacity = *rc::gen::inRange(1, 8) * kGigabyte;
  }
  w.slots.resize(kind.holds ? 2 : 0);
  for (double& slots : w.slots) {
    slots = *rc::gen::inRange(2, 5);
  }
  double now = 0.0;
  w.arrivals.resize(*rc::gen::inRange<std::size_t>(1, 12));
  for (Arrival& arrival : w.arrivals) {
    now += kind.spread_arrivals ? *rc::gen::inRange(0, 3) * 150.0 : 0.0;
    arrival.at = ns(now);
    arrival.issuer = *rc::gen::inRange(0U, Workload::kIssuers);
    arrival.age = *rc::gen::inRange(0U, 3U);
    arrival.work = *rc::gen::inRange(0, 2000);
    arrival.demand.latency = Seconds(*rc::gen::element(0.0, 0.0, 100e-9, 333e-9));
    arrival.demand.speed_limit = *rc::gen::element(kNoLimit, kNoLimit, 0.7 * kGigabyte);
    for (std::size_t r = 0; r < w.capacities.size(); ++r) {
      if (w.capacities.size() == 1 || *rc::gen::inRange(0, 3) == 0) {
        const double amount = kind.unit_draws ? 1.0 : *rc::gen::element(0.5, 1.0, 1.0, 2.0);
        arrival.demand.draws.push_back(
            {Id<Resource>(r), amount, kind.unit_draws ? 1.0 : *rc::gen::element(1.0, 1.0, 3.0)});
      }
    }
    if (arrival.demand.draws.empty()) {
      arrival.demand.speed_limit = kGigabyte;
    }
    for (std::size_t h = 0; h < w.slots.size(); ++h) {
      if (*rc::gen::inRange(0, 3) == 0) {
        arrival.demand.holds.push_back(
            {Id<Resource>(w.capacities.size() + h), *rc::gen::element(1.0, 2.0), 1.0});
      }
    }
  }
  return w;
}

Workload workload(const Kind& kind) {
  return *rc::gen::exec([kind] { return build(kind); });
}

void assert_within_capacity(Engine& engine, const Workload& w) {
  std::vector<double> used(w.capacities.size(), 0.0);
  for (const auto& [tag, rate] : engine.rates()) {
    if (tag == w.arrivals.size() || w.arrivals[tag].work == 0.0) {
      continue;  // the clock; and what has nothing to do is gone at this instant
    }
    for (const Draw& draw : w.arrivals[tag].demand.draws) {
      used[draw.resource.index()] += draw.amount * draw.count * rate;
    }
  }
  for (std::size_t r = 0; r < used.size(); ++r) {
    RC_ASSERT(used[r] <= w.capacities[r] * (1 + 1e-9));
  }
}

// Completions in order. At each stop nothing may be above its capacity.
std::vector<Completion> carry_out(Engine& engine, const Workload& w) {
  for (const double capacity : w.capacities) {
    engine.add(test::link("link", capacity));
  }
  for (const double slots : w.slots) {
    engine.add(test::pool("pool", slots));
  }
  for (std::uint32_t i = 0; i < Workload::kIssuers; ++i) {
    engine.add(Issuer{"issuer", 1.0 + i});
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
      std::copy_if(completions.begin(), completions.end(), std::back_inserter(done), [&](auto& c) {
        return c.tag != w.arrivals.size();
      });
      if (completions.empty()) {
        return;
      }
      // Not while more arrive at this instant: looking at rates settles who is granted what.
      if (next == w.arrivals.size() || w.arrivals[next].at > engine.now()) {
        assert_within_capacity(engine, w);
      }
    }
  };
  for (; next < w.arrivals.size(); ++next) {
    const Arrival& arrival = w.arrivals[next];
    if (arrival.at > engine.now()) {
      assert_within_capacity(engine, w);
      advance(arrival.at);
    }
    Activity a =
        test::activity(engine.add(arrival.demand), Id<Issuer>(arrival.issuer), arrival.work, next);
    a.age = arrival.age;
    engine.submit(a);
  }
  assert_within_capacity(engine, w);
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

TEST(EngineProperty, NothingIsFasterThanItsBounds) {
  EXPECT_TRUE(rc::check([] {
    const Workload w = workload({.spread_arrivals = false});

    const std::vector<SimTime> finished = finish_times(w);

    // 1 ps: the event clock drops noise below 1/1000 ps per event.
    const double last = std::max_element(finished.begin(), finished.end())->since(SimTime()).si();
    for (std::size_t r = 0; r < w.capacities.size(); ++r) {
      RC_ASSERT(last >= w.load(r) / w.capacities[r] - 1e-12);
    }
    for (std::size_t i = 0; i < finished.size(); ++i) {
      RC_ASSERT(finished[i].since(SimTime()).si() >= w.alone(w.arrivals[i]).si() - 1e-12);
    }
  }));
}

TEST(EngineProperty, WhoeverMeetsNobodyTakesAsLongAsAlone) {
  EXPECT_TRUE(rc::check([] {
    Workload w = workload({.holds = false});
    w.arrivals.resize(1);
    w.arrivals[0].at = SimTime();

    RC_ASSERT(finish_times(w)[0] == after(SimTime(), w.alone(w.arrivals[0])));
  }));
}

// On one resource whoever is still there has no less when others leave earlier, so by induction
// everybody's progress is never behind. (Over several resources this is not a theorem.)
TEST(EngineProperty, MoreOfASingleResourceNeverFinishesAnybodyLater) {
  EXPECT_TRUE(rc::check([] {
    Workload w = workload({.most_resources = 1, .holds = false});

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
