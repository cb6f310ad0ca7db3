#include "cairn/report/table.hpp"

#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn::report {
namespace {

TEST(TableText, AlignsColumnsAndEndsLinesAtTheLastLetter) {
  const std::vector<Column> columns{{.header = "name", .align = Align::kLeft},
                                    {.header = "size"},
                                    {.header = "what", .align = Align::kLeft}};

  const std::string text = table_text(columns, {{"a", "1000", "x"}, {"long name", "5", ""}});

  EXPECT_EQ(text,
            "name       size  what\n"
            "a          1000  x\n"
            "long name     5\n");
}

TEST(TableText, LeavesOutAnEmptyHeaderLine) {
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

TEST(TableText, RefusesARowWithTooFewCells) {
  EXPECT_THROW(table_text({{}, {}}, {{"1"}}), Bug);
}

TEST(CutText, KeepsWholeCharacters) {
  EXPECT_EQ(cut_text("\u00b5\u00b5\u00b5\u00b5\u00b5", 4), "\u00b5...");
}

TEST(WrapText, BreaksAtBlanksAndIndentsWhatFollows) {
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
