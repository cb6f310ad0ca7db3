#include "cairn/study/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "cairn/report/chart_json.hpp"
#include "cairn/report/csv.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"
#include "cairn/study/claim_text.hpp"

namespace cairn::study {

namespace {

using report::Align;
using report::csv_cell;
using report::TextColumn;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // an empty cell

nlohmann::ordered_json json_number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// Whether a claim holds, if that can be said.
nlohmann::ordered_json json_verdict(Verdict verdict) {
  const bool judged = verdict == Verdict::kHolds || verdict == Verdict::kNotReproduced;
  return judged ? nlohmann::ordered_json(verdict == Verdict::kHolds)
                : nlohmann::ordered_json(nullptr);
}

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(table.rows.size());
  for (const std::vector<Cell>& cells : table.rows) {
    rows.emplace_back();
    for (const Cell& cell : cells) {
      rows.back().push_back(cell.text);
    }
  }
  std::vector<TextColumn> columns;
  columns.reserve(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns.push_back({table.columns[c], c == 0 ? Align::kLeft : report::align_of(rows, c)});
  }
  return "\n" + report::wrap_text(table.title, 0) + "\n\n" + report::table_text(columns, rows);
}

// "a; b", leaving out what is empty.
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : "; ") + part;
  }
  return text;
}

// Of a claim that is not reproduced: why, and which other assumptions come closer.
std::string what_moves(const Claim& claim) {
  if (claim.verdict() != Verdict::kNotReproduced || !claim.ours || !claim.published) {
    return "";
  }
  std::vector<std::string> parts{claim.reason, claim.moved_by};
  constexpr double kCloser = 0.99;  // of how far off it is
  const double off = kCloser * std::abs(*claim.ours - *claim.published);
  for (const Otherwise& other : claim.otherwise) {
    if (other.ours && std::abs(*other.ours - *claim.published) < off) {
      parts.push_back(fmt::format("{} with {}{}",
                                  number_text(claim, other.ours),
                                  other.with,
                                  other.verdict == Verdict::kHolds ? ", which holds" : ""));
    }
  }
  if (parts.size() == 2 && !claim.otherwise.empty()) {
    parts.emplace_back("no variation of the study's file comes closer");
  }
  return joined(parts);
}

// Of a claim that holds: under which other assumptions it does not.
std::string what_refutes(const Claim& claim) {
  std::vector<std::string> refuting;
  for (const Otherwise& other : claim.otherwise) {
    if (claim.verdict() == Verdict::kHolds && other.verdict == Verdict::kNotReproduced) {
      refuting.push_back(
          fmt::format("does not hold with {}: {}",
                      other.with,
                      other.reason.empty() ? number_text(claim, other.ours) : other.reason));
    }
  }
  return joined(refuting);
}

std::string why_absent(const Claim& claim) {
  return claim.verdict() == Verdict::kAbsent ? claim.reason : "";
}

// A line for each claim about which there is something to say.
std::string section(const char* title,
                    const StudyResult& result,
                    std::string (*say)(const Claim& claim)) {
  std::string lines;
  for (const Claim& claim : result.claims) {
    if (const std::string what = say(claim); !what.empty()) {
      const std::string lead = fmt::format("{:<5}", claim.id);
      lines += lead + report::wrap_text(what, lead.size()) + "\n";
    }
  }
  return lines.empty() ? "" : fmt::format("\n{}\n{}", title, lines);
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "";
}

// Of a series: one column, or one for each part of a box.
std::string series_header(const report::Series& series, bool boxes) {
  if (!boxes) {
    return csv_cell(series.name);
  }
  std::string header;
  for (const char* part : report::kBoxParts) {
    header += (header.empty() ? "" : ",") + csv_cell(fmt::format("{}, {}", series.name, part));
  }
  return header;
}

std::string series_cells(const report::Series& series, bool boxes, std::size_t row) {
  if (!boxes) {
    return csv_number(row < series.y.size() ? series.y[row] : kNone);
  }
  std::string cells;
  for (const double value : report::numbers_of(series.boxes[row])) {
    cells += (cells.empty() ? "" : ",") + csv_number(value);
  }
  return cells;
}

std::string claims_text(const StudyResult& result) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(result.claims.size());
  for (const Claim& claim : result.claims) {
    const std::optional<double> ratio = claim.ratio();
    rows.push_back({claim.id,
                    words_of(claim),
                    number_text(claim, claim.published),
                    number_text(claim, claim.ours),
                    ratio ? fmt::format("{:.2f}", *ratio) : "",
                    claim.tolerance_text(),
                    std::string(to_text(claim.verdict()))});
  }
  return report::table_text({{"claim", Align::kLeft},
                             {"what", Align::kLeft},
                             {"published", Align::kRight},
                             {"ours", Align::kRight},
                             {"ratio", Align::kRight},
                             {"tolerance", Align::kLeft},
                             {"", Align::kLeft}},
                            rows);
}

