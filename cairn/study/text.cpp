#include "cairn/study/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "cairn/report/table.hpp"

namespace cairn::study {

namespace {

using report::Align;
using report::Column;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // an empty cell

std::string number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

// In quotes if it must be, as RFC 4180 says.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

// A number, or text that must not be read as one.
nlohmann::ordered_json json_cell(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? nlohmann::ordered_json(value)
                                                                  : nlohmann::ordered_json(text);
}

std::string table_text(const Table& table) {
  std::vector<Column> columns;
  for (const std::string& header : table.columns) {
    columns.push_back({header, columns.empty() ? Align::kLeft : Align::kRight});
  }
  return "\n" + table.title + "\n\n" + report::table_text(columns, table.rows);
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "";
}

}  // namespace

std::string study_text(const StudyResult& result) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(result.claims.size());
  for (const Claim& claim : result.claims) {
    const std::optional<double> ratio = claim.ratio();
    rows.push_back({claim.id,
                    claim.what,
                    number(claim.published),
                    number(claim.ours),
                    ratio ? fmt::format("{:.2f}", *ratio) : "",
                    claim.tolerance_text(),
                    std::string(to_text(claim.verdict()))});
  }
  const auto with = [&](Verdict verdict) {
    return std::ranges::count(result.claims, verdict, &Claim::verdict);
  };
  std::string text = fmt::format("{}: {} of {} published numbers hold\n\n",
                                 result.name,
                                 with(Verdict::kHolds),
                                 with(Verdict::kHolds) + with(Verdict::kNotReproduced));
  text += report::table_text({{"claim", Align::kLeft},
                              {"what", Align::kLeft},
                              {"published", Align::kRight},
                              {"ours", Align::kRight},
                              {"ratio", Align::kRight},
                              {"tolerance", Align::kLeft},
                              {"", Align::kLeft}},
                             rows);
  std::string why;
  for (const Claim& claim : result.claims) {
    if (claim.verdict() == Verdict::kNotReproduced && !claim.moved_by.empty()) {
      const std::string lead = fmt::format("{:<5}", claim.id);
      why += lead + report::wrap_text(claim.moved_by, lead.size()) + "\n";
    }
  }
  if (!why.empty()) {
    text += "\nWhat moves those that are not reproduced:\n" + why;
  }
  for (const Table& table : result.tables) {
    text += table_text(table);
  }
  return text;
}

std::string study_range_text(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    const Claim& claim = result.claims[c];
    const ClaimRange& range = ranges[c];
    rows.push_back({claim.id,
                    number(claim.published),
                    number(claim.ours),
                    number(range.least),
                    range.least_by,
                    number(range.most),
                    range.most_by,
                    claim.published ? fmt::format("{} of {}", range.holds, range.runs) : ""});
  }
  return "Each assumption changed alone to each of its other choices:\n\n" +
         report::table_text({{"claim", Align::kLeft},
                             {"published", Align::kRight},
                             {"ours", Align::kRight},
                             {"least", Align::kRight},
                             {"by", Align::kLeft},
                             {"most", Align::kRight},
                             {"by", Align::kLeft},
                             {"holds in", Align::kRight}},
                            rows);
}

std::string study_json(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  using Json = nlohmann::ordered_json;
  Json claims = Json::array();
  for (std::size_t c = 0; c < result.claims.size(); ++c) {
    const Claim& claim = result.claims[c];
    const std::optional<double> ratio = claim.ratio();
    Json entry{
        {"id", claim.id},
        {"what", claim.what},
        {"quantity", claim.quantity},
        {"where", claim.where},
        {"published", claim.published ? Json(*claim.published) : Json(nullptr)},
        {"ours", claim.ours},
        {"ratio", ratio ? Json(*ratio) : Json(nullptr)},
        {"tolerance", claim.tolerance_text()},
        {"holds", claim.published ? Json(claim.verdict() == Verdict::kHolds) : Json(nullptr)}};
    if (!claim.moved_by.empty()) {
      entry["moved_by"] = claim.moved_by;
    }
    if (c < ranges.size()) {
      entry["range"] = {{"least", ranges[c].least},
                        {"least_by", ranges[c].least_by},
                        {"most", ranges[c].most},
                        {"most_by", ranges[c].most_by},
                        {"holds", ranges[c].holds},
                        {"runs", ranges[c].runs}};
    }
    claims.push_back(std::move(entry));
  }
  Json findings = Json::object();
  for (const auto& [name, value] : result.findings) {
    findings[name] = value;
  }
  Json tables = Json::object();
  for (const Table& table : result.tables) {
    Json rows = Json::array();
    for (const auto& cells : table.rows) {
      Json row = Json::object();
      for (std::size_t c = 0; c < cells.size(); ++c) {
        row[table.columns[c]] = json_cell(cells[c]);
      }
      rows.push_back(std::move(row));
    }
    tables[table.name] = std::move(rows);
  }
  return Json{
             {"study", result.name}, {"claims", claims}, {"findings", findings}, {"tables", tables}}
             .dump(2) +
         "\n";
}

void write_claims_csv(const StudyResult& result, std::ostream& out) {
  out << "id,what,where,published,ours,ratio,tolerance,verdict\n";
  for (const Claim& claim : result.claims) {
    out << csv_cell(claim.id) << ',' << csv_cell(claim.what) << ',' << csv_cell(claim.where) << ','
        << csv_number(claim.published.value_or(kNone)) << ',' << csv_number(claim.ours) << ','
        << csv_number(claim.ratio().value_or(kNone)) << ',' << csv_cell(claim.tolerance_text())
        << ',' << to_text(claim.verdict()) << '\n';
  }
}

void write_table_csv(const Table& table, std::ostream& out) {
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      out << (c == 0 ? "" : ",") << csv_cell(cells[c]);
    }
    out << '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) {
    line(row);
  }
}

void write_chart_csv(const report::Chart& chart, std::ostream& out) {
  const bool bars = !chart.categories.empty();
  out << csv_cell(bars ? "category" : chart.x.title);
  const bool boxes = chart.kind == report::ChartKind::kBoxes;
  for (const report::Series& series : chart.series) {
    if (!boxes) {
      out << ',' << csv_cell(series.name);
      continue;
    }
    for (const char* part : report::kBoxParts) {
      out << ',' << csv_cell(fmt::format("{}, {}", series.name, part));
    }
  }
  out << '\n';
  const std::size_t rows =
      bars ? chart.categories.size() : (chart.series.empty() ? 0 : chart.series.front().x.size());
  for (std::size_t row = 0; row < rows; ++row) {
    if (bars && chart.categories[row].empty()) {
      continue;  // a gap in the picture
    }
    out << (bars ? csv_cell(chart.categories[row]) : csv_number(chart.series.front().x[row]));
    for (const report::Series& series : chart.series) {
      if (!boxes) {
        out << ',' << csv_number(row < series.y.size() ? series.y[row] : kNone);
        continue;
      }
      for (const double value : report::numbers_of(series.boxes[row])) {
        out << ',' << csv_number(value);
      }
    }
    out << '\n';
  }
}

}  // namespace cairn::study
