#include "cairn/explore/written_number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using testing::HasSubstr;

Config value(const std::string& text) {
  return *parse_config("{a: " + text + "}", "search.yaml").find("a");
}

std::string complaint(const std::string& text, const std::string& unit) {
  try {
    read_number_in(value(text), unit);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(WrittenNumber, ConvertsUnitsOfADimension) {
  EXPECT_EQ(read_number_in(value("1 GB"), "MB"), 1000.0);
  EXPECT_EQ(read_number_in(value("1 MiB"), "KiB"), 1024.0);
  EXPECT_EQ(read_number_in(value("2.5"), ""), 2.5);
}

TEST(WrittenNumber, RejectsOtherDimensionsAndText) {
  EXPECT_THAT(complaint("1 GB", "GB/s"),
              HasSubstr("search.yaml:1: a: \"1 GB\" cannot be converted to \"GB/s\""));
  EXPECT_THAT(complaint("1 GB", ""), HasSubstr("has a unit, but this key has none"));
  EXPECT_THAT(complaint("fast", "GB/s"), HasSubstr("is not a number"));
  EXPECT_THAT(complaint("inf", ""), HasSubstr("must be finite"));
}

TEST(WrittenNumber, ComparesByMeaning) {
  EXPECT_TRUE(means_the_same(value("256"), value("256.0")));
  EXPECT_TRUE(means_the_same(value("1 GB"), value("1000 MB")));
  EXPECT_TRUE(means_the_same(value("[1, 2]"), value("[1, 2]")));
  EXPECT_FALSE(means_the_same(value("1 GB"), value("1 GiB")));
  EXPECT_FALSE(means_the_same(value("1 GB"), value("1")));
  EXPECT_FALSE(means_the_same(value("ring"), value("switch")));
}

}  // namespace
}  // namespace cairn::explore
