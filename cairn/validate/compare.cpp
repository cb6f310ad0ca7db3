// Predicts the rows of a table.
#include <algorithm>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

// The reason, if the device does not support the row's precision.
std::optional<std::string> check_row_precision(const Kind& kind,
                                               const MeasuredRow& row,
                                               const Subject& subject) {
  if (kind.subject == SubjectKind::kPlatform) {
    return std::nullopt;
  }
  const auto precision = std::ranges::find(kind.columns, "dtype") != kind.columns.end()
                             ? std::optional(precision_of(row))
                             : kind.precision;
  const auto reason =
      precision ? chip::check_precision(subject.device(), *precision) : std::optional<Infeasible>{};
  return reason ? std::optional(reason->detail) : std::nullopt;
}

// Reports errors of the model that a row describes at the row.
void predict_at(const MeasuredRow& row,
                const Kind& kind,
                Subject& subject,
                Comparison& comparison) {
  const Where where{.file = comparison.file, .line = row.line(), .key = {}};
  try {
    kind.predict(row, subject, comparison);
  } catch (const model::ShapeError& error) {
    throw ConfigError(where, error.what());
  } catch (const ConfigError& error) {
    if (error.where().file == comparison.file) {
      throw;
    }
    throw ConfigError(where, std::string("cannot be run: ") + error.what());
  }
}

// The columns common to all kinds: the clock, which is not compared, and whether the row is held
// out.
std::optional<bool> held_out_of(const MeasuredRow& row) {
  if (!row.text("clock_MHz").empty()) {
    check_positive(row, "clock_MHz");
  }
  if (row.text("held_out").empty()) {
    return std::nullopt;
  }
  return flag(row, "held_out");
}

template <class Row>
void mark(std::vector<Row>& rows, std::size_t from, std::optional<bool> is_held_out) {
  for (std::size_t i = from; i < rows.size(); ++i) {
    rows[i].held_out = is_held_out;
  }
}

}  // namespace

Comparison compare(const MeasuredTable& table,
                   Subject& subject,
                   const std::function<void()>& on_done) {
  const Kind& kind = kind_of(table);
  ensure(kind.subject == subject.kind(), "the subject does not match the kind of measurements");
  Comparison comparison{.kind = std::string(kind.name),
                        .file = table.file(),
                        .subject = kind.subject == SubjectKind::kPlatform ? "platform" : "device",
                        .device = subject.name()};
  if (subject.device().calibration) {
    comparison.calibrated_on = subject.device().calibration->on;
    comparison.changed_since = subject.device().calibration->changed;
  }
  for (const MeasuredRow& row : table.rows()) {
    const std::optional<bool> is_held_out = held_out_of(row);
    const std::size_t cases = comparison.cases.size();
    const std::size_t skipped = comparison.skipped.size();
    if (const auto reason = check_row_precision(kind, row, subject)) {
      comparison.skipped.push_back({std::string(kind.name), row.line(), *reason});
    } else {
      predict_at(row, kind, subject, comparison);
    }
    mark(comparison.cases, cases, is_held_out);
    mark(comparison.skipped, skipped, is_held_out);
    if (on_done) {
      on_done();
    }
  }
  return comparison;
}

}  // namespace cairn::validate
