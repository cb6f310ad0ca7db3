#include "cairn/base/printable.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Printable, ShowsControlCharactersAndKeepsAllElse) {
  EXPECT_EQ(printable("x\x1b[31mred\nnew\tline\x7f"), "x\\x1b[31mred\\nnew\\tline\\x7f");
  EXPECT_EQ(printable("80 µs, 3 × 4 – \\n"), "80 µs, 3 × 4 – \\n");
  // A terminal takes U+009B for "\x1b[".
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");
  EXPECT_EQ(printable("\u00a0"), "\u00a0");
  EXPECT_EQ(printable("\xc2"), "\xc2");
}

TEST(Printable, KeepsLinesOfATextThatHasSome) {
  EXPECT_EQ(printable_lines("a\x1b\nb\r\n"), "a\\x1b\nb\\x0d\n");
}

}  // namespace
}  // namespace cairn
