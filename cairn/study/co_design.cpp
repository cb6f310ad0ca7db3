#include "cairn/study/co_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/explore/explore.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/search/pareto.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/co_design_space.hpp"

namespace cairn::study {

namespace {

struct Assumptions {
  Config model{};
  Config training{};
  double batch = 64.0;
  Watts power{3200.0};
  Dollars price{8000.0};
  Seconds launch{5e-6};
};

const Schema<Assumptions>& schema_of(const Assumptions*) {
  using A = Assumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "what is trained, and for how much")
          .required("model", &A::model, "what is trained: a name, a file or a map", "vgg-e")
          .required("training", &A::training, "what updates weights", "{optimizer: sgd}")
          .optional("batch", &A::batch, "samples of a step, all devices together")
          .whole()
          .at_least(1)
          .optional("power", &A::power, "of the whole system, by design")
          .positive()
          .optional("price", &A::price, "of all devices and memory-nodes together, at most")
          .positive()
          .optional("launch", &A::launch, "of a kernel")
          .not_negative();
  return kSchema;
}

struct Store {
  std::string name{};
  Config platform{};
  Dollars price{};
};

const Schema<Store>& schema_of(const Store*) {
  static const auto kSchema =
      Schema<Store>("store", "where what does not fit devices goes")
          .required("name", &Store::name, "what results call it", "host")
          .required("platform", &Store::platform, "a name, a file or a map", "dc-dla")
          .optional("price", &Store::price, "of its memory-nodes")
          .not_negative();
  return kSchema;
}

struct Executor {
  std::string name{};
  std::string chip{};
  Config endpoint{};
};

const Schema<Executor>& schema_of(const Executor*) {
  static const auto kSchema =
      Schema<Executor>("endpoint", "who executes collectives")
          .required("name", &Executor::name, "what results call it", "engine")
          .required("chip", &Executor::chip, "template of a device that has it", "v100-ace")
          .required("endpoint", &Executor::endpoint, "a name, a file or a map", "engine");
  return kSchema;
}

struct File {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  std::vector<std::string> nodes{};
  std::vector<std::string> memories{};
  std::vector<Store> stores{};
  std::vector<Executor> endpoints{};
  std::vector<std::string> strategies{};
  Config claims{};
};

const Schema<File>& schema_of(const File*) {
  static const auto kSchema =
      Schema<File>("study", "choices of four kinds, of each the first where one begins")
          .optional("description", &File::description, "one line")
          .optional("source", &File::source, "whose parts these are")
          .optional("study", &File::study, "which study, if the file is called otherwise")
          .required("assumptions", &File::assumptions, "what is open", "{...}")
          .required("nodes", &File::nodes, "of logic", "[12 nm, 7 nm]")
          .required("memories", &File::memories, "technologies of main memory", "[hbm2]")
          .required("stores", &File::stores, "where what does not fit goes", "[...]")
          .required("endpoints", &File::endpoints, "who executes collectives", "[...]")
          .required("strategies", &File::strategies, "how training is spread", "[d8]")
          .required("claims", &File::claims, "what is asked", "[...]");
  return kSchema;
}

// The place of energy among explore's metrics.
const std::size_t kEnergy = static_cast<std::size_t>(
    std::ranges::find(explore::metrics(), "energy", &explore::Metric::name) -
    explore::metrics().begin());

std::string list_of(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

class CoDesign {
 public:
  CoDesign(const File& file,
           const Assumptions& assumptions,
           const DataFolders& folders,
           const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {
    for (const std::string& node : file.nodes) {
      for (const std::string& memory : file.memories) {
        choices_.names[0].push_back(node + ", " + memory);
      }
    }
    for (const Store& store : file.stores) {
      choices_.names[1].push_back(store.name);
    }
    for (const Executor& executor : file.endpoints) {
      choices_.names[2].push_back(executor.name);
    }
    choices_.names[3] = file.strategies;
    std::size_t all = 1;
    for (const auto& names : choices_.names) {
      all *= names.size();
    }
    choices_.times.resize(all);
    trials_.assign(all, {.point = {}, .outcome = search::Outcome::impossible(2)});
    powers_.resize(file.stores.size());
  }

  StudyResult run() {
    result_.name = "co-design";
    for (std::size_t store = 0; store < file_.stores.size(); ++store) {
      for (std::size_t executor = 0; executor < file_.endpoints.size(); ++executor) {
        explore_all(store, executor);
      }
    }
    const auto base = choices_.time(Choice{});
    if (!base) {
      throw ConfigError(file_.assumptions.where,
                        fmt::format("the design to begin with cannot be, or costs more than {}{}",
                                    to_text(assumptions_.price),
                                    reasons_.empty() ? "" : ": " + reasons_.front()));
    }
    find_together(*base);
    find_one_by_one();
    find_front();
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  // What the budget leaves for each device.
  Watts device_power(const Store& store) const {
    const platform::Platform platform =
        platform::read_platform(store.platform, folders_.platform_presets());
    const Watts left = assumptions_.power - platform::power_without_devices(platform);
    if (left <= Watts(0.0)) {
      reject(store.platform, fmt::format("takes all of the {}", to_text(assumptions_.power)));
    }
    return left / static_cast<double>(platform.device_count());
  }

  void explore_all(std::size_t store, std::size_t executor) {
    const Watts power = device_power(file_.stores[store]);
    powers_[store] = power;
    const auto& [name, chip, endpoint] = file_.endpoints[executor];
    const std::string text = fmt::format(
        "{{design: {{model: {}, device: {{template: {}, launch: {}}}, platform: {}, endpoint: {}, "
        "strategy: {{batch: {}}}, training: {}, memory: {{overlay: what_does_not_fit}}}}, vary: "
        "{{device.template.power: [{}], device.template.node: {}, "
        "device.template.main_memory.technology: {}, strategy.spread: {}}}, objectives: "
        "[step_time, cost], algorithm: {{method: exhaustive}}}}",
        to_text(assumptions_.model),
        chip,
        to_text(assumptions_.launch),
        to_text(file_.stores[store].platform),
        to_text(endpoint),
        assumptions_.batch,
        to_text(assumptions_.training),
        to_text(power),
        list_of(file_.nodes),
        list_of(file_.memories),
        list_of(file_.strategies));
    const explore::Request request =
        explore::read_request(parse_config(text, file_.assumptions.where.file), folders_, {});
    const explore::Exploration found =
        explore::explore(request, folders_, {.one_done = [&](const explore::DesignTrial&) {
                           if (tick_) {
                             tick_();
                           }
                         }});
    for (const explore::DesignTrial& trial : found.trials) {
      const auto technology = static_cast<std::size_t>(trial.point[1]) * file_.memories.size() +
                              static_cast<std::size_t>(trial.point[2]);
      const std::size_t place =
          choices_.place({technology, store, executor, static_cast<std::size_t>(trial.point[3])});
      if (trial.finding.figures.empty()) {
        reasons_.push_back(trial.finding.reason.limit() + ": " + trial.finding.reason.detail);
        continue;
      }
      search::Outcome& outcome = trials_[place].outcome;
      outcome = explore::outcome_of(trial.finding, request);
      outcome.objectives[1] += file_.stores[store].price.si();
      outcome.missed_by =
          std::max(outcome.missed_by, outcome.objectives[1] / assumptions_.price.si() - 1.0);
      if (outcome.keeps_constraints()) {
        choices_.times[place] = outcome.objectives[0];
      } else {
        ++too_dear_;
      }
      more_[place] = {trial.finding.bound_by, trial.finding.figures[kEnergy]};
    }
  }

  [[nodiscard]] std::string text_of(const Choice& choice) const {
    std::string text;
    for (std::size_t part = 0; part < kParts; ++part) {
      text += (part == 0 ? "" : "; ") + choices_.names[part][choice[part]];
    }
    return text;
  }

  void find(const std::string& name, double value, const std::string& why = {}) {
    result_.findings[name] = value;
    result_.reasons[name] = why;
  }

  [[nodiscard]] double price(const Choice& choice) const {
    return trials_[choices_.place(choice)].outcome.objectives[1];
  }

  [[nodiscard]] std::vector<Cell> row_of(const std::string& what, const Choice& choice) const {
    const More& more = more_.at(choices_.place(choice));
    std::vector<Cell> row{what, 1e3 * *choices_.time(choice), price(choice) / 1e3, more.energy};
    for (std::size_t part = 0; part < kParts; ++part) {
      row.emplace_back(choices_.names[part][choice[part]]);
    }
    row.emplace_back(powers_[choice[1]].si());
    row.emplace_back(more.bound_by);
    return row;
  }

  static std::vector<std::string> columns(const char* first) {
    return {first,
            "step (ms)",
            "price (kUSD)",
            "energy (J)",
            "technology",
            "store",
            "endpoint",
            "strategy",
            "device (W)",
            "bound by"};
  }

  // All four together, each alone, and all but each.
  void find_together(double base) {
    joint_ = fastest(choices_, {}).value();
    const double best = *choices_.time(joint_);
    find("gain.together", base / best, text_of(joint_));
    Table table{.name = "parts",
                .title = "What may be chosen, and the fastest then",
                .columns = columns("free")};
    table.rows.push_back(row_of("nothing", {}));
    double product = 1.0;
    for (std::size_t part = 0; part < kParts; ++part) {
      std::array<bool, kParts> fixed{true, true, true, true};
      fixed[part] = false;
      const Choice alone = fastest(choices_, fixed).value();
      table.rows.push_back(row_of(std::string(kPartNames[part]) + " alone", alone));
      const double gain = base / *choices_.time(alone);
      product *= gain;
      find(fmt::format("gain.{}", kPartNames[part]), gain, text_of(alone));
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      std::array<bool, kParts> fixed{};
      fixed[part] = true;
      const Choice without = fastest(choices_, fixed).value();
      table.rows.push_back(row_of(std::string("all but ") + kPartNames[part], without));
      find(fmt::format("without.{}", kPartNames[part]),
           *choices_.time(without) / best,
           text_of(without));
    }
    table.rows.push_back(row_of("all", joint_));
    find(
        "together_over_product",
        base / best / product,
        fmt::format(
            "{:.2f} together, {:.2f} if gains of each alone would multiply", base / best, product));
    result_.tables.push_back(std::move(table));
  }

  // Every order in which four teams could each choose the best, given what the others have chosen.
  void find_one_by_one() {
    const double best = *choices_.time(joint_);
    std::array<std::size_t, kParts> order{};
    std::iota(order.begin(), order.end(), 0U);
    Table table{.name = "orders",
                .title = "Each part chosen once, in every order: how much slower than together",
                .columns = {"order", "step (ms)", "over together", "ends with"}};
    double worst = 1.0;
    double reached = 0.0;
    std::string worst_text;
    do {
      const Choice end = one_after_the_other(choices_, order);
      const double over = *choices_.time(end) / best;
      std::string text;
      for (const std::size_t part : order) {
        text += (text.empty() ? "" : ", ") + std::string(kPartNames[part]);
      }
      table.rows.push_back({text, 1e3 * *choices_.time(end), over, text_of(end)});
      reached += over <= 1.0 + 1e-9 ? 1.0 : 0.0;
      if (over > worst) {
        worst = over;
        worst_text = text + ": " + text_of(end);
      }
    } while (std::ranges::next_permutation(order).found);
    find("orders_that_reach", reached, fmt::format("of {}", table.rows.size()));
    find("worst_order", worst, worst_text);
    result_.tables.push_back(std::move(table));
  }

  // Step time against price, within the budget.
  void find_front() {
    const auto front = search::pareto_front(trials_);
    Table table{.name = "best",
                .title = "Step time against price: designs that none beats in both",
                .columns = columns("design")};
    report::Chart chart{.name = "front",
                        .title = "Step time against price",
                        .kind = report::ChartKind::kPoints,
                        .x = {.title = "step time (ms)"},
                        .y = {.title = "price (kUSD)"},
                        .categories = {}};
    report::Series all{.name = "designs"};
    report::Series best{.name = "front"};
    for (const search::Trial& trial : trials_) {
      if (trial.outcome.keeps_constraints()) {
        all.x.push_back(1e3 * trial.outcome.objectives[0]);
        all.y.push_back(trial.outcome.objectives[1] / 1e3);
      }
    }
    for (const std::size_t place : front) {
      const Choice choice = choices_.at(place);
      table.rows.push_back(row_of(fmt::format("{}", table.rows.size() + 1), choice));
      best.x.push_back(1e3 * *choices_.time(choice));
      best.y.push_back(price(choice) / 1e3);
    }
    find("designs", static_cast<double>(trials_.size()));
    find("possible", static_cast<double>(all.x.size()));
    find("front", static_cast<double>(front.size()));
    find("too_dear", static_cast<double>(too_dear_));
    const Choice cheapest = choices_.at(front.back());
    find("price_of_cheapest",
         price(cheapest) / price(joint_),
         fmt::format("{} USD against {} USD: {}",
                     many(price(cheapest)),
                     many(price(joint_)),
                     text_of(cheapest)));
    find("time_of_cheapest", *choices_.time(cheapest) / *choices_.time(joint_), text_of(cheapest));
    chart.series = {std::move(all), std::move(best)};
    result_.charts.push_back(std::move(chart));
    result_.tables.push_back(std::move(table));
  }

  const File& file_;
  const Assumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  Choices choices_{};
  std::vector<search::Trial> trials_;  // as choices_.times

  struct More {
    std::string bound_by{};
    double energy = 0.0;
  };

  std::map<std::size_t, More> more_;  // of what is possible
  std::size_t too_dear_ = 0;
  std::vector<Watts> powers_;         // of a device, by store
  std::vector<std::string> reasons_;  // why designs cannot be
  Choice joint_{};
  StudyResult result_;
};

File read_file(const Config& config) {
  auto file = read_config<File>(config);
  for (const char* key : {"nodes", "memories", "stores", "endpoints", "strategies"}) {
    const Config& list = *config.find(key);
    if (list.kind == Config::Kind::kList && list.items.empty()) {
      reject(list, "has no items (expected at least one)");
    }
  }
  return file;
}

StudyResult run_under(const Config& values,
                      const File& file,
                      const DataFolders& folders,
                      const Tick& tick) {
  const auto assumptions = read_config<Assumptions>(values);
  return CoDesign(file, assumptions, folders, tick).run();
}

}  // namespace

StudyResult run_co_design(const Config& config, const DataFolders& folders, const Tick& tick) {
  const File file = read_file(config);
  return run_under(values_of(file.assumptions), file, folders, tick);
}

std::vector<ClaimRange> range_co_design(const Config& config,
                                        const DataFolders& folders,
                                        const Tick& tick) {
  const File file = read_file(config);
  return range_over(file.assumptions, {}, [&](const Config& values) {
    return run_under(values, file, folders, tick);
  });
}

}  // namespace cairn::study
