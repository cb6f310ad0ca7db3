// The event queue against std::priority_queue, and the engine with no, little and much contention.
// Labels have the budgets.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <queue>
#include <random>
#include <vector>

#include "cairn/sim/engine.hpp"
#include "cairn/sim/event_queue.hpp"

namespace cairn::sim {
namespace {

// Durations drawn once, to keep the generator out of the timed loop.
class Durations {
 public:
  Durations() : values_(1U << 16U) {
    std::mt19937_64 random(1);
    for (std::int64_t& value : values_) {
      value = static_cast<std::int64_t>(random() % 1'000'000) + 1;
    }
  }

  std::int64_t next() { return values_[++at_ % values_.size()]; }

 private:
  std::vector<std::int64_t> values_;
  std::size_t at_ = 0;
};

SimTime later(SimTime now, std::int64_t picoseconds) {
  return SimTime::from_picoseconds(now.picoseconds() + picoseconds);
}

struct Later {
  bool operator()(const Event& a, const Event& b) const {
    return a.at > b.at || (a.at == b.at && a.order > b.order);
  }
};

void set_rate(benchmark::State& state, double events) {
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
}

// The hold model: pop the earliest event, push another one.
void queue_ours(benchmark::State& state) {
  Durations durations;
  EventQueue queue;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.push(later(SimTime{}, durations.next()), static_cast<std::uint32_t>(i), 0);
  }
  for (auto _ : state) {
    const Event event = queue.pop();
    queue.push(later(event.at, durations.next()), event.subject, 0);
  }
  set_rate(state, static_cast<double>(state.iterations()));
}

void queue_std(benchmark::State& state) {
  Durations durations;
  std::priority_queue<Event, std::vector<Event>, Later> queue;
  std::uint64_t order = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.push({later(SimTime{}, durations.next()), ++order, static_cast<std::uint32_t>(i), 0});
  }
  for (auto _ : state) {
    const Event event = queue.top();
    queue.pop();
    queue.push({later(event.at, durations.next()), ++order, event.subject, 0});
  }
  set_rate(state, static_cast<double>(state.iterations()));
}

// The same with many simultaneous events, as in a symmetric system.
void queue_ours_in_step(benchmark::State& state) {
  EventQueue queue;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.push(later(SimTime{}, 1), static_cast<std::uint32_t>(i), 0);
  }
  for (auto _ : state) {
    const Event event = queue.pop();
    queue.push(later(event.at, 1000), event.subject, 0);
  }
  set_rate(state, static_cast<double>(state.iterations()));
}

void queue_std_in_step(benchmark::State& state) {
  std::priority_queue<Event, std::vector<Event>, Later> queue;
  std::uint64_t order = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.push({later(SimTime{}, 1), ++order, static_cast<std::uint32_t>(i), 0});
  }
  for (auto _ : state) {
    const Event event = queue.top();
    queue.pop();
    queue.push({later(event.at, 1000), ++order, event.subject, 0});
  }
  set_rate(state, static_cast<double>(state.iterations()));
}

BENCHMARK(queue_ours)->Name("event queue, ours")->Arg(1000)->Arg(100000);
BENCHMARK(queue_std)->Name("event queue, std::priority_queue")->Arg(1000)->Arg(100000);
BENCHMARK(queue_ours_in_step)->Name("event queue in step, ours")->Arg(1000)->Arg(100000);
BENCHMARK(queue_std_in_step)->Name("event queue in step, std")->Arg(1000)->Arg(100000);

// A thousand activities are always pending; each completed one is replaced. An activity crosses
// `links_each` of `links` links, the first by its index, the others random. Replacements cross the
// same links, or random ones (`elsewhere`).
void engine(benchmark::State& state, std::uint32_t links, int links_each, bool elsewhere) {
  constexpr std::uint32_t kPending = 1000;
  std::mt19937_64 random(7);
  Durations durations;
  Engine engine;
  for (std::uint32_t i = 0; i < links; ++i) {
    engine.add(Resource{.name = "link", .capacity = 1e9});
  }
  std::vector<Id<Demand>> demands;
  std::vector<Id<Issuer>> issuers;
  for (std::uint32_t i = 0; i < kPending; ++i) {
    Demand demand;
    demand.draws.push_back({Id<Resource>(i % links)});
    for (int extra = 1; extra < links_each; ++extra) {
      demand.draws.push_back({Id<Resource>((i + 1 + random() % (links - 1)) % links)});
    }
    demands.push_back(engine.add(demand));
    issuers.push_back(engine.add(Issuer{.name = "issuer"}));
  }
  const auto submit = [&](std::uint64_t who, std::size_t demand) {
    engine.submit({.demand = demands[demand],
                   .issuer = issuers[who],
                   .work = static_cast<double>(durations.next()),
                   .tag = who});
  };
  for (std::uint32_t i = 0; i < kPending; ++i) {
    submit(i, i);
  }
  for (auto _ : state) {
    for (const Completion& completion : engine.advance()) {
      submit(completion.tag, elsewhere ? random() % kPending : completion.tag);
    }
  }
  set_rate(state, static_cast<double>(engine.events()));
}

void engine_nothing_shared(benchmark::State& state) {
  engine(state, 1000, 1, false);
  state.SetLabel("budget: above 5 M events/s");
}

void engine_250_links(benchmark::State& state) {
  engine(state, 250, 1, false);
  state.SetLabel("budget: above 0.5 M events/s");
}

void engine_one_component(benchmark::State& state) {
  engine(state, 250, 2, true);
  state.SetLabel("budget: above 20 K events/s");
}

BENCHMARK(engine_nothing_shared)->Name("engine, 1,000 pending, nothing shared");
BENCHMARK(engine_250_links)->Name("engine, 1,000 pending on 250 shared links");
BENCHMARK(engine_one_component)->Name("engine, 1,000 pending in one contended component");

}  // namespace
}  // namespace cairn::sim
