#include "cairn/report/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::report {
namespace {

TEST(TableText, AlignsColumnsWithoutTrailingBlanks) {
  const std::vector<TextColumn> columns{{.header = "name", .align = Align::kLeft},
                                        {.header = "size"},
                                        {.header = "what", .align = Align::kLeft}};

  const std::string text = table_text(columns, {{"a", "1000", "x"}, {"long name", "5", ""}});

  EXPECT_EQ(text,
            "name       size  what\n"
            "a          1000  x\n"
            "long name     5\n");
}

TEST(TableText, OmitsAnEmptyHeaderLine) {
  EXPECT_EQ(table_text({{.header = ""}, {.header = ""}}, {{"1", "22"}}), "1  22\n");
}

TEST(TableText, CountsCharactersNotBytes) {
  const std::string text =
      table_text({{.align = Align::kLeft}, {}}, {{"\u00b5s", "1"}, {"abc", "2"}});

  EXPECT_EQ(text, "\u00b5s   1\nabc  2\n");
}

TEST(TableText, CutsCellsThatAreTooWide) {
  EXPECT_EQ(table_text({{.header = "", .widest = 6}}, {{"abcdefgh"}}), "abc...\n");
}

void expect_to_fit(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(text_width(text.substr(begin, end - begin)), kLineWidth);
    begin = end + 1;
  }
}

TEST(TableText, WrapsHeadersBeforeCells) {
  std::vector<TextColumn> columns{{.header = "name", .align = Align::kLeft}};
  std::vector<std::string> row{"a"};
  for (int i = 0; i < 6; ++i) {
    columns.push_back({.header = "upper quartile (flop/B)"});
    row.emplace_back("123");
  }

  const std::string text = table_text(columns, {row});

  expect_to_fit(text);
  EXPECT_NE(text.find("quartile"), std::string::npos);
  EXPECT_EQ(text.find("name"), text.rfind('\n', text.find("\na ") - 1) + 1);  // at the bottom
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
}

TEST(TableText, WrapsLongTextCompletely) {
  std::string words;
  for (int i = 0; i < 20; ++i) {
    words += "word" + std::to_string(i) + " ";
  }
  const std::string text =
      table_text({{.header = "what", .align = Align::kLeft}, {.header = "number"}},
                 {{words, "7"}, {"b", "8"}});

  expect_to_fit(text);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NE(text.find("word" + std::to_string(i)), std::string::npos);
  }
  EXPECT_NE(text.find("     7\n"), std::string::npos);
}

TEST(TableText, ColumnsThatDoNotFitFollowInASecondTable) {
  std::vector<TextColumn> columns{{.header = "name", .align = Align::kLeft}};
  std::vector<std::string> row{"first"};
  for (int i = 0; i < 30; ++i) {
    columns.push_back({.header = "n" + std::to_string(i)});
    row.push_back("12345" + std::to_string(i));
  }

  const std::string text = table_text(columns, {row});

  expect_to_fit(text);
  for (int i = 0; i < 30; ++i) {
    EXPECT_NE(text.find("12345" + std::to_string(i)), std::string::npos);
  }
  EXPECT_NE(text.find("\n\nname"), std::string::npos);
}

TEST(TableText, RejectsARowWithTooFewCells) {
  EXPECT_THROW(table_text({{}, {}}, {{"1"}}), Bug);
}

TEST(AlignOf, NumbersAlignRightAndTextLeft) {
  const std::vector<std::vector<std::string>> rows{{"3", "25 GB/s", "-0.5 %", "d8", "-", "7 nm"},
                                                   {"14", "1 TB/s", "-", "d4", "", "host"}};
  for (const std::size_t column : {0U, 1U, 2U, 4U}) {
    EXPECT_EQ(align_of(rows, column), Align::kRight) << column;
  }
  EXPECT_EQ(align_of(rows, 3), Align::kLeft);
  EXPECT_EQ(align_of(rows, 5), Align::kLeft);
}

TEST(CutText, KeepsWholeCharacters) {
  EXPECT_EQ(cut_text("\u00b5\u00b5\u00b5\u00b5\u00b5", 4), "\u00b5...");
}

TEST(WrapText, BreaksAtBlanksAndIndentsFollowingLines) {
  std::string words;
  for (int i = 0; i < 40; ++i) {
    words += "word ";
  }

  const std::string text = wrap_text(words, 10);

  for (std::size_t begin = 0, lines = 0; begin < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(end - begin + (lines == 0 ? 10 : 0), kLineWidth);
    EXPECT_EQ(text.substr(begin + (lines == 0 ? 0 : 10), 4), "word");
    begin = end + 1;
  }
}

TEST(WrapText, BreaksAWordLongerThanALine) {
  const std::string text = wrap_text(std::string(150, 'x'), 0);

  EXPECT_EQ(text, std::string(100, 'x') + "\n" + std::string(50, 'x'));
}

}  // namespace
}  // namespace cairn::report
