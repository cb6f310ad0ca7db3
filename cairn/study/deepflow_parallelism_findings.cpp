#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/study/deepflow_parallelism.hpp"

namespace cairn::study {

namespace {

class Report {
 public:
  Report(std::vector<NodeFound> nodes, chip::Precision precision)
      : found_(std::move(nodes)), precision_(precision) {}

  StudyResult make() {
    result_.name = "deepflow-parallelism";
    find_all();
    add_table();
    add_chart();
    return std::move(result_);
  }

 private:
  void find_all() {
    for (std::size_t n = 0; n < found_.size(); ++n) {
      const NodeFound& node = found_[n];
      find("time.naive", node, node.naive.time.si());
      find("time.parallelism", node, node.parallelism.time.si(), node.parallelism.strategy);
      find("time.architecture", node, node.architecture.time.si(), node.architecture.strategy);
      find("time.model", node, node.model.time.si(), node.model.strategy);
      find("parallelism_gain",
           node,
           node.naive.time / node.parallelism.time,
           fmt::format("{:.2f} s by data parallelism, {:.2f} s by {}",
                       node.naive.time.si(),
                       node.parallelism.time.si(),
                       node.parallelism.strategy));
      find("architecture_gain",
           node,
           node.parallelism.time / node.architecture.time,
           fmt::format("{:.2f} s by {} on the template's chip, {:.2f} s by {} on the searched chip",
                       node.parallelism.time.si(),
                       node.parallelism.strategy,
                       node.architecture.time.si(),
                       node.architecture.strategy));
      find("model_gain",
           node,
           node.architecture.time / node.model.time,
           fmt::format("hidden {}, batch {}, by {}",
                       many(node.model.hidden),
                       many(node.model.batch),
                       node.model.strategy));
      find_generations(n);
      find_next(n);
    }
    find_logic_alone();
    for (const char* of : {"time.",
                           "parallelism_gain.",
                           "architecture_gain.",
                           "model_gain.",
                           "model_generations.",
                           "strategy_beats_next_node.",
                           "logic_alone."}) {
      result_.absent[of] = "the study does not list the logic node, or none after it";
    }
  }

  void find(const char* what, const NodeFound& node, double value, const std::string& why = {}) {
    const std::string name = fmt::format("{}.{}", what, node.name);
    result_.findings[name] = value;
    result_.reasons[name] = why;
  }

  // The number of nodes after which chip and strategy alone are as fast as with the model searched;
  // between nodes by the logarithm of the time.
  void find_generations(std::size_t n) {
    const double wanted = found_[n].model.time.si();
    double generations = 0.0;
    bool reached = false;
    for (std::size_t k = n; k + 1 < found_.size(); ++k) {
      const double here = found_[k].architecture.time.si();
      const double next = found_[k + 1].architecture.time.si();
      if (next <= wanted) {
        generations += next < here ? std::log(here / wanted) / std::log(here / next) : 0.0;
        reached = true;
        break;
      }
      generations += 1.0;
    }
    if (n + 1 == found_.size()) {
      return;
    }
    find("model_generations",
         found_[n],
         generations,
         fmt::format("{:.2f} s with the model at {}, {}",
                     wanted,
                     found_[n].text,
                     reached ? "reached by chip and strategy that many nodes later"
                             : "a lower bound: not reached at any listed node"));
  }

  // The introduction: a better strategy against the next node with data parallelism.
  void find_next(std::size_t n) {
    if (n + 1 == found_.size()) {
      return;
    }
    const double by_strategy = found_[n].naive.time / found_[n].parallelism.time;
    const double by_node = found_[n].naive.time / found_[n + 1].naive.time;
    note(result_,
         fmt::format("strategy_beats_next_node.{}", found_[n].name),
         by_strategy > by_node,
         fmt::format("{:.2f}x as fast by {}, {:.2f}x by data parallelism at {}",
                     by_strategy,
                     found_[n].parallelism.strategy,
                     by_node,
                     found_[n + 1].text));
  }

  void find_logic_alone() {
    const NodeFound& first = found_.front();
    const NodeFound& last = found_.back();
    find("logic_alone",
         last,
         first.naive.time / last.naive.time,
         fmt::format("data parallelism, {:.2f} s at {}, {:.2f} s at {}",
                     first.naive.time.si(),
                     first.text,
                     last.naive.time.si(),
                     last.text));
    note(result_,
         "strategy_beats_all_nodes",
         first.parallelism.time < last.naive.time,
         fmt::format("{:.2f} s by {} at {}, {:.2f} s by data parallelism at {}",
                     first.parallelism.time.si(),
                     first.parallelism.strategy,
                     first.text,
                     last.naive.time.si(),
                     last.text));
  }

  void add_table() {
    Table table{.name = "searched",
                .title =
                    "Step time (s), with more and more of the design searched; of other models, "
                    "the time for the same work (same_work)",
                .columns = {"node",
                            "data parallelism",
                            "strategy",
                            "by",
                            "and chip",
                            "by, then",
                            "and model, for the same work",
                            "hidden",
                            "batch",
                            "by, in the end"}};
    Table chips{
        .name = "chips",
        .title = "The best chips",
        .columns = {"node", "throughput (Tflop/s)", "L2 (MB)", "memory (GB/s)", "network (GB/s)"}};
    for (const NodeFound& node : found_) {
      table.rows.push_back({node.text,
                            node.naive.time.si(),
                            node.parallelism.time.si(),
                            node.parallelism.strategy,
                            node.architecture.time.si(),
                            node.architecture.strategy,
                            node.model.time.si(),
                            many(node.model.hidden),
                            many(node.model.batch),
                            node.model.strategy});
      const chip::Device& device = node.chip.device;
      chips.rows.push_back({node.text,
                            2e-12 * device.macs_per_second(precision_),
                            device.levels.back().capacity / Bytes(1e6),
                            device.memory.bandwidth / BytesPerSecond(1e9),
                            node.chip.network / BytesPerSecond(1e9)});
    }
    result_.tables = {std::move(table), std::move(chips)};
  }

  void add_chart() {
    report::Chart chart{.name = "fig10",
                        .title = "Step time by searched parts and logic node",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "logic node"},
                        .y = {.title = "time for the work of the first model's step (s)"},
                        .categories = {}};
    for (const NodeFound& node : found_) {
      chart.categories.push_back(node.text);
    }
    for (const auto& [name, of] : {std::pair("data parallelism", &NodeFound::naive),
                                   std::pair("strategy", &NodeFound::parallelism),
                                   std::pair("and chip", &NodeFound::architecture),
                                   std::pair("and model, for the same work", &NodeFound::model)}) {
      report::Series series{.name = name};
      for (const NodeFound& node : found_) {
        series.y.push_back((node.*of).time.si());
      }
      chart.series.push_back(std::move(series));
    }
    result_.charts.push_back(std::move(chart));
  }

  std::vector<NodeFound> found_;
  chip::Precision precision_;
  StudyResult result_;
};

}  // namespace

StudyResult parallelism_found(std::vector<NodeFound> nodes, chip::Precision precision) {
  return Report(std::move(nodes), precision).make();
}

}  // namespace cairn::study
