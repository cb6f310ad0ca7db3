#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/kernel/all_tilings.hpp"
#include "cairn/kernel/sides.hpp"
#include "cairn/study/deepflow.hpp"

namespace cairn::study {

namespace {

struct StudyFile : DeepFlowFile {
  std::string node = "12 nm";
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
  std::vector<std::uint32_t> devices{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      deepflow_schema<StudyFile>("a GEMM, numbers of devices, assumptions and claims")
          .optional("node", &StudyFile::node, "logic node")
          .required("m", &StudyFile::m, "rows of the output", "65536")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .required("n", &StudyFile::n, "columns of the output", "65536")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .required("k", &StudyFile::k, "reduction dimension", "65536")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .required("devices", &StudyFile::devices, "device counts, ascending", "[1, 4]")
          .at_least(1)
          .at_most(65536);
  return kSchema;
}

// The part of the GEMM on one device.
struct Shard {
  std::string strategy{};  // "RC-4-2", "CR-8"
  model::Contraction gemm{};
};

// RC gives each of k1 k2 devices a block of the output, CR each of k1 a slice of the reduction
// dimension (section 3.3). Strategies that leave a device without work are skipped.
std::vector<Shard> shards(const StudyFile& file, std::uint32_t devices) {
  std::vector<Shard> result;
  for (std::uint32_t k1 = 1; k1 <= devices && k1 <= file.m; ++k1) {
    const std::uint32_t k2 = devices / k1;
    if (devices % k1 == 0 && k2 <= file.n) {
      result.push_back(
          {fmt::format("RC-{}-{}", k1, k2),
           {.m = kernel::parts(file.m, k1), .n = kernel::parts(file.n, k2), .k = file.k}});
    }
  }
  if (devices > 1 && devices <= file.k) {
    result.push_back({fmt::format("CR-{}", devices),
                      {.m = file.m, .n = file.n, .k = kernel::parts(file.k, devices)}});
  }
  return result;
}

// Flops over bytes of main memory, for each tiling.
std::vector<double> intensities(const kernel::Work& work, const chip::Device& device) {
  std::vector<double> result;
  for (const Bytes bytes : kernel::memory_of_all_tilings(work, device)) {
    result.push_back(2.0 * work.macs() / bytes.si());
  }
  return result;
}

// The intensities of one number of devices, or of one strategy.
struct Spread {
  std::string name{};
  std::size_t tilings = 0;
  report::Box box{};

  [[nodiscard]] double ratio() const { return box.most / box.least; }

  [[nodiscard]] double height() const { return box.upper - box.lower; }
};

class Intensity {
 public:
  Intensity(const StudyFile& file,
            const DeepFlowAssumptions& assumptions,
            const DataFolders& folders,
            const Tick& tick)
      : file_(file),
        assumptions_(assumptions),
        device_(generated_device(assumptions, file.node, folders)),
        tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-intensity";
    for (const std::uint32_t devices : file_.devices) {
      by_devices_.push_back(spread_over(devices));
    }
    find_claims();
    add("devices", "devices", by_devices_);
    add("strategies", fmt::format("strategy of {} devices", by_devices_.back().name), by_strategy_);
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  Spread spread_over(std::uint32_t devices) {
    by_strategy_.clear();
    std::vector<double> all;
    for (const Shard& shard : shards(file_, devices)) {
      if (tick_) {
        tick_();
      }
      const auto values = intensities(kernel::work_of(shard.gemm, assumptions_.precision), device_);
      by_strategy_.push_back({shard.strategy, values.size(), report::box_of(values)});
      all.insert(all.end(), values.begin(), values.end());
    }
    return {std::to_string(devices), all.size(), report::box_of(std::move(all))};
  }

