#include "cairn/explore/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "cairn/kernel/caches.hpp"
#include "cairn/least_step.hpp"

namespace cairn::explore {

namespace {

// What was made once, by the settings that it was made of. Forgotten when there is too much of it:
// of a chip that is another in every trial nothing is asked for again.
template <class T, std::size_t kMost>
class Known {
 public:
  template <class Make>
  std::shared_ptr<T> get(const std::string& key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = all_.find(key); found != all_.end()) {
        return found->second;
      }
    }
    auto made = std::make_shared<T>(make());
    const std::lock_guard lock(mutex_);
    if (all_.size() >= kMost) {
      all_.clear();
    }
    return all_.emplace(key, std::move(made)).first->second;  // another may have been faster
  }

 private:
  std::mutex mutex_{};
  std::map<std::string, std::shared_ptr<T>> all_{};
};

using Parts = std::initializer_list<std::string_view>;  // of a design

bool is_of(const std::string& setting, Parts parts) {
  const std::string_view key = std::string_view(setting).substr(0, setting.find_first_of(".=["));
  return std::ranges::find(parts, key) != parts.end();
}

template <class Keep>
std::string lines_of(const std::vector<std::string>& settings, const Keep& keep) {
  std::string text;
  for (const std::string& setting : settings) {
    text += keep(setting) ? setting + "\n" : "";
  }
  return text;
}

// Settings of these parts, one after the other ...
std::string settings_of(const std::vector<std::string>& settings, Parts parts) {
  return lines_of(settings, [&](const std::string& setting) { return is_of(setting, parts); });
}

// ... and of all but these.
std::string settings_without(const std::vector<std::string>& settings, Parts parts) {
  return lines_of(settings, [&](const std::string& setting) { return !is_of(setting, parts); });
}

}  // namespace

struct Evaluator::Shared {
  Known<Feasible<chip::Device>, 256> devices{};
  Known<platform::Platform, 256> platforms{};
  Known<model::ModelSource, 256> models{};
  Known<model::Graph, 256> graphs{};
  Known<Feasible<Workload>, 8> plans{};  // large; where strategies vary, none is asked for again
  Known<memory::Schedule, 8> schedules{};
  kernel::Caches kernels{};
};

Evaluator::Evaluator(const Request& request, const DataFolders& folders)
    : request_(request), folders_(folders), shared_(std::make_unique<Shared>()) {}

Evaluator::~Evaluator() = default;

Feasible<Design> Evaluator::design_of(const Config& written,
                                      const std::vector<std::string>& settings) {
  const PartReaders read = PartReaders::in(folders_);
  const PartReaders known{.device =
                              [&](const Config& config) {
                                return *shared_->devices.get(settings_of(settings, {"device"}),
                                                             [&] { return read.device(config); });
                              },
                          .platform =
                              [&](const Config& config) {
                                return *shared_->platforms.get(
                                    settings_of(settings, {"platform"}),
                                    [&] { return read.platform(config); });
                              },
                          .model =
                              [&](const Config& config) {
                                return *shared_->models.get(settings_of(settings, {"model"}),
                                                            [&] { return read.model(config); });
                              }};
  return read_design(written, folders_, known);
}

Feasible<Evaluator::Prepared> Evaluator::prepare(const search::Point& point) {
  const auto settings = request_.designs.settings(point);
  Config config = request_.designs.config(settings, folders_);
  allow_unused(config);  // of one point: others may use what it does not
  auto read = design_of(config, settings);
  if (!read) {
    return read.reason();
  }
  return prepare(std::move(read).value(), settings);
}

Feasible<Evaluator::Prepared> Evaluator::prepare(Design design,
                                                 const std::vector<std::string>& settings) {
  const double samples = plan::micro_batch(design.strategy, design.devices());
  const auto graph =
      shared_->graphs.get(settings_of(settings, {"model"}) + fmt::format("{}", samples),
                          [&] { return model::build_model(design.model, samples); });
  auto planned = shared_->plans.get(
      settings_of(settings, {"model", "platform", "training", "strategy"}),
      [&] { return plan_workload(*graph, design.strategy, design.devices(), design.training); });
  if (!*planned) {
    return planned->reason();
  }
  auto kernels = shared_->kernels.of(design.for_kernels());
  auto background = shared_->kernels.of(design.for_background());
  return Prepared{std::move(design),
                  std::move(planned),
                  std::move(kernels),
                  std::move(background),
                  settings_without(settings, {"device", "links"})};
}

// None where it is another on every device.
std::shared_ptr<const memory::Schedule> Evaluator::schedule_of(const Prepared& prepared) {
  const Design& design = prepared.design;
  if (!design.memory.same_on_every_device()) {
    return nullptr;
  }
  const Workload& workload = **prepared.planned;
  return shared_->schedules.get(prepared.same_schedule, [&] {
    return memory::schedule_on_every_device(
        *workload.plan, workload.element, design.memory, design.kernels);
  });
}

Finding Evaluator::evaluate(const search::Point& point) {
  try {
    const auto prepared = prepare(point);
    if (!prepared) {
      return {.reason = prepared.reason()};
    }
    Made made = prepared->made();
    made.schedule = schedule_of(*prepared);
    const auto step = cairn::evaluate(prepared->design, made);
    if (!step) {
      return {.reason = step.reason()};
    }
    Finding finding{.bound_by = step->bound_by};
    for (const Metric& metric : metrics()) {
      finding.figures.push_back(metric.of(prepared->design, *step));
    }
    return finding;
  } catch (const ConfigError& error) {
    return {.reason = {Finding::kNotRead, error.what()}};
  }
}

bool Evaluator::reads(const std::vector<std::string>& settings) {
  auto design = design_of(request_.designs.config(settings, folders_), settings);
  if (!design) {
    return false;
  }
  prepare(std::move(design).value(), settings);
  return true;
}

double Evaluator::bound(const search::Point& point) {
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  const Metric& objective = *request_.objectives.front();
  if (objective.least == nullptr) {
    return kUnknown;
  }
  try {
    const auto prepared = prepare(point);
    if (!prepared) {
      return kUnknown;
    }
    const auto workload = make_workload(prepared->design, prepared->made());
    return workload ? objective.least(*workload, least_step_time(*workload, prepared->design))
                    : kUnknown;
  } catch (const ConfigError&) {
    return kUnknown;
  }
}

search::Outcome outcome_of(const Finding& finding, const Request& request) {
  if (finding.figures.empty()) {
    return search::Outcome::impossible(request.objectives.size(), finding.reason.missed_by);
  }
  search::Outcome outcome;
  for (const Metric* objective : request.objectives) {
    outcome.objectives.push_back(finding.figure(*objective));
  }
  for (const Limit& limit : request.limits) {
    outcome.missed_by =
        std::max(outcome.missed_by, finding.figure(*limit.metric) / limit.most - 1.0);
  }
  if (std::ranges::any_of(outcome.objectives, [](double value) {
        return value == std::numeric_limits<double>::infinity();
      })) {
    outcome.missed_by = std::numeric_limits<double>::infinity();
  }
  return outcome;
}

}  // namespace cairn::explore
