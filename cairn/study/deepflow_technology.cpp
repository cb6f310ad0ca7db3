#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/published.hpp"
#include "cairn/study/technology_choices.hpp"

namespace cairn::study {

namespace {

// A step on devices of one logic node, memory and network.
struct Point {
  double time = 0.0;
  Bytes overflow{0.0};
  std::string infeasible{};  // reason, with memory capacity as a limit
};

// Fractions of the kernels' time, by their bound.
using Shares = std::map<std::string, double>;

Shares shares_of(const std::vector<kernel::Cost>& costs) {
  Shares shares;
  double all = 0.0;
  for (const kernel::Cost& cost : costs) {
    shares[kernel::to_text(cost.bound_by)] += cost.time.si();
    all += cost.time.si();
  }
  for (auto& [bound, share] : shares) {
    share /= all;
  }
  return shares;
}

double share(const Shares& shares, const std::string& bound) {
  const auto found = shares.find(bound);
  return found == shares.end() ? 0.0 : found->second;
}

// "memory bandwidth 93 %, l2 bandwidth 6 %": bounds with at least 5 % of the time.
std::string to_text(const Shares& shares) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [bound, part] : shares) {
    if (part >= 0.05) {
      sorted.emplace_back(-part, bound);
    }
  }
  std::ranges::sort(sorted);
  std::string text;
  for (const auto& [part, bound] : sorted) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", bound, -100.0 * part);
  }
  return text;
}

