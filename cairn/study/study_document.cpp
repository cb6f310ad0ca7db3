#include "cairn/study/study_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/report/fields.hpp"
#include "cairn/study/claim_text.hpp"

namespace cairn::study {

namespace {

using report::Align;
using report::Document;
using report::Object;
using report::Paragraph;
using report::Tone;
using report::Value;

// Whether a claim holds, if that can be said.
Value holds(Verdict verdict) {
  const bool judged = verdict == Verdict::kHolds || verdict == Verdict::kNotReproduced;
  return judged ? Value(verdict == Verdict::kHolds) : Value(nullptr);
}

report::Verdict in_words(Verdict verdict) {
  return {std::string(to_text(verdict)),
          verdict == Verdict::kHolds           ? Tone::kGood
          : verdict == Verdict::kNotReproduced ? Tone::kBad
                                               : Tone::kFaint};
}

bool asks_of_a_paper(const StudyResult& result) {
  return std::ranges::any_of(result.claims,
                             [](const Claim& claim) { return claim.published.has_value(); });
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
void add_section(const char* title,
                 const StudyResult& result,
                 std::string (*say)(const Claim& claim),
                 Document& document) {
  constexpr std::size_t kIndent = 5;
  bool first = true;
  for (const Claim& claim : result.claims) {
    if (const std::string what = say(claim); !what.empty()) {
      if (std::exchange(first, false)) {
        document.add(Paragraph{.text = title});
      }
      document.add(Paragraph{.text = what, .lead = claim.id, .indent = kIndent, .follows = true});
    }
  }
}

// How it went.
std::string title_of(const StudyResult& result) {
  const auto with = [&](Verdict verdict) {
    return std::ranges::count(result.claims, verdict, &Claim::verdict);
  };
  return asks_of_a_paper(result)
             ? fmt::format("{}: {} of {} published numbers hold",
                           result.name,
                           with(Verdict::kHolds),
                           with(Verdict::kHolds) + with(Verdict::kNotReproduced))
             : fmt::format("{}: {} of our own",
                           result.name,
                           report::count(result.claims.size(), "question", "questions"));
}

Value otherwise_of(const Claim& claim) {
  report::List others;
  for (const Otherwise& other : claim.otherwise) {
    others.push_back(Object{{"with", other.with},
                            {"ours", other.ours},
                            {"holds", holds(other.verdict)},
                            {"reason", other.reason}});
  }
  return others.empty() ? Value() : Value(std::move(others));
}

Value range_of(const ClaimRange& range) {
  return Object{{"least", range.least},
                {"least_by", range.least_by},
                {"most", range.most},
                {"most_by", range.most_by},
                {"holds", range.holds},
                {"runs", range.runs}};
}

// For people.
report::Table ranges_of(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  report::Table table{
      .title = "Each assumption changed alone to each of its other choices, and the variations:",
      .columns = {{.label = "claim", .align = Align::kLeft},
                  {.label = "published"},
                  {.label = "ours"},
                  {.label = "least"},
                  {.label = "by", .align = Align::kLeft},
                  {.label = "most"},
                  {.label = "by", .align = Align::kLeft},
                  {.label = "holds in"}}};
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    const Claim& claim = result.claims[c];
    const ClaimRange& range = ranges[c];
    table.rows.push_back({claim.id,
                          number_text(claim, claim.published),
                          number_text(claim, claim.ours),
                          range.runs == 0 ? "" : number_text(claim, range.least),
                          range.least_by,
                          range.runs == 0 ? "" : number_text(claim, range.most),
                          range.most_by,
                          claim.published ? fmt::format("{} of {}", range.holds, range.runs) : ""});
  }
  return table;
}

}  // namespace

// People read numbers with the unit that ends a claim.
report::Table claims_of(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  const bool published = asks_of_a_paper(result);
  const auto if_published = [&](const char* label) {
    return published ? std::optional<std::string>(label) : std::nullopt;
  };
  report::Table table{
      .key = "claims",
      .columns = {{.key = "id",
                   .label = published ? "claim" : "question",
                   .align = Align::kLeft,
                   .csv = "id"},
                  {.key = "what", .csv = "what"},
                  {.label = "what", .align = Align::kLeft},
                  {.key = "quantity"},
                  {.key = "where", .csv = "where"},
                  {.key = "published", .csv = "published"},
                  {.label = if_published("published")},
                  {.key = "ours", .csv = "ours"},
                  {.label = published ? "ours" : "answer"},
                  {.key = "ratio", .csv = "ratio"},
                  {.label = if_published("ratio")},
                  {.key = "tolerance",
                   .label = if_published("tolerance"),
                   .align = Align::kLeft,
                   .csv = "tolerance"},
                  {.label = if_published(""), .align = Align::kLeft, .csv = "verdict"},
                  {.key = "holds"},
                  {.key = "reason"},
                  {.key = "moved_by"},
                  {.key = "otherwise"},
                  {.key = "range"}}};
  for (std::size_t c = 0; c < result.claims.size(); ++c) {
    const Claim& claim = result.claims[c];
    const std::optional<double> ratio = claim.ratio();
    const bool has_range = c < ranges.size() && ranges[c].runs > 0;
    table.rows.push_back({claim.id,
                          claim.what,
                          words_of(claim),
                          claim.quantity,
                          claim.where,
                          claim.published,
                          number_text(claim, claim.published),
                          claim.ours,
                          number_text(claim, claim.ours),
                          ratio,
                          ratio ? fmt::format("{:.2f}", *ratio) : "",
                          claim.tolerance_text(),
                          in_words(claim.verdict()),
                          holds(claim.verdict()),
                          report::if_said(claim.reason),
                          report::if_said(claim.moved_by),
                          otherwise_of(claim),
                          has_range ? range_of(ranges[c]) : Value()});
  }
  return table;
}

report::Table table_of(const Table& table) {
  constexpr int kDigits = 3;
  report::Table made{.key = table.name, .group = "tables", .title = table.title};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    made.columns.push_back({.key = table.columns[c],
                            .label = table.columns[c],
                            .align = c == 0 ? Align::kLeft : Align::kAuto,
                            .digits = kDigits});
  }
  for (const std::vector<Cell>& cells : table.rows) {
    std::vector<Value>& row = made.rows.emplace_back();
    for (const Cell& cell : cells) {
      row.push_back(cell.number ? Value(*cell.number) : Value(cell.text));
    }
  }
  return made;
}

Document document_of(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  Document document{.verb = "study",
                    .name = result.name,
                    .title = title_of(result),
                    .description = result.description};
  document.add("study", result.name);
  document.add("source", report::if_said(result.source));
  if (!result.source.empty()) {
    document.add(Paragraph{.text = result.source, .follows = !result.description.empty()});
  }
  document.add(claims_of(result, ranges));
  add_section("What moves those that are not reproduced:", result, what_moves, document);
  add_section("What rests on an assumption:", result, what_refutes, document);
  add_section("What is absent:", result, why_absent, document);
  Object findings;
  for (const auto& [name, value] : result.findings) {
    findings.push_back({name, value});
  }
  document.add("findings", std::move(findings));
  document.add("tables", Object{});
  for (const Table& table : result.tables) {
    document.add(table_of(table));
  }
  document.add(report::Figures{.key = "figures", .charts = result.charts});
  if (!ranges.empty()) {
    document.add(ranges_of(result, ranges));
  }
  return document;
}

}  // namespace cairn::study
