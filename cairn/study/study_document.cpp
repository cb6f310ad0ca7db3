#include "cairn/study/study_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/base/count_text.hpp"
#include "cairn/report/document.hpp"
#include "cairn/study/claim_text.hpp"

namespace cairn::study {

namespace {

using report::Align;
using report::Document;
using report::Object;
using report::Paragraph;
using report::Tone;
using report::Value;

// true, false, or null without a published number.
Value holds(Verdict verdict) {
  const bool judged = verdict == Verdict::kHolds || verdict == Verdict::kNotReproduced;
  return judged ? Value(verdict == Verdict::kHolds) : Value(nullptr);
}

report::Verdict verdict_cell(Verdict verdict) {
  return {std::string(to_text(verdict)),
          verdict == Verdict::kHolds           ? Tone::kGood
          : verdict == Verdict::kNotReproduced ? Tone::kBad
                                               : Tone::kFaint};
}

bool has_published_numbers(const StudyResult& result) {
  return std::ranges::any_of(result.claims,
                             [](const Claim& claim) { return claim.published.has_value(); });
}

// "a; b", without empty parts.
std::string join_nonempty(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : "; ") + part;
  }
  return text;
}

// The cause of a claim that is not reproduced, and the variations that come closer.
std::string explain_mismatch(const Claim& claim) {
  if (claim.verdict() != Verdict::kNotReproduced || !claim.ours || !claim.published) {
    return "";
  }
  std::vector<std::string> parts{claim.reason, claim.moved_by};
  constexpr double kCloser = 0.99;  // of the default's deviation
  const double off = kCloser * std::abs(*claim.ours - *claim.published);
  for (const UnderVariation& other : claim.variations) {
    if (other.ours && std::abs(*other.ours - *claim.published) < off) {
      parts.push_back(fmt::format("{} with {}{}",
                                  number_text(claim, other.ours),
                                  other.with,
                                  other.verdict == Verdict::kHolds ? ", which holds" : ""));
    }
  }
  if (parts.size() == 2 && !claim.variations.empty()) {
    parts.emplace_back("no variation in the study's file comes closer");
  }
  return join_nonempty(parts);
}

// The variations under which a claim that holds does not.
std::string list_refutations(const Claim& claim) {
  std::vector<std::string> refuting;
  for (const UnderVariation& other : claim.variations) {
    if (claim.verdict() == Verdict::kHolds && other.verdict == Verdict::kNotReproduced) {
      refuting.push_back(
          fmt::format("does not hold with {}: {}",
                      other.with,
                      other.reason.empty() ? number_text(claim, other.ours) : other.reason));
    }
  }
  return join_nonempty(refuting);
}

std::string why_absent(const Claim& claim) {
  return claim.verdict() == Verdict::kAbsent ? claim.reason : "";
}

// One line per claim with a nonempty text.
void add_section(const char* title,
                 const StudyResult& result,
                 std::string (*text_of)(const Claim& claim),
                 Document& document) {
  constexpr std::size_t kIndent = 5;
  bool first = true;
  for (const Claim& claim : result.claims) {
    if (const std::string text = text_of(claim); !text.empty()) {
      if (std::exchange(first, false)) {
        document.add(Paragraph{.text = title});
      }
      document.add(Paragraph{.text = text, .lead = claim.id, .indent = kIndent, .follows = true});
    }
  }
}

std::string title_of(const StudyResult& result) {
  const auto with = [&](Verdict verdict) {
    return std::ranges::count(result.claims, verdict, &Claim::verdict);
  };
  return has_published_numbers(result)
             ? fmt::format("{}: {} of {} published numbers hold",
                           result.name,
                           with(Verdict::kHolds),
                           with(Verdict::kHolds) + with(Verdict::kNotReproduced))
             : fmt::format("{}: {} of our own",
                           result.name,
                           count_text(result.claims.size(), "question", "questions"));
}

Value variations_of(const Claim& claim) {
  report::List others;
  for (const UnderVariation& other : claim.variations) {
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

report::Table ranges_of(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  report::Table table{
      .title =
          "Each assumption set to each of its other choices, one at a time, and the variations:",
      .columns = {{.label = "claim", .align = Align::kLeft},
                  {.label = "published"},
                  {.label = "ours"},
                  {.label = "min"},
                  {.label = "by", .align = Align::kLeft},
                  {.label = "max"},
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

// Keys have plain numbers; labels have numbers with the unit that ends a claim.
report::Table claims_of(const StudyResult& result, const std::vector<ClaimRange>& ranges) {
  const bool published = has_published_numbers(result);
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
                          text_without_unit(claim),
                          claim.quantity,
                          claim.where,
                          claim.published,
                          number_text(claim, claim.published),
                          claim.ours,
                          number_text(claim, claim.ours),
                          ratio,
                          ratio ? fmt::format("{:.2f}", *ratio) : "",
                          claim.tolerance_text(),
                          verdict_cell(claim.verdict()),
                          holds(claim.verdict()),
                          report::if_given(claim.reason),
                          report::if_given(claim.moved_by),
                          variations_of(claim),
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
  document.add("source", report::if_given(result.source));
  if (!result.source.empty()) {
    document.add(Paragraph{.text = result.source, .follows = !result.description.empty()});
  }
  document.add(claims_of(result, ranges));
  add_section("Claims that are not reproduced:", result, explain_mismatch, document);
  add_section("Claims that depend on an assumption:", result, list_refutations, document);
  add_section("Absent claims:", result, why_absent, document);
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
