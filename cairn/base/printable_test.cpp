#include "cairn/base/printable.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Printable, EscapesControlCharactersAndKeepsTheRest) {
  EXPECT_EQ(printable("x\x1b[31mred\nnew\tline\x7f"), "x\\x1b[31mred\\nnew\\tline\\x7f");
  EXPECT_EQ(printable("80 µs, 3 × 4 – \\n"), "80 µs, 3 × 4 – \\n");
  // A terminal takes U+009B for "\x1b[".
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");
  EXPECT_EQ(printable("\u00a0"), "\u00a0");
  EXPECT_EQ(printable("日本 🙂"), "日本 🙂");
}

// U+202E shows the following text from right to left: "yaml.exe" for the name "exe.lmay".
TEST(Printable, EscapesCharactersThatHideOrReorderOthers) {
  EXPECT_EQ(printable("a\u202eb"), "a\\u202eb");
  EXPECT_EQ(printable("\u2066\u2069\u200b\u2028\ufeff"), "\\u2066\\u2069\\u200b\\u2028\\ufeff");
  EXPECT_EQ(printable("\U000e0041"), "\\U000e0041");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xc2"), "a\\xc2");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xf5µ"), "\\xf5µ");
}

TEST(Printable, KeepsLineBreaksOfMultiLineText) {
  EXPECT_EQ(printable_lines("a\x1b\nb\r\n"), "a\\x1b\nb\\x0d\n");
}

}  // namespace
}  // namespace cairn