// Of a study that asks what nobody has published.
std::string answers_text(const StudyResult& result) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(result.claims.size());
  for (const Claim& claim : result.claims) {
    rows.push_back({claim.id, words_of(claim), number_text(claim, claim.ours)});
  }
  return report::table_text(
      {{"question", Align::kLeft}, {"what", Align::kLeft}, {"answer", Align::kRight}}, rows);
}

// How it went, and what it is about.
std::string title_of(const StudyResult& result, bool published) {
  const auto with = [&](Verdict verdict) {
    return std::ranges::count(result.claims, verdict, &Claim::verdict);
  };
  std::string text =
      published ? fmt::format("{}: {} of {} published numbers hold\n\n",
                              result.name,
                              with(Verdict::kHolds),
                              with(Verdict::kHolds) + with(Verdict::kNotReproduced))
                : fmt::format("{}: {} of our own\n\n",
                              result.name,
                              report::count(result.claims.size(), "question", "questions"));
  for (const std::string& line : {result.description, result.source}) {
    text += line.empty() ? "" : report::wrap_text(line, 0) + "\n";
  }
  return text + (result.description.empty() && result.source.empty() ? "" : "\n");
}

}  // namespace

std::string study_text(const StudyResult& result) {
  const bool published = std::ranges::any_of(
      result.claims, [](const Claim& claim) { return claim.published.has_value(); });
  std::string text = title_of(result, published);
  text += (published ? claims_text(result) : answers_text(result));
  text += section("What moves those that are not reproduced:", result, what_moves);
  text += section("What rests on an assumption:", result, what_refutes);
  text += section("What is absent:", result, why_absent);
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
                    number_text(claim, claim.published),
                    number_text(claim, claim.ours),
                    range.runs == 0 ? "" : number_text(claim, range.least),
                    range.least_by,
                    range.runs == 0 ? "" : number_text(claim, range.most),
                    range.most_by,
                    claim.published ? fmt::format("{} of {}", range.holds, range.runs) : ""});
  }
  return "Each assumption changed alone to each of its other choices, and the variations:\n\n" +
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
    Json entry{{"id", claim.id},
               {"what", claim.what},
               {"quantity", claim.quantity},
               {"where", claim.where},
               {"published", json_number(claim.published)},
               {"ours", json_number(claim.ours)},
               {"ratio", json_number(claim.ratio())},
               {"tolerance", claim.tolerance_text()},
               {"holds", json_verdict(claim.verdict())}};
    if (!claim.reason.empty()) {
      entry["reason"] = claim.reason;
    }
    if (!claim.moved_by.empty()) {
      entry["moved_by"] = claim.moved_by;
    }
    for (const Otherwise& other : claim.otherwise) {
      entry["otherwise"].push_back({{"with", other.with},
                                    {"ours", json_number(other.ours)},
                                    {"holds", json_verdict(other.verdict)},
                                    {"reason", other.reason}});
    }
    if (c < ranges.size() && ranges[c].runs > 0) {
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
        const Cell& cell = cells[c];
        row[table.columns[c]] = cell.number ? Json(*cell.number) : Json(cell.text);
      }
      rows.push_back(std::move(row));
    }
    tables[table.name] = std::move(rows);
  }
  Json figures = Json::array();
  for (const report::Chart& chart : result.charts) {
    figures.push_back(report::chart_json(chart));
  }
  Json json{{"study", result.name}};
  if (!result.description.empty()) {
    json["description"] = result.description;
  }
  if (!result.source.empty()) {
    json["source"] = result.source;
  }
  json["claims"] = std::move(claims);
  json["findings"] = std::move(findings);
  json["tables"] = std::move(tables);
  json["figures"] = std::move(figures);
  return report::json_text(json);
}

void write_claims_csv(const StudyResult& result, std::ostream& out) {
  out << "id,what,where,published,ours,ratio,tolerance,verdict\n";
  for (const Claim& claim : result.claims) {
    out << csv_cell(claim.id) << ',' << csv_cell(claim.what) << ',' << csv_cell(claim.where) << ','
        << csv_number(claim.published.value_or(kNone)) << ','
        << csv_number(claim.ours.value_or(kNone)) << ','
        << csv_number(claim.ratio().value_or(kNone)) << ',' << csv_cell(claim.tolerance_text())
        << ',' << to_text(claim.verdict()) << '\n';
  }
}

void write_table_csv(const Table& table, std::ostream& out) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out << (c == 0 ? "" : ",") << csv_cell(table.columns[c]);
  }
  out << '\n';
  for (const std::vector<Cell>& row : table.rows) {
    const char* between = "";
    for (const Cell& cell : row) {
      out << between << (cell.number ? csv_number(*cell.number) : csv_cell(cell.text));
      between = ",";
    }
    out << '\n';
  }
}

void write_chart_csv(const report::Chart& chart, std::ostream& out) {
  const bool bars = !chart.categories.empty();
  const bool boxes = chart.kind == report::ChartKind::kBoxes;
  out << csv_cell(bars ? "category" : chart.x.title);
  for (const report::Series& series : chart.series) {
    out << ',' << series_header(series, boxes);
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
      out << ',' << series_cells(series, boxes, row);
    }
    out << '\n';
  }
}

}  // namespace cairn::study
