#include "cairn/explore/trial_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

namespace cairn::explore {

namespace {

// ", step_time_s REAL, energy_J REAL, ..." for the type " REAL".
std::string metric_columns(const char* type) {
  std::string columns;
  for (const Metric& metric : metrics()) {
    columns += ", " + key_of(metric) + type;
  }
  return columns;
}

// Columns in the order that rows are written and read; the metrics follow.
enum Column : std::uint8_t {
  kNumber,
  kPoint,
  kSettings,
  kBoundBy,
  kBoundByKind,
  kBoundByResource,
  kLacks,
  kDetail,
  kMissedBy,
  kFirstMetric
};

std::string columns() {
  return "number, point, settings, bound_by, bound_by_kind, bound_by_resource, lacks, detail, "
         "missed_by" +
         metric_columns("");
}

std::string insertion() {
  const std::vector<const char*> values(kFirstMetric + metrics().size(), "?");
  return fmt::format("INSERT INTO trials({}) VALUES({})", columns(), fmt::join(values, ", "));
}

class TrialReader {
 public:
  explicit TrialReader(Database& database)
      : database_(database),
        select_(database, "SELECT " + columns() + " FROM trials ORDER BY number") {}

  std::vector<DesignTrial> all() {
    std::vector<DesignTrial> trials;
    while (select_.next()) {
      DesignTrial trial{.point = point()};
      if (select_.is_null(kLacks)) {
        int column = kFirstMetric;
        for (const Metric& metric : metrics()) {
          trial.finding.figures.push_back(amount(column++, key_of(metric)));
        }
        trial.finding.bound = bound();
      } else {
        trial.finding.reason = lacking(select_.text(kLacks));
        trial.finding.reason.detail = select_.text(kDetail);
        trial.finding.reason.constraint_violation = amount(kMissedBy, "missed_by");
      }
      if (!trial.finished()) {
        fail("lacks is empty (must be NULL, or name a limit)");
      }
      trials.push_back(std::move(trial));
    }
    return trials;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    database_.fail(fmt::format("is damaged: trial {}: {}; delete this row to continue without it",
                               select_.whole(kNumber),
                               problem));
  }

  [[nodiscard]] explain::Bound bound() const {
    const std::string kind = select_.text(kBoundByKind);
    const auto found = find_enum<explain::BoundKind>(kind);
    if (!found) {
      fail("bound_by_kind is " + in_quotes(kind) + " (must be a kind of bound)");
    }
    return {*found, select_.text(kBoundBy), select_.text(kBoundByResource)};
  }

  [[nodiscard]] search::Point point() const {
    const std::string text = select_.text(kPoint);
    search::Point point;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (at < end) {
      const auto [next, error] = std::from_chars(at, end, point.emplace_back());
      if (error != std::errc()) {
        fail("point is " + in_quotes(text) + " (must be one number per axis)");
      }
      at = next == end ? end : next + 1;
    }
    return point;
  }

  // A figure in SI units, infinite where it is unknown. SQLite stores NaN as NULL.
  [[nodiscard]] double amount(int column, const std::string& key) const {
    if (!select_.is_number(column)) {
      fail(fmt::format("{} is {} (must be a number)",
                       key,
                       select_.is_null(column) ? "NULL" : in_quotes(select_.text(column))));
    }
    const double value = select_.real(column);
    if (!(value >= 0.0)) {
      fail(fmt::format("{} is {} (must not be negative)", key, value));
    }
    return value;
  }

  Database& database_;
  Statement select_;
};

}  // namespace

void create_trial_table(Database& database) {
  database.run(
      fmt::format("CREATE TABLE trials(number INTEGER PRIMARY KEY, point TEXT NOT NULL, "
                  "settings TEXT NOT NULL{}, bound_by TEXT, bound_by_kind TEXT, bound_by_resource "
                  "TEXT, lacks TEXT, detail TEXT, missed_by REAL)",
                  metric_columns(" REAL")));
}

TrialWriter::TrialWriter(Database& database) : insert_(database, insertion()) {}

void TrialWriter::add(std::size_t number, const DesignTrial& trial, const std::string& settings) {
  insert_.with(static_cast<std::int64_t>(number)).with(point_text(trial.point)).with(settings);
  const Finding& finding = trial.finding;
  if (finding.figures.empty()) {
    const Infeasible& reason = finding.reason;
    insert_.with_null()
        .with_null()
        .with_null()
        .with(reason.limit())
        .with(reason.detail)
        .with(reason.constraint_violation);
  } else {
    insert_.with(finding.bound.text)
        .with(enum_name(finding.bound.kind))
        .with(finding.bound.resource)
        .with_null()
        .with_null()
        .with_null();
  }
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    if (finding.figures.empty()) {
      insert_.with_null();
    } else {
      insert_.with(finding.figures[m]);
    }
  }
  insert_.next();
}

std::vector<DesignTrial> read_trials(Database& database) {
  return TrialReader(database).all();
}

std::string point_text(const search::Point& point) {
  return fmt::format("{}", fmt::join(point, " "));
}

}  // namespace cairn::explore
