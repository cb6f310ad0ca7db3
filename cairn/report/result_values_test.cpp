#include "cairn/report/result_values.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace cairn::report {
namespace {

std::map<std::string, std::string> values_in(const char* json) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : values_of_result(nlohmann::ordered_json::parse(json))) {
    EXPECT_TRUE(values.emplace(key, value).second) << key;
  }
  return values;
}

TEST(ResultValues, ItemsOfListsAreNamed) {
  const auto values = values_in(
      R"({"claims": [{"id": "17a", "ours": 2.5}, {"id": "18a", "ours": null}], "sizes": [1, 2]})");

  EXPECT_EQ(values.at("claims[17a].ours"), "2.5");
  EXPECT_EQ(values.at("claims[18a].ours"), "null");
  EXPECT_EQ(values.at("sizes[1]"), "2");
}

TEST(ResultValues, ItemsThatShareANameAreCounted) {
  const auto values = values_in(R"({"links": [{"name": "a", "x": 1}, {"name": "a", "x": 2}]})");

  EXPECT_EQ(values.at("links[0].x"), "1");
  EXPECT_EQ(values.at("links[1].x"), "2");
}

TEST(ResultValues, KeysOfTheRunAreLeftOut) {
  const auto values = values_in(R"({"date": "today", "took_s": 3, "best": {"date": "kept"}})");

  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values.at("best.date"), "kept");
}

}  // namespace
}  // namespace cairn::report
