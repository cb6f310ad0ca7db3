#include "cairn/study/study_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cairn/report/csv.hpp"
#include "cairn/report/document_text.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

std::string study_text(const StudyResult& result) {
  return report::text_of(document_of(result));
}

StudyResult small_study() {
  StudyResult result{.name = "small"};
  result.claims = {
      {.id = "1", .what = "good, as said", .published = 2.0, .tolerance = 0.1, .ours = 2.1},
      {.id = "2",
       .what = "bad",
       .published = 2.0,
       .tolerance = 0.1,
       .moved_by = "the weather",
       .ours = 4.0},
      {.id = "3", .what = "open", .ours = 5.0}};
  return result;
}

TEST(StudyText, ListsVerdictsAndCausesOfFailures) {
  const std::string text = study_text(small_study());

  EXPECT_THAT(text, HasSubstr("1 of 2 published numbers hold"));
  EXPECT_THAT(text, HasSubstr("not reproduced"));
  EXPECT_THAT(text, HasSubstr("2    the weather"));
  EXPECT_THAT(text, HasSubstr("not stated"));
}

// The unit that ends a claim's text is printed with its numbers, with a prefix.
TEST(StudyText, NumbersHavePrefixedUnitsInsteadOfExponents) {
  StudyResult result{.name = "small"};
  result.claims = {
      {.id = "1", .what = "to a node, B/s", .published = 150e9, .tolerance = 0.1, .ours = 1.495e11},
      {.id = "2", .what = "step, s", .published = 3.5e-5, .most = 1e6, .ours = 3e-5},
      {.id = "3", .what = "rows", .published = 1e6, .least = 1e6, .ours = 2e6}};
  result.tables = {{.title = "t", .columns = {"a", "b"}, .rows = {{"x", 1.5e-5}, {"y", 2e9}}}};
  const std::string text = study_text(result);

  EXPECT_THAT(text, HasSubstr("to a node   150 GB/s  149.5 GB/s"));
  EXPECT_THAT(text, HasSubstr("step           35 us       30 us"));
  EXPECT_THAT(text, HasSubstr("rows       1,000,000   2,000,000"));
  EXPECT_THAT(text, HasSubstr("at least 1,000,000"));
  EXPECT_THAT(text, HasSubstr("0.000015"));
  EXPECT_THAT(text, HasSubstr("2,000,000,000"));
  EXPECT_THAT(text, testing::Not(testing::ContainsRegex("[0-9]e[-+]?[0-9]")));
}

TEST(StudyText, ListsTheEffectOfVariationsOnAClaim) {
  StudyResult result = small_study();
  result.claims[0].variations = {{"rain: true", 4.0, Verdict::kNotReproduced, "it is wet"}};
  result.claims[1].variations = {{"rain: true", 2.0, Verdict::kHolds, ""},
                                 {"rain: false", 5.0, Verdict::kNotReproduced, ""}};
  result.claims[2].ours = std::nullopt;
  result.claims[2].reason = "nobody looked";
  const std::string text = study_text(result);

  EXPECT_THAT(text, HasSubstr("1    does not hold with rain: true: it is wet\n"));
  EXPECT_THAT(text, HasSubstr("2    the weather; 2 with rain: true, which holds\n"));
  EXPECT_THAT(text, HasSubstr("Absent claims:\n3    nobody looked\n"));

  result.claims[1].variations.erase(result.claims[1].variations.begin());
  EXPECT_THAT(study_text(result), HasSubstr("no variation in the study's file comes closer"));
}

TEST(StudyCsv, TableHasNineDigits) {
  std::ostringstream out;
  report::write_csv(
      table_of({.columns = {"what", "time (s)"}, .rows = {{"a", 1285.123456}, {"b, c", "no"}}}),
      out,
      9);

  EXPECT_EQ(out.str(), "what,time (s)\na,1285.12346\n\"b, c\",no\n");
  EXPECT_EQ(Cell(1285.123456).text, "1285");
}

TEST(StudyCsv, QuotesCellsWithCommas) {
  std::ostringstream out;
  report::write_csv(claims_of(small_study()), out, 9);

  EXPECT_THAT(out.str(), HasSubstr("1,\"good, as said\",,2,2.1,1.05,+- 10 %,holds\n"));
  EXPECT_THAT(out.str(), HasSubstr("3,open,,,5,,,not stated\n"));
}

TEST(StudyCsv, ChartHasARowPerCategoryOrX) {
  std::ostringstream bars;
  report::write_csv(
      report::Chart{.categories = {"a", "", "b"}, .series = {{.name = "s", .y = {1.0, 0.0, 2.0}}}},
      bars);
  std::ostringstream lines;
  report::write_csv(report::Chart{.x = {.title = "n"},
                                  .series = {{.name = "s", .x = {1.0, 2.0}, .y = {3.0, 4.0}}}},
                    lines);

  EXPECT_EQ(bars.str(), "category,s\na,1\nb,2\n");
  EXPECT_EQ(lines.str(), "n,s\n1,3\n2,4\n");
}

TEST(StudyCsv, BoxPlotHasFiveColumnsPerSeries) {
  std::ostringstream boxes;
  report::write_csv(
      report::Chart{.kind = report::ChartKind::kBoxes,
                    .categories = {"a"},
                    .series = {{.name = "s", .boxes = {report::box_of({1.0, 2.0, 3.0})}}}},
      boxes);

  EXPECT_EQ(boxes.str(),
            "category,\"s, least\",\"s, lower quartile\",\"s, median\",\"s, upper quartile\","
            "\"s, most\"\na,1,1.5,2,2.5,3\n");
}

TEST(StudyText, ColoursVerdicts) {
  const std::string text = report::text_of(document_of(small_study()), {.colours = true});

  EXPECT_THAT(text, HasSubstr("\x1b[32mholds\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[31mnot reproduced\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[2mnot stated\x1b[0m\n"));
}

TEST(StudyText, StudyWithoutAPaperShowsNoPublishedColumn) {
  StudyResult result{.name = "ours",
                     .description = "what nobody has asked",
                     .claims = {{.id = "1", .what = "how long", .ours = 1.5}}};

  const std::string text = study_text(result);

  EXPECT_THAT(text, HasSubstr("ours: 1 question of our own\n\nwhat nobody has asked\n"));
  EXPECT_THAT(text, Not(HasSubstr("published")));
  EXPECT_THAT(text, Not(HasSubstr("not stated")));
}

}  // namespace
}  // namespace cairn::study
