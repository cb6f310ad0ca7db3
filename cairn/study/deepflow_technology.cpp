#include <fmt/format.h>

#include <map>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/deepflow.hpp"

namespace cairn::study {

namespace {

struct MemoryChoice {
  std::string name{};
  BytesPerSecond bandwidth{};
  Bytes capacity{};
};

const Schema<MemoryChoice>& schema_of(const MemoryChoice*) {
  static const auto kSchema =
      Schema<MemoryChoice>("memory", "a technology of main memory")
          .required("name", &MemoryChoice::name, "what results call it", "hbm2")
          .required("bandwidth", &MemoryChoice::bandwidth, "of a device's stacks", "1 TB/s")
          .positive()
          .required("capacity", &MemoryChoice::capacity, "of a device's stacks", "16 GiB")
          .positive();
  return kSchema;
}

struct NetworkChoice {
  std::string name{};
  BytesPerSecond bandwidth{};
};

const Schema<NetworkChoice>& schema_of(const NetworkChoice*) {
  static const auto kSchema =
      Schema<NetworkChoice>("network", "a technology of links between devices")
          .required("name", &NetworkChoice::name, "what results call it", "ndr")
          .required("bandwidth", &NetworkChoice::bandwidth, "of a device, each way", "100 GB/s")
          .positive();
  return kSchema;
}

struct StudyFile {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  std::uint32_t devices = 512;
  std::vector<std::string> nodes{};
  std::vector<MemoryChoice> memories{};
  std::vector<NetworkChoice> networks{};
  Config claims{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      Schema<StudyFile>("study", "technologies, assumptions and claims")
          .optional("description", &StudyFile::description, "one line")
          .optional("source", &StudyFile::source, "the paper")
          .optional("study", &StudyFile::study, "which study, if the file is called otherwise")
          .required("assumptions", &StudyFile::assumptions, "what the paper leaves unsaid", "{...}")
          .required("devices", &StudyFile::devices, "that train together", "512")
          .at_least(2)
          .required("nodes", &StudyFile::nodes, "of logic, from the oldest", "[12 nm, 7 nm]")
          .required("memories", &StudyFile::memories, "from the slowest", "[{...}]")
          .required("networks", &StudyFile::networks, "from the slowest", "[{...}]")
          .required("claims", &StudyFile::claims, "what the paper says", "[...]");
  return kSchema;
}

// A step on devices of one logic node, memory and network.
struct Point {
  double time = 0.0;
  Bytes overflow{0.0};
  std::string refused{};  // with memory capacity as a limit
};

// Where the time of a device's kernels goes, by what bounds them.
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

// "memory bandwidth 93 %, l2 bandwidth 6 %": what takes at least a twentieth.
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
  Technology(const StudyFile& file,
             const DeepFlowAssumptions& assumptions,
             const DataFolders& folders,
             const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-technology";
    const model::Graph graph = language_model(assumptions_);
    for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
      const chip::Device made = generated_device(assumptions_, file_.nodes[k], folders_);
      for (std::size_t m = 0; m < file_.memories.size(); ++m) {
        run_device(graph, k, m, made);
      }
    }
    find_times();
    find_claims();
    add_tables();
    add_charts();
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  using Key = std::array<std::size_t, 3>;  // network, memory, node

  void run_device(const model::Graph& graph,
                  std::size_t node,
                  std::size_t memory,
                  const chip::Device& made) {
    chip::Device device = made;
    device.memory.bandwidth = file_.memories[memory].bandwidth;
    device.memory.capacity = file_.memories[memory].capacity;
    kernel::Cache kernels(device);
    Design design = deepflow_design(assumptions_, device, {});
    const auto work = make_workload(graph, design.strategy, file_.devices, kernels);
    if (!work) {
      throw ConfigError(assumptions_.where, work.reason().detail);
    }
    shares_[{memory, node}] = shares_of(work->costs);
    for (std::size_t n = 0; n < file_.networks.size(); ++n) {
      if (tick_) {
        tick_();
      }
      design.platform =
          around_a_switch(file_.devices, file_.networks[n].bandwidth, assumptions_.network_latency);
      design.memory.capacity = memory::Capacity::kIgnored;
      const auto machine = make_machine(*work, design);
      const auto step = evaluate(*work, design, *machine);
      if (!step) {
        throw ConfigError(assumptions_.where, step.reason().detail);
      }
      Point point{.time = step->step_time.si(), .overflow = step->overflow()};
      design.memory.capacity = memory::Capacity::kLimit;
      if (const auto limited = evaluate(*work, design, *machine); !limited) {
        point.refused = limited.reason().detail;
      }
      points_[{n, memory, node}] = point;
    }
  }

  [[nodiscard]] double time(std::size_t network, std::size_t memory, std::size_t node) const {
    return points_.at({network, memory, node}).time;
  }

  // "7 nm" as "n7".
  [[nodiscard]] std::string node_name(std::size_t node) const {
    return "n" + file_.nodes[node].substr(0, file_.nodes[node].find(' '));
  }

