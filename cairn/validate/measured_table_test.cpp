#include "cairn/validate/measured_table.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {
namespace {

std::string complaint(const std::string& text) {
  try {
    const MeasuredTable table = MeasuredTable::parse(text, "t.csv");
    Subject subject(chip::pe_array(4.0, 4.0, Hertz(1e9), Bytes(1e5)));
    compare(table, subject);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(MeasuredTable, ReadsCellsByColumnName) {
  const MeasuredTable table = MeasuredTable::parse("a,b\n1, x y \n2.5e3,z\n", "t.csv");
  ASSERT_EQ(table.rows().size(), 2U);
  EXPECT_EQ(table.rows()[0].whole("a", 1), 1.0);
  EXPECT_EQ(table.rows()[0].text("b"), "x y");
  EXPECT_EQ(table.rows()[1].positive("a"), 2500.0);
  EXPECT_EQ(table.rows()[1].line(), 3);
  EXPECT_EQ(table.rows()[1].text("c"), "");
}

TEST(MeasuredTable, IgnoresByteOrderMarkCarriageReturnsAndEmptyLines) {
  const MeasuredTable table = MeasuredTable::parse(
      "\xef\xbb\xbf"
      "a,b\r\n\r\n1,2\r\n",
      "t.csv");
  ASSERT_EQ(table.rows().size(), 1U);
  EXPECT_EQ(table.columns().front(), "a");
  EXPECT_EQ(table.rows()[0].number("b"), 2.0);
  EXPECT_EQ(table.rows()[0].line(), 3);
}

TEST(MeasuredTable, ReadsQuotedCells) {
  const MeasuredTable table =
      MeasuredTable::parse("\"a\", \"b\"\n\"1\",\"x, \"\"y\"\"\"\n2,5\" wide\n", "t.csv");
  ASSERT_EQ(table.rows().size(), 2U);
  EXPECT_EQ(table.rows()[0].number("a"), 1.0);
  EXPECT_EQ(table.rows()[0].text("b"), "x, \"y\"");
  EXPECT_EQ(table.rows()[1].text("b"), "5\" wide");
  EXPECT_EQ(complaint("a,b\n\"1,2\n"),
            "t.csv:2: \"\"1,2\" begins with a quote and does not end with one");
}

TEST(MeasuredTable, IsOfTheKindWithMostColumns) {
  const auto kind = [](const char* columns, const char* row) {
    return kind_of(MeasuredTable::parse(std::string(columns) + "\n" + row + "\n", "t.csv")).name;
  };
  // The columns of one kind may be among those of another.
  EXPECT_EQ(kind("dtype,m,n,k,layout,batch,time_us,held_out", "bf16,1,1,1,nt,1,3,0"), "gemm");
  EXPECT_EQ(kind("dtype,layout,experts,m,n,k,skew,time_us", "bf16,nt,2,1,1,1,0,3"), "grouped");
  EXPECT_EQ(kind("op,width,rows,time_us", "softmax,1,1,3"), "rows");
  EXPECT_EQ(kind("op,code,width,rows,time_us,cache", "swiglu,eager,1,1,3,warm"), "chain");
}

TEST(MeasuredTable, ErrorsNameFileLineAndColumn) {
  EXPECT_EQ(complaint(""), "t.csv: is empty (expected a line of column names, then rows)");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us\n"), "t.csv: has column names only (expected rows)");
  EXPECT_EQ(complaint("m,m\n1,2\n"), "t.csv:1: column \"m\" is a duplicate, or has no name");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us\nfp16,1,1,1\n"), "t.csv:2: has 4 cells (expected 5)");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us\nfp16,1,many,1,3\n"),
            "t.csv:2: n: \"many\" is not a number");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us\nfp16,1,1,1,nan\n"),
            "t.csv:2: time_us: \"nan\" is not a number");
  for (const char* time : {"0", "-3"}) {
    EXPECT_EQ(
        complaint(std::string("dtype,m,n,k,time_us\nfp16,1,1,1,") + time + "\n"),
        std::string("t.csv:2: time_us: \"") + time + "\" is out of range (expected more than 0)");
  }
  EXPECT_EQ(complaint("dtype,m,n,k\nfp16,1,1,1\n"),
            "t.csv:1: time_us: is missing (expected for gemm: dtype,m,n,k,time_us)");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us,weather\nfp16,1,1,1,3,fine\n"),
            "t.csv:1: weather: is not a column of gemm (expected: dtype,m,n,k,time_us"
            "[,layout,batch,fast_accumulation,cache,clock_MHz,held_out])");
  EXPECT_EQ(complaint("dtype,m,n,k,time_us,cache\nfp16,1,1,1,3,tepid\n"),
            "t.csv:2: cache: \"tepid\" is unknown (expected warm or cold)");
}

}  // namespace
}  // namespace cairn::validate
