#include "cairn/explain/activity_totals.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "cairn/explain/exposure.hpp"

namespace cairn::explain {

namespace {

using memory::Action;
using memory::ActionKind;

// An action in progress.
struct Run {
  ActionKind kind{};
  std::uint32_t device_class = 0;
  double share = 0.0;  // of the participating devices: a class, or all of one or two stages
  SimTime submitted{};
  SimTime end{};
};

class Activities {
 public:
  explicit Activities(const lower::LoweredStep& step) : step_(step) {
    for (std::size_t b = 0; b < step.passes.size(); ++b) {
      add_kernels(step.schedule->bodies[b], step.passes[b]);
    }
  }

  void add_spans(std::span<const ActionSpan> spans) {
    std::vector<Run> runs;
    for (const ActionSpan& span : spans) {
      const Action& action = step_.schedule->actions[span.action.index()];
      if (action.kind == ActionKind::kPass) {
        append_exchanges(span, runs);
      } else if (counts(action, span.device_class)) {
        runs.push_back(run_of(action, span.device_class, {span.submitted, span.end}));
      }
    }
    add(std::move(runs), 1.0);
  }

  [[nodiscard]] std::vector<ActivityTotal> per_step() const {
    const std::uint32_t steps = step_.schedule->steps();
    std::vector<ActivityTotal> totals;
    for (std::size_t k = 0; k < kActionKinds; ++k) {
      totals.push_back({.kind = static_cast<ActionKind>(k),
                        .runs = sums_[k].count / steps,
                        .time = sums_[k].time / steps});
    }
    return totals;
  }

 private:
  struct Sum {
    double count = 0.0;
    Seconds time{0.0};
  };

  // An exchange counts for the first class of its stage.
  [[nodiscard]] bool counts(const Action& action, std::uint32_t device_class) const {
    return action.kind != ActionKind::kExchange || device_class == 0 ||
           step_.machine.devices[device_class - 1].stage < action.stage;
  }

  [[nodiscard]] Run run_of(const Action& action, std::uint32_t device_class, Interval ran) const {
    const plan::Plan& plan = *step_.plan;
    double devices = step_.machine.devices[device_class].members;
    if (action.kind == ActionKind::kExchange) {
      const bool two_stages = plan.exchanges[action.subject].between_stages();
      devices = plan.mesh.shards_of_stage() * (two_stages ? 2.0 : 1.0);
    }
    return {.kind = action.kind,
            .device_class = device_class,
            .share = devices / plan.devices(),
            .submitted = ran.begin,
            .end = ran.end};
  }

  // The kernels of a repeated pass are alone on their devices: their times add up.
  void add_kernels(const memory::PassBody& body, const lower::PassTimes& pass) {
    std::vector<std::uint32_t>& exchanges = exchanges_.emplace_back();
    std::vector<Run> runs;
    for (std::uint32_t a = 0; a < body.actions.size(); ++a) {
      if (body.actions[a].kind == ActionKind::kExchange) {
        exchanges.push_back(a);
        continue;
      }
      for (std::uint32_t c = 0; c < step_.machine.devices.size(); ++c) {
        if (step_.machine.devices[c].stage == body.stage) {
          runs.push_back(
              run_of(body.actions[a], c, {pass.actions[a].started, pass.actions[a].finished}));
        }
      }
    }
    add(std::move(runs), step_.plan->repetitions());
  }

  // Those of a repeated pass; they may overlap with transfers between stages.
  void append_exchanges(const ActionSpan& span, std::vector<Run>& runs) const {
    const std::uint32_t body = step_.schedule->actions[span.action.index()].subject;
    const lower::PassTimes& pass = step_.passes[body];
    for (const std::uint32_t a : exchanges_[body]) {
      const Action& exchange = step_.schedule->bodies[body].actions[a];
      if (counts(exchange, span.device_class)) {
        runs.push_back(run_of(exchange,
                              span.device_class,
                              {absolute(pass.actions[a].started, span.submitted),
                               absolute(pass.actions[a].finished, span.submitted)}));
      }
    }
  }

  // Runs that repeat `times` times.
  void add(std::vector<Run> runs, double times) {
    std::ranges::stable_sort(runs, {}, [](const Run& run) {
      return std::tuple(run.device_class, run.kind, run.submitted);
    });
    SimTime busy_until{};
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const Run& run = runs[r];
      if (r == 0 || runs[r - 1].device_class != run.device_class || runs[r - 1].kind != run.kind) {
        busy_until = SimTime{};
      }
      const SimTime from = std::max(busy_until, run.submitted);
      busy_until = std::max(busy_until, run.end);
      Sum& sum = sums_[static_cast<std::size_t>(run.kind)];
      sum.count += run.share * times;
      sum.time += busy_until.since(std::min(from, busy_until)) * (run.share * times);
    }
  }

  const lower::LoweredStep& step_;
  std::vector<std::vector<std::uint32_t>> exchanges_;  // by body: their positions
  std::array<Sum, kActionKinds> sums_{};
};

}  // namespace

std::vector<ActivityTotal> activity_totals(const lower::LoweredStep& step,
                                           std::span<const ActionSpan> spans) {
  Activities activities(step);
  activities.add_spans(spans);
  return activities.per_step();
}

}  // namespace cairn::explain
