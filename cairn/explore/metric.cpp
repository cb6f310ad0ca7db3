#include "cairn/explore/metric.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::explore {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

constexpr std::array<Metric, 7> kMetrics{{
    {"step_time",
     "time of a training step",
     Seconds::kDimension,
     [](const Design&, const explain::StepResult& step) { return step.step_time.si(); },
     [](const plan::Plan&, Seconds least) { return least.si(); }},
    {"time_per_sample",
     "step time / global batch",
     Seconds::kDimension,
     [](const Design&, const explain::StepResult& step) {
       return step.step_time.si() / step.batch;
     },
     [](const plan::Plan& plan, Seconds least) { return least.si() / plan.batch; }},
    {"energy",
     "energy of a step; without an energy model, assuming design power throughout",
     Joules::kDimension,
     [](const Design&, const explain::StepResult& step) {
       return step.work_energy || step.power > Watts(0.0) ? step.energy().si() : kUnknown;
     }},
    {"power",
     "thermal design power of the training devices and their share of the platform",
     Watts::kDimension,
     [](const Design&, const explain::StepResult& step) {
       return step.power > Watts(0.0) ? step.power.si() : kUnknown;
     }},
    {"memory",
     "peak device memory",
     Bytes::kDimension,
     [](const Design&, const explain::StepResult& step) { return step.peak_memory.si(); }},
    {"chip_area",
     "silicon area of a device",
     SquareMetres::kDimension,
     [](const Design& design, const explain::StepResult&) {
       return design.device.area ? design.device.area->si() : kUnknown;
     }},
    {"cost",
     "cost of the training devices",
     Dollars::kDimension,
     [](const Design&, const explain::StepResult& step) {
       return step.cost ? step.cost->total().si() : kUnknown;
     }},
}};

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

const Metric& metric_named(const Config& name) {
  std::vector<std::string> names;
  for (const Metric& metric : kMetrics) {
    names.emplace_back(metric.name);
  }
  return kMetrics.at(read_name(name, names));
}

std::string key_of(const Metric& metric) {
  return std::string(metric.name) + "_" + dimension_text(metric.dimension).unit;
}

std::string in_words(const Metric& metric) {
  std::string words(metric.name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string to_text(const Metric& metric, double value) {
  // Dollars take no SI prefix.
  return metric.dimension == Dollars::kDimension ? many(value) + " USD"
                                                 : quantity_to_text(value, metric.dimension);
}

}  // namespace cairn::explore
