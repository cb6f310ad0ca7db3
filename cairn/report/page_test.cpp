#include "cairn/report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cairn/base/failure.hpp"
#include "cairn/report/json_text.hpp"

namespace cairn::report {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPage =
    R"(<script type="application/json">"CAIRN_RESULT_HERE"</script>)";

TEST(EmbeddedJson, IsTheSameValueAndCannotEndAScript) {
  const ordered_json value{{"</script><b>x", "a & b <!-- \u2028 \u2029 \\\" \n"},
                           {"numbers", {1.5, -2e-300, nullptr, true}},
                           {"empty", ordered_json::object()}};

  const std::string text = embedded_json(value.dump(2));

  EXPECT_EQ(ordered_json::parse(text), value);
  for (const char* refused : {"<", ">", "&", "\u2028", "\u2029", "\n"}) {
    EXPECT_EQ(text.find(refused), std::string::npos) << refused;
  }
  EXPECT_EQ(text.size(), embedded_json(text).size());  // nothing is left to take out
}

TEST(EmbeddedJson, BackslashesAtTheEndOfStringsDoNotHideIt) {
  const ordered_json value{R"(\)", R"(\\)", R"(" < ")", R"(\")"};

  EXPECT_EQ(ordered_json::parse(embedded_json(value.dump())), value);
}

TEST(WritePage, PutsTheResultIntoItsPlace) {
  std::ostringstream out;
  write_page(kPage, "{\n  \"verb\": \"run\"\n}\n", out);

  EXPECT_EQ(out.str(), R"(<script type="application/json">{"verb":"run"}</script>)");
}

TEST(WritePage, RefusesAPageWithoutAPlaceOrWithTwo) {
  std::ostringstream out;

  EXPECT_THROW(write_page("<html></html>", "{}", out), Bug);
  EXPECT_THROW(write_page(std::string(kPage) + std::string(kPage), "{}", out), Bug);
}

TEST(JsonText, NamesNumbersThatAreNotFinite) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto parsed = ordered_json::parse(json_text(
      {{"a", std::nan("")}, {"b", {infinite, {{"c", -infinite}}}}, {"d", 1.0}, {"e", nullptr}}));

  EXPECT_EQ(parsed["a"], "NaN");
  EXPECT_EQ(parsed["b"][0], "Infinity");
  EXPECT_EQ(parsed["b"][1]["c"], "-Infinity");
  EXPECT_EQ(parsed["d"], 1.0);
  EXPECT_EQ(parsed["e"], nullptr);
}

}  // namespace
}  // namespace cairn::report
