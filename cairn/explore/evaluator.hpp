// Designs of a search, evaluated: what trials share is computed once. Any number of threads.
#pragma once

#include <memory>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/search/outcome.hpp"

namespace cairn::explore {

// What came of one design.
struct Finding {
  static constexpr const char* kNotRead = "design";  // what such a design lacks

  std::vector<double> figures{};  // by metric, SI; empty: it cannot be
  std::string bound_by{};
  Infeasible reason{};  // why it cannot be

  [[nodiscard]] double figure(const Metric& metric) const {
    return figures[static_cast<std::size_t>(&metric - metrics().data())];
  }
};

class Evaluator {
 public:
  Evaluator(const Request& request, const DataFolders& folders);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  ~Evaluator();

  // A design that is wrong, and not only impossible, counts as impossible as well: points that the
  // user did not write may ask for a batch that no device can have.
  Finding evaluate(const search::Point& point);

  // At least what the one objective of it would be: of time, by what devices must do and send
  // (least_step.hpp). Minus infinity where nothing is known, and of what cannot be, so that it is
  // soon tried and found to be so.
  double bound(const search::Point& point);

  // Whether the design with these settings can be read, whatever comes of it then; not if its chip
  // cannot be made, as the rest of it is not looked at. Throws ConfigError.
  bool reads(const std::vector<std::string>& settings);

 private:
  struct Shared;

  // What is computed on, and what each device does there.
  struct Prepared {
    Design design{};
    std::shared_ptr<const Feasible<Workload>> planned{};
    std::shared_ptr<kernel::Cache> kernels{};
    std::shared_ptr<kernel::Cache> background{};
    std::string same_schedule{};  // the settings that it depends on

    [[nodiscard]] Made made() const { return {**planned, *kernels, *background}; }
  };

  Feasible<Design> design_of(const Config& written, const std::vector<std::string>& settings);
  Feasible<Prepared> prepare(Design design, const std::vector<std::string>& settings);
  Feasible<Prepared> prepare(const search::Point& point);
  std::shared_ptr<const memory::Schedule> schedule_of(const Prepared& prepared);

  const Request& request_;
  const DataFolders& folders_;
  std::unique_ptr<Shared> shared_;
};

// As the algorithm sees it.
search::Outcome outcome_of(const Finding& finding, const Request& request);

}  // namespace cairn::explore
