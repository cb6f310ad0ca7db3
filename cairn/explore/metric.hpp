// Metrics that a search minimizes or limits: figures of a design and its training step.
#pragma once

#include <span>
#include <string_view>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/design.hpp"
#include "cairn/explain/step_result.hpp"

namespace cairn::explore {

struct Metric {
  std::string_view name;  // "step_time"
  std::string_view doc;
  Dimension dimension;
  // In SI units; infinite where unknown.
  double (*of)(const Design& design, const explain::StepResult& step);
  // Lower bound, given a lower bound on the step time; null: none known.
  double (*lower_bound)(const plan::Plan& plan, Seconds least_step_time) = nullptr;
};

// All metrics.
std::span<const Metric> metrics();

// Rejects unknown names, suggesting the nearest.
const Metric& metric_named(const Config& name);

// With its SI unit, as in JSON: "step_time_s".
std::string key_of(const Metric& metric);

// "step time".
std::string in_words(const Metric& metric);

// "7.938 ms".
std::string to_text(const Metric& metric, double value);

}  // namespace cairn::explore
