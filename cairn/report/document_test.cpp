#include "cairn/report/document.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/base/failure.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"

namespace cairn::report {
namespace {

using nlohmann::ordered_json;

// One of each kind of block.
Document small_document() {
  Document document{.verb = "run",
                    .name = "mine",
                    .title = "a small result",
                    .description = "made up",
                    .version = "1.2.3"};
  document.add("model", "tiny");
  document.add(
      Field{.key = "step_time_s", .value = Seconds(10e-3), .label = "step time", .note = "of one"});
  document.add(Field{.key = "utilization", .value = 0.25, .label = "utilization", .text = "25 %"});
  document.add(Field{.label = " ", .text = "for people"});
  document.add(Table{.key = "links",
                     .columns = {{.key = "name", .label = "link", .align = Align::kLeft},
                                 {.key = "kind"},
                                 {.key = "carried_B", .label = "carried"},
                                 {.key = "busy", .label = "", .show = Show::kBarAndPercent}},
                     .rows = {{"up", "link", Bytes(2e9), 0.5}, {"down", {}, nullptr, 1.0}}});
  document.add(Paragraph{.text = "the end"});
  document.add(Field{.key = "timeline", .value = List{1, 2}, .detail = true});
  return document;
}

TEST(DocumentText, HasAnEmptyLineBetweenBlocksOfDifferentKinds) {
  EXPECT_EQ(text_of(small_document()),
            "a small result\n"
            "\n"
            "made up\n"
            "\n"
            "step time            10 ms         of one\n"
            "utilization          25 %\n"
            "                     for people\n"
            "\n"
            "link  carried\n"
            "up       2 GB  #####.....   50.0 %\n"
            "down        -  ##########  100.0 %\n"
            "\n"
            "the end\n");
}

TEST(DocumentText, ColoursTitlesAndBars) {
  const std::string text = text_of(small_document(), {.colours = true});

  EXPECT_TRUE(text.starts_with("\x1b[1ma small result\x1b[0m\n"));
  EXPECT_NE(text.find("\x1b[34m#####\x1b[0m\x1b[2m.....\x1b[0m   50.0 %\n"), std::string::npos);
}

TEST(DocumentText, ColoursVerdicts) {
  Document document;
  document.add(
      Table{.columns = {{.label = "", .align = Align::kLeft}, {.label = ""}},
            .rows = {{Verdict{"holds", Tone::kGood}, "a"}, {Verdict{"no", Tone::kBad}, "b"}}});

  EXPECT_EQ(text_of(document), "holds  a\nno     b\n");
  EXPECT_EQ(text_of(document, {.colours = true}),
            "\x1b[32mholds\x1b[0m  a\n\x1b[31mno\x1b[0m     b\n");
}

TEST(DocumentText, EscapesControlCharacters) {
  Document document{.title = "red: \x1b[31m"};
  document.add(Field{.label = "name", .text = "a\nb", .note = "\x02"});

  EXPECT_EQ(text_of(document), "red: \\x1b[31m\n\nname                 a\\nb          \\x02\n");
}

TEST(DocumentText, FitsTheWidth) {
  Document document{.title = "some words that are too long for one line"};
  document.add(Field{.label = "label", .text = "and so are these ones, which go on and on"});

  EXPECT_EQ(text_of(document, {.width = 42}),
            "some words that are too long for one line\n"
            "\n"
            "label                and so are these\n"
            "                     ones, which go on and\n"
            "                     on\n");
}

TEST(DocumentText, CountsRowsThatAreNotShown) {
  Document document;
  document.add(Table{.columns = {{.label = "n"}},
                     .rows = {{1}, {2}, {3}, {4}},
                     .shown = 1,
                     .hidden = {false, true, false, false}});

  EXPECT_EQ(text_of(document), "n\n1\n2 more in --json\n");
}

TEST(DocumentText, OmitsATableWithoutVisibleRows) {
  Document document;
  document.add(Table{.title = "t", .columns = {{.label = "n"}}, .rows = {{1}}, .hidden = {true}});

  EXPECT_EQ(text_of(document), "");
}

TEST(DocumentJson, HasKeysAndNumbersInSiUnits) {
  const ordered_json json = json_tree(small_document());

  EXPECT_EQ(json, ordered_json::parse(R"({
              "verb": "run", "cairn_version": "1.2.3", "schema_version": 1, "name": "mine",
              "description": "made up", "model": "tiny", "step_time_s": 0.01, "utilization": 0.25,
              "links": [{"name": "up", "kind": "link", "carried_B": 2e9, "busy": 0.5},
                        {"name": "down", "carried_B": null, "busy": 1.0}]})"));
}

TEST(DocumentJson, HasDetailsOnlyIfAskedFor) {
  EXPECT_EQ(json_tree(small_document(), Detail::kAll)["timeline"], ordered_json({1, 2}));
}

TEST(DocumentJson, WritesNonFiniteNumbersAsText) {
  Document document;
  document.add("most", std::numeric_limits<double>::infinity());
  document.add("none", std::numeric_limits<double>::quiet_NaN());

  EXPECT_EQ(json_of(document), "{\n  \"most\": \"Infinity\",\n  \"none\": \"NaN\"\n}\n");
}

TEST(DocumentJson, GroupsColumnsAndTables) {
  Document document;
  document.add(Table{.key = "t",
                     .group = "tables",
                     .columns = {{.key = "a", .group = "g"}, {.key = "b", .group = "g"}},
                     .rows = {{1, {}}, {{}, {}}}});

  EXPECT_EQ(json_tree(document),
            ordered_json::parse(R"({"tables": {"t": [{"g": {"a": 1}}, {"g": {}}]}})"));
}

TEST(DocumentJson, NestsDocuments) {
  Document outer;
  outer.add("results", List{std::make_shared<const Document>(small_document())});

  const ordered_json inner = json_tree(outer)["results"][0];

  EXPECT_EQ(inner["model"], "tiny");
  EXPECT_FALSE(inner.contains("verb"));
}

TEST(DocumentJson, RejectsRowsOfWrongLength) {
  Document document;
  document.add(Table{.key = "t", .columns = {{"a"}, {"b"}}, .rows = {{1}}});

  EXPECT_THROW(json_tree(document), Bug);
}

}  // namespace
}  // namespace cairn::report
