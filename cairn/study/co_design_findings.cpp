#include "cairn/study/co_design_findings.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>

#include "cairn/base/many.hpp"

namespace cairn::study {

namespace {

class Report {
 public:
  explicit Report(const EvaluatedDesigns& designs)
      : designs_(designs), choices_(designs.choices), joint_(fastest(choices_, {}).value()) {}

  StudyResult make() {
    result_.name = "co-design";
    find_together();
    find_one_by_one();
    find_front();
    return std::move(result_);
  }

 private:
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
    return designs_.trials[choices_.place(choice)].outcome.objectives[1];
  }

  [[nodiscard]] std::vector<Cell> row_of(const std::string& what, const Choice& choice) const {
    const DesignDetail& detail = designs_.details.at(choices_.place(choice));
    std::vector<Cell> row{what, 1e3 * *choices_.time(choice), price(choice) / 1e3, detail.energy};
    for (std::size_t part = 0; part < kParts; ++part) {
      row.emplace_back(choices_.names[part][choice[part]]);
    }
    row.emplace_back(designs_.device_power[choice[1]].si());
    row.emplace_back(detail.bound_by);
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
  void find_together() {
    const double base = *choices_.time(Choice{});
    const double best = *choices_.time(joint_);
    find("gain.together", base / best, text_of(joint_));
    Table table{.name = "parts",
                .title = "The fastest design, by the parts that are free",
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
    find("together_over_product",
         base / best / product,
         fmt::format("{:.2f} together, {:.2f} if the gains multiplied", base / best, product));
    result_.tables.push_back(std::move(table));
  }

  // Greedy choice in every order: each part is the best, given the current choice of the others.
  void find_one_by_one() {
    const double best = *choices_.time(joint_);
    std::array<std::size_t, kParts> order{};
    std::iota(order.begin(), order.end(), 0U);
    Table table{
        .name = "orders",
        .title =
            "Parts chosen one after the other, in every order: step time over that chosen together",
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
    const auto front = search::pareto_front(designs_.trials);
    Table table{.name = "best",
                .title = "Step time against price: Pareto front",
                .columns = columns("design")};
    report::Chart chart{.name = "front",
                        .title = "Step time against price",
                        .kind = report::ChartKind::kPoints,
                        .x = {.title = "step time (ms)"},
                        .y = {.title = "price (kUSD)"},
                        .categories = {}};
    report::Series all{.name = "designs"};
    report::Series best{.name = "front"};
    for (const search::Trial& trial : designs_.trials) {
      if (trial.outcome.is_feasible()) {
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
    find("designs", static_cast<double>(designs_.trials.size()));
    find("possible", static_cast<double>(all.x.size()));
    find("front", static_cast<double>(front.size()));
    find("too_dear", static_cast<double>(designs_.over_budget));
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

  const EvaluatedDesigns& designs_;
  const Choices& choices_;
  Choice joint_;  // the fastest design
  StudyResult result_;
};

}  // namespace

StudyResult co_design_found(const EvaluatedDesigns& designs) {
  return Report(designs).make();
}

}  // namespace cairn::study
