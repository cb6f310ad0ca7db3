#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cairn/study/deepflow_ranking.hpp"
#include "cairn/study/published.hpp"

namespace cairn::study {

namespace {

struct StudyFile : DeepFlowFile {
  std::vector<Config> rankings{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      deepflow_schema<StudyFile>("rankings, assumptions and claims")
          .required(
              "rankings", &StudyFile::rankings, "device counts to try all strategies on", "[...]");
  return kSchema;
}

class Strategies {
 public:
  Strategies(const StudyFile& file,
             const DeepFlowAssumptions& assumptions,
             const DataFolders& folders,
             const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-strategies";
    for (const Config& item : file_.rankings) {
      const Ranking ranking = read_ranking(item);
      const Ranked ranked = rank(ranking, assumptions_, folders_, tick_);
      find_ends(ranking, ranked);
      find_data(ranking, ranked);
      find_fitting(ranking, ranked);
      add_tables(ranking, ranked);
    }
    judge(result_, file_.claims);
    add_chart();
    return std::move(result_);
  }

 private:
  void find(const Ranking& ranking,
            const char* what,
            double value,
            const std::string& reason = {}) {
    const std::string name = fmt::format("{}.{}", what, ranking.name);
    result_.findings[name] = value;
    result_.reasons[name] = reason;
  }

  // Best, worst and median.
  void find_ends(const Ranking& ranking, const Ranked& ranked) {
    const std::vector<RankedStrategy>& trials = ranked.strategies;
    const RankedStrategy& best = trials.front();
    const RankedStrategy& worst = trials.back();
    const std::string the_best =
        fmt::format("the best is {}, {:.2f} s", best.strategy, best.time.si());
    const std::string the_worst =
        fmt::format("the worst is {}, {:.1f} s", worst.strategy, worst.time.si());
    find(ranking, "tried", static_cast<double>(trials.size()));
    find(ranking, "best", best.time.si(), the_best);
    find(ranking, "best_is_cr", best.family == Family::kColumnRow ? 1.0 : 0.0, the_best);
    find(ranking, "best_does_not_fit", best.fits ? 0.0 : 1.0, the_best);
    find(ranking, "worst", worst.time.si(), the_worst);
    find(ranking, "worst_is_rc", worst.family == Family::kRowColumn ? 1.0 : 0.0, the_worst);
    find(ranking, "median", trials[trials.size() / 2].time.si());
  }

  void find_data(const Ranking& ranking, const Ranked& ranked) {
    const auto data = std::ranges::find(ranked.strategies, Family::kData, &RankedStrategy::family);
    if (data == ranked.strategies.end()) {
      const auto why =
          std::ranges::find(ranked.infeasible, Family::kData, &InfeasibleStrategy::family);
      mark_absent(ranking,
                  {"data", "data_fits", "gain"},
                  why == ranked.infeasible.end()
                      ? "data parallelism is not tried: stages does not list 1"
                      : "data parallelism is infeasible: " + why->reason);
      return;
    }
    const RankedStrategy& best = ranked.strategies.front();
    find(ranking, "data", data->time.si());
    find(ranking, "data_fits", data->fits ? 1.0 : 0.0);
    find(ranking,
         "gain",
         data->time / best.time,
         fmt::format("{:.2f} s by data parallelism, {:.2f} s by {}",
                     data->time.si(),
                     best.time.si(),
                     best.strategy));
  }

  void find_fitting(const Ranking& ranking, const Ranked& ranked) {
    const auto fitting = std::ranges::count(ranked.strategies, true, &RankedStrategy::fits);
    find(ranking, "fitting", static_cast<double>(fitting));
    if (fitting == 0) {
      mark_absent(
          ranking, {"best_that_fits", "best_that_fits_over_best"}, "no strategy fits in memory");
      return;
    }
    const RankedStrategy& best = *std::ranges::find(ranked.strategies, true, &RankedStrategy::fits);
    const std::string reason =
        fmt::format("the best that fits is {}, {:.2f} s", best.strategy, best.time.si());
    find(ranking, "best_that_fits", best.time.si(), reason);
    find(ranking, "best_that_fits_over_best", best.time / ranked.strategies.front().time, reason);
  }

  void mark_absent(const Ranking& ranking,
                   std::initializer_list<const char*> quantities,
                   const std::string& reason) {
    for (const char* what : quantities) {
      result_.absent[fmt::format("{}.{}", what, ranking.name)] = reason;
    }
  }

  void add_tables(const Ranking& ranking, const Ranked& ranked) {
    Table table{.name = "strategies_" + ranking.name,
                .title = fmt::format("{} devices, fastest first", ranking.devices),
                .columns = {"strategy",
                            "step time (s)",
                            "kernels (s)",
                            "wait for collectives (s)",
                            "peak memory (GB)",
                            "fits"}};
    constexpr std::size_t kShown = 12;  // at both ends
    const std::vector<RankedStrategy>& trials = ranked.strategies;
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const bool shown = t < kShown || t + kShown / 2 >= trials.size() || trials[t].fits ||
                         trials[t].family == Family::kData;
      if (shown) {
        table.rows.push_back({trials[t].strategy,
                              trials[t].time.si(),
                              trials[t].compute.si(),
                              trials[t].communication_exposed.si(),
                              trials[t].peak / Bytes(1e9),
                              trials[t].fits ? "yes" : "no"});
      }
    }
    result_.tables.push_back(std::move(table));
    if (!ranked.infeasible.empty()) {
      Table rest{.name = "left_out_" + ranking.name,
                 .title = fmt::format("{} devices, infeasible strategies", ranking.devices),
                 .columns = {"strategy", "because"}};
      for (const InfeasibleStrategy& infeasible : ranked.infeasible) {
        rest.rows.push_back({infeasible.strategy, infeasible.reason});
      }
      result_.tables.push_back(std::move(rest));
    }
  }

  // Step times of the strategies that the paper names, for all device counts.
  void add_chart() {
    report::Chart chart{.name = "step_times",
                        .title = "Step time of the best, the worst and data parallelism",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "devices"},
                        .y = {.title = "step time (s)", .log = true}};
    for (const Config& item : file_.rankings) {
      chart.categories.push_back(read_ranking(item).name);
    }
    std::vector<Mark> marks;
    for (const auto& [key, name] : {std::pair("best", "best"),
                                    std::pair("data", "data parallelism"),
                                    std::pair("best_that_fits", "best that fits"),
                                    std::pair("median", "median"),
                                    std::pair("worst", "worst")}) {
      report::Series series{.name = name};
      for (const std::string& ranking : chart.categories) {
        const std::string quantity = fmt::format("{}.{}", key, ranking);
        const auto found = result_.findings.find(quantity);
        series.y.push_back(found == result_.findings.end()
                               ? std::numeric_limits<double>::quiet_NaN()
                               : found->second);
        marks.push_back({chart.name, name, ranking, quantity});
      }
      chart.series.push_back(std::move(series));
    }
    result_.charts.push_back(std::move(chart));
    mark_published(result_, marks);
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  StudyResult result_;
};

}  // namespace

PreparedStudy prepare_deepflow_strategies(const Config& config,
                                          const DataFolders& folders,
                                          const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  check_filled(config, {"rankings"});
  return prepare_deepflow<Strategies>(file, folders, tick);
}

}  // namespace cairn::study
