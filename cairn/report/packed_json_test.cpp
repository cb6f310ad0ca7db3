#include "cairn/report/packed_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cairn::report {
namespace {

using nlohmann::ordered_json;

ordered_json packed(ordered_json result, std::size_t least) {
  pack_long_lists(result, least);
  return result;
}

TEST(PackedJson, PacksLongListsByColumn) {
  const ordered_json result{{"verb", "run"},
                            {"timeline",
                             {{{"name", "a"}, {"begin_s", 0.1}, {"end_s", 0.30000000000000004}},
                              {{"name", "b"}, {"begin_s", 0.2}, {"moved_B", 5}},
                              {{"name", "a"}, {"begin_s", "NaN"}, {"end_s", 3.0}}}}};

  const ordered_json expected{{"verb", "run"},
                              {"timeline",
                               {{"packed", 3},
                                {"columns",
                                 {{"name", {{"words", {"a", "b"}}, {"at", {0, 1, 0}}}},
                                  {"begin_s", {{"words", {0.1, 0.2, "NaN"}}, {"at", {0, 1, 2}}}},
                                  {"end_s", {0.30000000000000004, nullptr, 3.0}},
                                  {"moved_B", {nullptr, 5, nullptr}}}}}}};
  EXPECT_EQ(packed(result, 3), expected);
}

TEST(PackedJson, KeepsShortListsAndListsWithoutObjects) {
  const ordered_json result{
      {"few", {{{"a", 1}}, {{"a", 2}}}}, {"numbers", {1, 2, 3, 4}}, {"x", nullptr}};

  EXPECT_EQ(packed(result, 3), result);
}

TEST(PackedJson, SharesEqualListValues) {
  const ordered_json traffic{{{"level", "l2"}, {"bytes_B", 1.0}}};
  const ordered_json result{{"operators", {{{"traffic", traffic}}, {{"traffic", traffic}}}}};

  const ordered_json columns = packed(result, 2)["operators"]["columns"];

  EXPECT_EQ(columns["traffic"]["words"], ordered_json::array({traffic}));
  EXPECT_EQ(columns["traffic"]["at"], ordered_json({0, 0}));
}

}  // namespace
}  // namespace cairn::report