class Technology {
 public:
  Technology(const TechnologyFile& file,
             const DeepFlowAssumptions& assumptions,
             const DataFolders& folders,
             const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-technology";
    for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
      const chip::Device made =
          generated_device(assumptions_, cairn::to_text(file_.nodes[k]), folders_);
      for (std::size_t m = 0; m < file_.memories.size(); ++m) {
        run_device(k, m, made);
      }
    }
    find_times();
    find_claims();
    add_tables();
    add_charts();
    judge(result_, file_.claims);
    mark_published(result_, marks());
    return std::move(result_);
  }

 private:
  using Key = std::array<std::size_t, 3>;  // network, memory, node

  void run_device(std::size_t node, std::size_t memory, const chip::Device& made) {
    chip::Device device = made;
    device.memory.bandwidth = file_.memories[memory].bandwidth;
    device.memory.capacity = file_.memories[memory].capacity;
    Design design = deepflow_design(assumptions_, device, {});
    design.strategy.devices = file_.devices;
    const auto plan = cache_.plan(design);
    if (!plan) {
      throw ConfigError(assumptions_.where("batch"), plan.reason().detail);
    }
    shares_[{memory, node}] = shares_of(cost_kernels(**plan, design, cache_).value());
    for (std::size_t n = 0; n < file_.networks.size(); ++n) {
      if (tick_) {
        tick_();
      }
      design.platform =
          around_a_switch(file_.devices, file_.networks[n].bandwidth, assumptions_.network_latency);
      design.memory.capacity = memory::Capacity::kIgnored;
      const auto step = evaluate(design, cache_, Detail::kTrial);
      if (!step) {
        throw ConfigError(assumptions_.where(), step.reason().detail);
      }
      Point point{.time = step->step_time.si(), .overflow = step->overflow()};
      design.memory.capacity = memory::Capacity::kLimit;
      if (const auto limited = evaluate(design, cache_, Detail::kTrial); !limited) {
        point.infeasible = limited.reason().detail;
      }
      points_[{n, memory, node}] = point;
    }
  }

  [[nodiscard]] double time(std::size_t network, std::size_t memory, std::size_t node) const {
    return points_.at({network, memory, node}).time;
  }

  // "7 nm"
  [[nodiscard]] std::string node_text(std::size_t node) const {
    return cairn::to_text(file_.nodes[node]);
  }

  void find_times() {
    for (const auto& [key, point] : points_) {
      const auto& [network, memory, node] = key;
      result_.findings[time_name(network, memory, node)] = point.time;
    }
    result_.absent["time."] = "the network, memory or logic node is not listed";
  }

  [[nodiscard]] std::string time_name(std::size_t network,
                                      std::size_t memory,
                                      std::size_t node) const {
    return fmt::format("time.{}.{}.n{:g}",
                       file_.networks[network].name,
                       file_.memories[memory].name,
                       file_.nodes[node] / Metres(1e-9));
  }

  [[nodiscard]] std::vector<Mark> marks() const {
    std::vector<Mark> marks;
    for (const auto& [key, point] : points_) {
      const auto& [network, memory, node] = key;
      marks.push_back({"fig9_" + file_.networks[network].name,
                       file_.memories[memory].name,
                       node_text(node),
                       time_name(network, memory, node)});
    }
    return marks;
  }

  // The statements of section 9.1 for each memory; 1 if one holds.
  void find_claims() {
    constexpr double kJump = 1.1;         // "a jump in performance"
    constexpr double kUnchanged = 1.05;   // "stays unchanged"
    constexpr double kSignificant = 0.2;  // "a significant number of kernels", by their time
    const std::size_t last = file_.nodes.size() - 1;
    const std::size_t fastest = file_.networks.size() - 1;
    const auto twelve = node_at(12.0);
    const auto seven = node_at(7.0);
    const auto three = node_at(3.0);
    state("l2_bound_at_n12", {twelve}, [&](std::size_t m) -> Statement {
      const Shares& shares = shares_.at({m, *twelve});
      return {share(shares, "l2 bandwidth") >= kSignificant,
              "at 12 nm, kernels are bound by " + to_text(shares)};
    });
    state("memory_bound_at_n7", {seven}, [&](std::size_t m) -> Statement {
      const Shares& shares = shares_.at({m, *seven});
      return {share(shares, "memory bandwidth") >= 0.5,
              "at 7 nm, kernels are bound by " + to_text(shares)};
    });
    state("jump", {twelve, seven}, [&](std::size_t m) -> Statement {
      const double gain = time(0, m, *twelve) / time(0, m, *seven);
      return {gain >= kJump,
              fmt::format("{:.2f}x as fast at 7 nm, where kernels are bound by {}",
                          gain,
                          to_text(shares_.at({m, *seven})))};
    });
    state("saturates", {three}, [&](std::size_t m) -> Statement {
      const double gain = time(fastest, m, *three) / time(fastest, m, last);
      return {gain <= kUnchanged,
              fmt::format("{:.2f}x as fast at {} as at 3 nm on the fastest network; at 3 nm "
                          "kernels are bound by {}",
                          gain,
                          node_text(last),
                          to_text(shares_.at({m, *three})))};
    });
    state("network_beats_logic", {three}, [&](std::size_t m) -> Statement {
      const double by_network = time(0, m, *three) / time(fastest, m, *three);
      const double by_logic = time(0, m, *three) / time(0, m, last);
      return {
          by_network > by_logic,
          fmt::format(
              "beyond 3 nm, logic gains {:.2f}x and the network {:.2f}x", by_logic, by_network)};
    });
  }

  struct Statement {
    bool holds = false;
    std::string reason{};
  };

  // Evaluates a statement for each memory, if the nodes that it names are listed.
  void state(const std::string& name,
             const std::vector<std::optional<std::size_t>>& nodes,
             const std::function<Statement(std::size_t memory)>& about) {
    result_.absent[name + "."] = "the memory is not listed";
    if (!std::ranges::all_of(nodes, [](const auto& node) { return node.has_value(); })) {
      result_.absent[name + "."] = "a logic node that it names is not listed";
      return;
    }
    for (std::size_t m = 0; m < file_.memories.size(); ++m) {
      const auto [holds, reason] = about(m);
      note(result_, fmt::format("{}.{}", name, file_.memories[m].name), holds, reason);
    }
  }

  [[nodiscard]] std::optional<std::size_t> node_at(double nanometres) const {
    const auto found = std::ranges::find_if(file_.nodes, [&](Metres node) {
      return std::abs(node / Metres(1e-9) - nanometres) < 1e-6;
    });
    return found == file_.nodes.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - file_.nodes.begin()));
  }

  void add_tables() {
    Table times{.name = "step_times", .title = "Step time in seconds, memory capacity ignored"};
    Table limited{
        .name = "with_limit",
        .title = "The same with memory capacity as a limit: the missing capacity, if infeasible"};
    Table bounds{.name = "bounds", .title = "Bounds of the kernels, by their time"};
    times.columns = {"network, memory"};
    for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
      times.columns.push_back(node_text(k));
    }
    limited.columns = times.columns;
    bounds.columns = {"memory, node", "bound by"};
    for (std::size_t n = 0; n < file_.networks.size(); ++n) {
      for (std::size_t m = 0; m < file_.memories.size(); ++m) {
        const std::string row =
            fmt::format("{}, {}", file_.networks[n].name, file_.memories[m].name);
        std::vector<Cell> with{row};
        std::vector<Cell> without{row};
        for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
          const Point& point = points_.at({n, m, k});
          without.emplace_back(point.time);
          with.push_back(point.infeasible.empty() ? Cell(point.time)
                                                  : Cell(cairn::to_text(point.overflow)));
        }
        times.rows.push_back(std::move(without));
        limited.rows.push_back(std::move(with));
      }
    }
    for (std::size_t m = 0; m < file_.memories.size(); ++m) {
      for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
        bounds.rows.push_back({fmt::format("{}, {}", file_.memories[m].name, node_text(k)),
                               to_text(shares_.at({m, k}))});
      }
    }
    result_.tables = {std::move(times), std::move(limited), std::move(bounds)};
  }

  void add_charts() {
    for (std::size_t n = 0; n < file_.networks.size(); ++n) {
      report::Chart chart{.name = "fig9_" + file_.networks[n].name,
                          .title = "Technology scaling, network " + file_.networks[n].name,
                          .kind = report::ChartKind::kGroupedBars,
                          .x = {.title = "logic node"},
                          .y = {.title = "step time (s)"},
                          .categories = {}};
      for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
        chart.categories.push_back(node_text(k));
      }
      for (std::size_t m = 0; m < file_.memories.size(); ++m) {
        report::Series series{.name = file_.memories[m].name};
        for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
          series.y.push_back(time(n, m, k));
        }
        chart.series.push_back(std::move(series));
      }
      result_.charts.push_back(std::move(chart));
    }
  }

  const TechnologyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  EvaluationCache cache_{};
  std::map<Key, Point> points_;
  std::map<std::array<std::size_t, 2>, Shares> shares_;  // by memory and node
  StudyResult result_;
};

}  // namespace

PreparedStudy prepare_deepflow_technology(const Config& config,
                                          const DataFolders& folders,
                                          const Tick& tick) {
  return prepare_deepflow<Technology>(read_technology_file(config, folders), folders, tick);
}

}  // namespace cairn::study
