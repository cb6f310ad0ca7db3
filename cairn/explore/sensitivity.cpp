#include "cairn/explore/sensitivity.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "cairn/base/figure.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/explore/evaluation_context.hpp"

namespace cairn::explore {

namespace {

// Step time and its parts: kernels by bottleneck, and exposed waits.
using Parts = std::map<std::string, Seconds>;

struct StepParts {
  Seconds time{0.0};
  explain::Bound bound{};
  Parts parts{};
};

Feasible<StepParts> step_of(const Config& config, EvaluationContext& context) {
  const auto design = context.reader.read(config);
  if (!design) {
    return design.reason();
  }
  const auto lowered = lower_step(*design, context.cache);
  if (!lowered) {
    return lowered.reason();
  }
  const auto result = simulate_step(*lowered, *design, Detail::kTrial);
  if (!result) {
    return result.reason();
  }
  StepParts step{.time = result->step_time, .bound = result->bound};
  const plan::Plan& plan = *lowered->plan;
  for (std::size_t i = 0; i < lowered->costs.size(); ++i) {
    const kernel::Cost& cost = lowered->costs[i];
    if (cost.time > Seconds(0.0)) {
      step.parts["kernels: " + to_text(cost.bound_by)] +=
          cost.time * plan.times(plan.operator_pass[i]);
    }
  }
  step.parts["communication"] = result->breakdown.communication_exposed;
  step.parts["memory"] = result->breakdown.memory_exposed;
  step.parts["idle"] = result->breakdown.idle;
  return step;
}

// The part that changes most, in the same direction as the step. If the bottleneck of a kernel
// changes, the parts it leaves and enters are counted together.
std::string most_changed(const StepParts& before, const StepParts& after) {
  const double sign = after.time < before.time ? 1.0 : -1.0;
  std::string most;
  double largest = 0.0;
  for (const auto& [part, time] : before.parts) {
    const auto found = after.parts.find(part);
    const Seconds then = found == after.parts.end() ? Seconds(0.0) : found->second;
    const double change = sign * (time - then).si();
    if (change > largest) {
      largest = change;
      most = part;
    }
  }
  return most;
}

std::string times(const std::string& value, double factor) {
  Figure figure = *figure_in(value);
  figure.number *= factor;
  return to_text(figure);
}

// The step with this number multiplied; nullopt if infeasible.
std::optional<StepParts> changed(const Config& design,
                                 const DesignValue& parameter,
                                 double factor,
                                 EvaluationContext& context) {
  try {
    Config config = design;
    set_value_of_design(
        config, parameter.key + "=" + times(parameter.text, factor), context.reader.folders());
    const auto step = step_of(config, context);
    return step ? std::optional(*step) : std::nullopt;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::optional<Effect> effect_of(const Config& design,
                                const DesignValue& parameter,
                                const StepParts& as_it_is,
                                EvaluationContext& context,
                                const SensitivityOptions& options) {
  const auto more = changed(design, parameter, options.factor, context);
  const auto less =
      options.one_way ? as_it_is : changed(design, parameter, 1.0 / options.factor, context);
  if (!more || !less) {
    return std::nullopt;
  }
  const double distance = (options.one_way ? 1.0 : 2.0) * std::log(options.factor);
  return Effect{.parameter = parameter,
                .changed_to = times(parameter.text, options.factor),
                .elasticity = std::log(more->time / less->time) / distance,
                .ratio = more->time / as_it_is.time,
                .less_ratio = less->time / as_it_is.time,
                .relieves = most_changed(*less, *more)};
}

}  // namespace

std::vector<DesignValue> parameters_of(const Config& design, const DataFolders& folders) {
  const auto values = values_of_design(written_out_design(design, folders));
  std::vector<DesignValue> found;
  for (const std::string_view part : {"device.", "platform.", "endpoint."}) {
    for (const DesignValue& value : values) {
      const auto figure = value.key.starts_with(part) ? figure_in(value.text) : std::nullopt;
      if (figure && figure->number > 0.0) {
        found.push_back(value);
      }
    }
  }
  return found;
}

Feasible<Sensitivity> sensitivity(const Config& design,
                                  const std::vector<DesignValue>& parameters,
                                  const DataFolders& folders,
                                  const SensitivityOptions& options) {
  EvaluationContext context{DesignReader(folders)};
  const auto as_it_is = step_of(design, context);
  if (!as_it_is) {
    return as_it_is.reason();
  }
  std::vector<std::optional<Effect>> effects(parameters.size());
  const std::size_t threads =
      options.threads == 0 ? std::thread::hardware_concurrency() : options.threads;
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::parallel_for(std::size_t{0}, parameters.size(), [&](std::size_t i) {
    effects[i] = effect_of(design, parameters[i], *as_it_is, context, options);
    if (options.on_done) {
      options.on_done();
    }
  });
  Sensitivity result{.step_time = as_it_is->time, .bound = as_it_is->bound};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (effects[i]) {
      result.effects.push_back(*std::move(effects[i]));
    } else {
      result.cannot_change.push_back(parameters[i]);
    }
  }
  std::ranges::stable_sort(result.effects, std::ranges::greater{}, [](const Effect& effect) {
    return std::abs(std::log(effect.ratio));
  });
  return result;
}

}  // namespace cairn::explore
