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
#include "cairn/design_settings.hpp"
#include "cairn/evaluate.hpp"

namespace cairn::explore {

namespace {

// What a step spends its time on: kernels by what bounds them, and what they wait for.
using Parts = std::map<std::string, Seconds>;

struct Step {
  Seconds time{0.0};
  std::string bound_by{};
  Parts parts{};
};

// What the designs share.
struct Shared {
  DesignReader reader;
  EvaluationCache cache{};
};

Feasible<Step> step_of(const Config& config, Shared& shared) {
  const auto design = shared.reader.read(config);
  if (!design) {
    return design.reason();
  }
  const auto lowered = lower_step(*design, shared.cache);
  if (!lowered) {
    return lowered.reason();
  }
  const auto result = simulate_step(*lowered, *design, Detail::kTrial);
  if (!result) {
    return result.reason();
  }
  Step step{.time = result->step_time, .bound_by = result->bound_by};
  for (const kernel::Cost& cost : lowered->costs) {
    if (cost.time > Seconds(0.0)) {
      step.parts["kernels: " + to_text(cost.bound_by)] += cost.time;
    }
  }
  step.parts["communication"] = result->breakdown.communication_exposed;
  step.parts["memory"] = result->breakdown.memory_exposed;
  step.parts["idle"] = result->breakdown.idle;
  return step;
}

// The part that changes most, in the direction in which the step does. A kernel may be bound by
// another resource afterwards: what it leaves and what it joins are then counted together.
std::string most_changed(const Step& before, const Step& after) {
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

// The step with this number multiplied; nothing if it cannot be.
std::optional<Step> changed(const Config& design,
                            const Parameter& parameter,
                            double factor,
                            Shared& shared) {
  try {
    Config config = design;
    set_value_of_design(
        config, parameter.key + "=" + times(parameter.value, factor), shared.reader.folders());
    const auto step = step_of(config, shared);
    return step ? std::optional(*step) : std::nullopt;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::optional<Effect> effect_of(const Config& design,
                                const Parameter& parameter,
                                const Step& as_it_is,
                                Shared& shared,
                                const SensitivityOptions& options) {
  const auto more = changed(design, parameter, options.factor, shared);
  const auto less =
      options.one_way ? as_it_is : changed(design, parameter, 1.0 / options.factor, shared);
  if (!more || !less) {
    return std::nullopt;
  }
  const double distance = (options.one_way ? 1.0 : 2.0) * std::log(options.factor);
  return Effect{.parameter = parameter,
                .changed_to = times(parameter.value, options.factor),
                .elasticity = std::log(more->time / less->time) / distance,
                .ratio = more->time / as_it_is.time,
                .less_ratio = less->time / as_it_is.time,
                .relieves = most_changed(*less, *more)};
}

}  // namespace

std::vector<Parameter> parameters_of(const Config& design, const DataFolders& folders) {
  const auto values = values_of_design(written_out_design(design, folders));
  std::vector<Parameter> found;
  for (const std::string_view part : {"device.", "platform.", "endpoint."}) {
    for (const auto& [key, text] : values) {
      const auto figure = key.starts_with(part) ? figure_in(text) : std::nullopt;
      if (figure && figure->number > 0.0) {
        found.push_back({key, text});
      }
    }
  }
  return found;
}

Feasible<Sensitivity> sensitivity(const Config& design,
                                  const std::vector<Parameter>& parameters,
                                  const DataFolders& folders,
                                  const SensitivityOptions& options) {
  Shared shared{DesignReader(folders)};
  const auto as_it_is = step_of(design, shared);
  if (!as_it_is) {
    return as_it_is.reason();
  }
  std::vector<std::optional<Effect>> effects(parameters.size());
  const std::size_t threads =
      options.threads == 0 ? std::thread::hardware_concurrency() : options.threads;
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::parallel_for(std::size_t{0}, parameters.size(), [&](std::size_t i) {
    effects[i] = effect_of(design, parameters[i], *as_it_is, shared, options);
    if (options.one_done) {
      options.one_done();
    }
  });
  Sensitivity result{.step_time = as_it_is->time, .bound_by = as_it_is->bound_by};
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