  // The statements of section 2; 1 if one holds.
  void find_claims() {
    constexpr double kLarge = 10.0;  // "a large spread": an order of magnitude
    constexpr double kMuch = 2.0;    // "much smaller", "different"
    for (const Spread& spread : by_devices_) {
      result_.findings["median." + spread.name] = spread.box.median;
      result_.findings["most." + spread.name] = spread.box.most;
      result_.findings["ratio." + spread.name] = spread.ratio();
      result_.findings["height." + spread.name] = spread.height();
    }
    const Spread& few = by_devices_.front();
    const Spread& many = by_devices_.back();
    const Spread& narrowest = *std::ranges::min_element(by_devices_, {}, &Spread::ratio);
    note(result_,
         "large_spread",
         narrowest.ratio() >= kLarge,
         fmt::format("the narrowest spread, on {} devices, is {:.3g} to {:.3g}",
                     narrowest.name,
                     narrowest.box.least,
                     narrowest.box.most));
    note(result_,
         "wider_on_few",
         few.height() > many.height(),
         fmt::format("quartiles are {:.3g} apart on {} devices, {:.3g} on {}",
                     few.height(),
                     few.name,
                     many.height(),
                     many.name));
    note(result_,
         "wider_ratio_on_few",
         few.ratio() > many.ratio(),
         fmt::format("the maximum is {:.3g} times the minimum on {} devices, {:.3g} times on {}",
                     few.ratio(),
                     few.name,
                     many.ratio(),
                     many.name));
    note(result_,
         "smaller_on_many",
         few.box.median >= kMuch * many.box.median,
         fmt::format("the median is {:.3g} on {} devices, {:.3g} on {}",
                     few.box.median,
                     few.name,
                     many.box.median,
                     many.name));
    const auto most = [](const Spread& spread) { return spread.box.most; };
    const auto [worst, best] = std::ranges::minmax_element(by_strategy_, {}, most);
    note(result_,
         "strategies_differ",
         best->box.most >= kMuch * worst->box.most,
         fmt::format("with the best tiling, {} reaches {:.3g} and {} {:.3g}",
                     best->name,
                     best->box.most,
                     worst->name,
                     worst->box.most));
  }

  // A table and a box plot.
  void add(const std::string& name, const std::string& title, const std::vector<Spread>& spreads) {
    Table table{.name = "intensity_by_" + name,
                .title = "Flops over bytes of main memory, by " + title,
                .columns = {title, "tilings"}};
    for (const char* part : report::kBoxParts) {
      table.columns.push_back(fmt::format("{} (flop/B)", part));
    }
    table.columns.emplace_back("most over least");
    report::Chart chart{
        .name = "fig1_" + name,
        .title = fmt::format("Arithmetic intensity of a {} x {} x {} GEMM by {}, all tilings",
                             file_.m,
                             file_.n,
                             file_.k,
                             title),
        .kind = report::ChartKind::kBoxes,
        .x = {.title = title},
        .y = {.title = "intensity (flop/B)", .log = true},
        .series = {{.name = "tilings"}}};
    for (const Spread& spread : spreads) {
      std::vector<Cell> row{spread.name, std::to_string(spread.tilings)};
      for (const double value : report::numbers_of(spread.box)) {
        row.emplace_back(value);
      }
      row.emplace_back(spread.ratio());
      table.rows.push_back(std::move(row));
      chart.categories.push_back(spread.name);
      chart.series.front().boxes.push_back(spread.box);
    }
    result_.tables.push_back(std::move(table));
    result_.charts.push_back(std::move(chart));
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  chip::Device device_;
  const Tick& tick_;
  std::vector<Spread> by_devices_;
  std::vector<Spread> by_strategy_;  // for the last device count
  StudyResult result_;
};

StudyFile read_file(const Config& config) {
  auto file = read_config<StudyFile>(config);
  check_filled(config, {"devices"});
  for (const std::uint32_t devices : file.devices) {
    if (shards(file, devices).empty()) {
      reject(*config.find("devices"),
             fmt::format("has {} devices, and no strategy gives each of them work", devices));
    }
  }
  return file;
}

}  // namespace

PreparedStudy prepare_deepflow_intensity(const Config& config,
                                         const DataFolders& folders,
                                         const Tick& tick) {
  return prepare_deepflow<Intensity>(read_file(config), folders, tick);
}

}  // namespace cairn::study
