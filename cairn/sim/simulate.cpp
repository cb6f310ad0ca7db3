#include "cairn/sim/simulate.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/sim/engine.hpp"
#include "cairn/sim/phase_runner.hpp"
#include "cairn/sim/repetition.hpp"

namespace cairn::sim {

namespace {

// Between two checks for cancellation: some milliseconds.
constexpr std::uint64_t kEffortBetweenChecks = 1U << 16U;

class Simulation {
 public:
  Simulation(const Program& program, Record record, Periods periods)
      : program_(program),
        record_(record),
        skips_(periods == Periods::kSkipped && record == Record::kTotals),
        admission_(program.stations),
        repetition_(engine_, admission_) {
    for (const Resource& resource : program.resources) {
      engine_.add(resource);
    }
    for (const Issuer& issuer : program.issuers) {
      engine_.add(issuer);
    }
    for (const Demand& demand : program.demands) {
      engine_.add(demand);
    }
    const std::size_t tasks = program.tasks.size();
    ensure(tasks < (1U << 24U), "too many tasks in one program");
    waits_for_.resize(tasks);
    followers_.resize(tasks);
    runners_.resize(tasks);
    timeline_.tasks.resize(tasks);
    for (std::uint32_t t = 0; t < tasks; ++t) {
      waits_for_[t] = program.tasks[t].after.size();
      for (const Id<Task> before : program.tasks[t].after) {
        followers_[before.index()].push_back(t);
      }
    }
  }

  // std::nullopt if it takes more than `effort`.
  std::optional<Timeline> run(std::uint64_t effort) {
    for (std::uint32_t t = 0; t < program_.tasks.size(); ++t) {
      if (waits_for_[t] == 0) {
        start(t);
      }
    }
    admit_chunks();
    std::uint64_t next_check = 0;
    while (true) {
      const std::span<const Completion> completions = engine_.advance();
      if (completions.empty()) {
        break;
      }
      const std::uint64_t spent = engine_.effort();
      if (spent > effort) {
        return std::nullopt;
      }
      if (spent >= next_check) {
        check_cancelled();
        next_check = spent + kEffortBetweenChecks;
      }
      admission_.advance_to(engine_.now());
      for (const Completion& completion : completions) {
        react(completion);
      }
      admit_chunks();
      if (skips_) {
        repetition_.look();
        admission_.advance_to(engine_.now());
      }
    }
    check_all_finished();
    timeline_.end = engine_.now();
    timeline_.events = engine_.events();
    for (std::size_t r = 0; r < program_.resources.size(); ++r) {
      timeline_.use.push_back({.drawn = engine_.drawn(Id<Resource>(r)),
                               .peak_held = engine_.peak_held(Id<Resource>(r))});
    }
    for (std::size_t s = 0; s < program_.stations.size(); ++s) {
      timeline_.stations.push_back(admission_.use(Id<Station>(s)));
    }
    timeline_.station_busy = admission_.busy();
    return std::move(timeline_);
  }

 private:
  // Admits waiting chunks to stations until no more can be granted.
  void admit_chunks() {
    for (auto granted = admission_.grant(); !granted.empty(); granted = admission_.grant()) {
      for (const Request& request : granted) {
        runners_[request.task]->granted(engine_, request);
      }
    }
  }

  void start(std::uint32_t task) {
    timeline_.tasks[task].started = engine_.now();
    repetition_.forget();
    if (const auto* activity = std::get_if<Activity>(&program_.tasks[task].what)) {
      Activity submitted = *activity;
      submitted.tag = Tag{.task = task}.pack();
      engine_.submit(submitted);
      return;
    }
    const auto& phases = std::get<PhaseProgram>(program_.tasks[task].what);
    runners_[task] = std::make_unique<PhaseRunner>(phases, task, admission_);
    if (phases.start > Seconds(0.0)) {
      engine_.submit({.demand = engine_.add(Demand{.latency = phases.start}),
                      .issuer = phases.issuer,
                      .tag = Tag{.task = task, .lane = Tag::kStart}.pack()});
      return;
    }
    start_messages(task);
  }

  void start_messages(std::uint32_t task) {
    runners_[task]->start(engine_);
    repetition_.add(task, *runners_[task]);
    repetition_.forget();
    if (runners_[task]->finished()) {  // nothing to exchange
      finish(task);
    }
  }

  void react(const Completion& completion) {
    const Tag tag = Tag::unpack(completion.tag);
    PhaseRunner* runner = runners_[tag.task].get();
    if (runner != nullptr && tag.lane == Tag::kStart) {
      start_messages(tag.task);
      return;
    }
    if (record_ == Record::kSpans) {
      timeline_.spans.push_back({.task = tag.task,
                                 .lane = tag.lane,
                                 .chunk = runner == nullptr ? 0 : runner->chunk_of(tag),
                                 .submitted = completion.submitted,
                                 .admitted = completion.admitted,
                                 .finished = completion.finished});
    }
    if (runner != nullptr) {
      runner->completed(engine_, tag);
    }
    if (runner == nullptr || runner->finished()) {
      finish(tag.task);
    }
  }

  void finish(std::uint32_t task) {
    timeline_.tasks[task].finished = engine_.now();
    repetition_.remove(task);
    repetition_.forget();
    runners_[task].reset();
    ++finished_;
    for (const std::uint32_t follower : followers_[task]) {
      if (--waits_for_[follower] == 0) {
        start(follower);
      }
    }
  }

  void check_all_finished() const {
    if (finished_ == program_.tasks.size()) {
      return;
    }
    std::string waiting;
    for (std::size_t t = 0; t < program_.tasks.size(); ++t) {
      if (waits_for_[t] > 0) {
        waiting += fmt::format("\n  task {} waits for {} other tasks", t, waits_for_[t]);
      } else if (runners_[t] != nullptr) {
        waiting += fmt::format("\n  task {}: its ranks wait for each other", t);
      }
    }
    throw Bug("the simulation is stuck: nothing runs, but" + waiting + admission_.describe());
  }

  const Program& program_;
  Record record_;
  bool skips_;
  Engine engine_;
  BufferAdmission admission_;
  Repetition repetition_;
  Timeline timeline_;
  std::vector<std::size_t> waits_for_;                 // by task: unfinished tasks before it
  std::vector<std::vector<std::uint32_t>> followers_;  // by task
  std::vector<std::unique_ptr<PhaseRunner>> runners_;  // by task; while it runs
  std::size_t finished_ = 0;
};

}  // namespace

Timeline simulate(const Program& program, Record record, Periods periods) {
  auto timeline =
      Simulation(program, record, periods).run(std::numeric_limits<std::uint64_t>::max());
  return std::move(must_have(timeline, "a simulation without a limit gave up"));
}

std::optional<Timeline> simulate_within(const Program& program,
                                        Record record,
                                        std::uint64_t effort) {
  return Simulation(program, record, Periods::kSkipped).run(effort);
}

}  // namespace cairn::sim