  void find_times() {
    for (const auto& [key, point] : points_) {
      const auto& [network, memory, node] = key;
      result_.findings[fmt::format("time.{}.{}.{}",
                                   file_.networks[network].name,
                                   file_.memories[memory].name,
                                   node_name(node))] = point.time;
    }
  }

  // Section 9.1, statement by statement, for each memory; 1 where it is so.
  void find_claims() {
    constexpr double kJump = 1.1;         // "a jump in performance"
    constexpr double kUnchanged = 1.05;   // "stays unchanged"
    constexpr double kSignificant = 0.2;  // "a significant number of kernels", by their time
    const std::size_t last = file_.nodes.size() - 1;
    const std::size_t three = node_at(3.0);
    const std::size_t fastest = file_.networks.size() - 1;
    for (std::size_t m = 0; m < file_.memories.size(); ++m) {
      const std::string& name = file_.memories[m].name;
      const Shares& first = shares_.at({m, 0});
      const Shares& second = shares_.at({m, 1});
      note("l2_bound_at_first." + name,
           share(first, "l2 bandwidth") >= kSignificant,
           fmt::format("at {}, kernels are bound by {}", file_.nodes[0], to_text(first)));
      note("memory_bound_at_second." + name,
           share(second, "memory bandwidth") >= 0.5,
           fmt::format("at {}, kernels are bound by {}", file_.nodes[1], to_text(second)));
      note("jump." + name,
           time(0, m, 0) / time(0, m, 1) >= kJump,
           fmt::format("{:.2f} times as fast at {}, where kernels are bound by {}",
                       time(0, m, 0) / time(0, m, 1),
                       file_.nodes[1],
                       to_text(second)));
      note("saturates." + name,
           time(fastest, m, three) / time(fastest, m, last) <= kUnchanged,
           fmt::format("{:.2f} times as fast at {} as at {} on the fastest network; at {} kernels "
                       "are bound by {}",
                       time(fastest, m, three) / time(fastest, m, last),
                       file_.nodes[last],
                       file_.nodes[three],
                       file_.nodes[three],
                       to_text(shares_.at({m, three}))));
      const double by_network = time(0, m, three) / time(fastest, m, three);
      const double by_logic = time(0, m, three) / time(0, m, last);
      note("network_beats_logic." + name,
           by_network > by_logic,
           fmt::format("beyond {}, logic makes it {:.2f} times as fast, the network {:.2f} times",
                       file_.nodes[three],
                       by_logic,
                       by_network));
    }
  }

  void note(const std::string& finding, bool is_so, const std::string& reason) {
    result_.findings[finding] = is_so ? 1.0 : 0.0;
    result_.reasons[finding] = reason;
  }

  [[nodiscard]] std::size_t node_at(double nanometres) const {
    for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
      if (std::abs(std::stod(file_.nodes[k]) - nanometres) < 1e-9) {
        return k;
      }
    }
    throw ConfigError(assumptions_.where, fmt::format("no node of {} nm is listed", nanometres));
  }

  void add_tables() {
    Table times{.name = "step_times", .title = "Step time in seconds, memory capacity ignored"};
    Table limited{.name = "with_limit",
                  .title = "The same with memory capacity as a limit: what is missing"};
    Table bounds{.name = "bounds", .title = "What bounds the kernels, by their time"};
    times.columns = {"network, memory"};
    for (const std::string& node : file_.nodes) {
      times.columns.push_back(node);
    }
    limited.columns = times.columns;
    bounds.columns = {"memory, node", "bound by"};
    for (std::size_t n = 0; n < file_.networks.size(); ++n) {
      for (std::size_t m = 0; m < file_.memories.size(); ++m) {
        const std::string row =
            fmt::format("{}, {}", file_.networks[n].name, file_.memories[m].name);
        std::vector<std::string> with{row};
        std::vector<std::string> without{row};
        for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
          const Point& point = points_.at({n, m, k});
          without.push_back(number_text(point.time));
          with.push_back(point.refused.empty() ? number_text(point.time)
                                               : cairn::to_text(point.overflow));
        }
        times.rows.push_back(std::move(without));
        limited.rows.push_back(std::move(with));
      }
    }
    for (std::size_t m = 0; m < file_.memories.size(); ++m) {
      for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
        bounds.rows.push_back({fmt::format("{}, {}", file_.memories[m].name, file_.nodes[k]),
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
                          .categories = file_.nodes};
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

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  std::map<Key, Point> points_;
  std::map<std::array<std::size_t, 2>, Shares> shares_;  // by memory and node
  StudyResult result_;
};

}  // namespace

StudyResult run_deepflow_technology(const Config& config,
                                    const DataFolders& folders,
                                    const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return Technology(file, read_deepflow_assumptions(values_of(file.assumptions)), folders, tick)
      .run();
}

std::vector<ClaimRange> range_deepflow_technology(const Config& config,
                                                  const DataFolders& folders,
                                                  const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return range_over(file.assumptions, [&](const Config& values) {
    return Technology(file, read_deepflow_assumptions(values), folders, tick).run().claims;
  });
}

}  // namespace cairn::study
