// Random activities on random resources, for property tests.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include "cairn/sim/law.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim::test {

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
  std::uint32_t issuers = 3;       // of weight 1, 2, 3, 1, 2, 3, ...

  [[nodiscard]] double load(std::size_t resource) const {
    double sum = 0.0;
    for (const Arrival& arrival : arrivals) {
      for (const Draw& draw : arrival.demand.draws) {
        sum += draw.resource.index() == resource ? draw.amount * draw.count * arrival.work : 0.0;
      }
    }
    return sum;
  }

  // The rate it would have alone.
  [[nodiscard]] double alone_rate(const Arrival& arrival) const {
    double rate = arrival.demand.speed_limit;
    for (const Draw& draw : arrival.demand.draws) {
      rate = std::min(rate, capacities[draw.resource.index()] / (draw.amount * draw.count));
    }
    return rate;
  }

  [[nodiscard]] Seconds alone(const Arrival& arrival) const {
    return arrival.demand.latency + Seconds(arrival.work / alone_rate(arrival));
  }
};

inline std::ostream& operator<<(std::ostream& out, const Workload& w) {
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
  std::size_t max_resources = 5;
  bool holds = true;
  bool spread_arrivals = true;
  bool own_issuers = false;  // each activity has its own
  std::size_t max_arrivals = 12;
};

inline Workload build_workload(const Kind& kind) {
  Workload w;
  w.capacities.resize(*rc::gen::inRange<std::size_t>(1, kind.max_resources + 1));
  for (double& capacity : w.capacities) {
    capacity = *rc::gen::inRange(1, 8) * kGigabyte;
  }
  w.slots.resize(kind.holds ? 2 : 0);
  for (double& slots : w.slots) {
    slots = *rc::gen::inRange(2, 5);
  }
  double now = 0.0;
  w.arrivals.resize(*rc::gen::inRange<std::size_t>(1, kind.max_arrivals));
  w.issuers = kind.own_issuers ? static_cast<std::uint32_t>(w.arrivals.size()) : 3;
  std::uint32_t number = 0;
  for (Arrival& arrival : w.arrivals) {
    now += kind.spread_arrivals ? *rc::gen::inRange(0, 3) * 150.0 : 0.0;
    arrival.at = ns(now);
    arrival.issuer = kind.own_issuers ? number++ : *rc::gen::inRange(0U, w.issuers);
    arrival.age = *rc::gen::inRange(0U, 3U);
    arrival.work = *rc::gen::inRange(0, 2000);
    arrival.demand.latency = Seconds(*rc::gen::element(0.0, 0.0, 100e-9, 333e-9));
    arrival.demand.speed_limit = *rc::gen::element(kNoLimit, kNoLimit, 0.7 * kGigabyte);
    for (std::size_t r = 0; r < w.capacities.size(); ++r) {
      if (w.capacities.size() == 1 || *rc::gen::inRange(0, 3) == 0) {
        const double amount = *rc::gen::element(0.5, 1.0, 1.0, 2.0);
        arrival.demand.draws.push_back({Id<Resource>(r), amount, *rc::gen::element(1.0, 1.0, 3.0)});
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

inline Workload workload(const Kind& kind) {
  return *rc::gen::exec([kind] { return build_workload(kind); });
}

}  // namespace cairn::sim::test
