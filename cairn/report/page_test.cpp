#include "cairn/report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cairn/base/failure.hpp"
#include "cairn/report/document_json.hpp"

namespace cairn::report {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPage =
    R"(<script>"CAIRN_RESULT_HERE"</script><i>"CAIRN_ABOUT_HERE"</i>)";

TEST(EmbeddedJson, KeepsTheValueAndCannotEndAScript) {
  const ordered_json value{{"</script><b>x", "a & b <!-- \u2028 \u2029 \\\" \n"},
                           {"numbers", {1.5, -2e-300, nullptr, true}},
                           {"empty", ordered_json::object()}};

  const std::string text = embedded_json(value.dump(2));

  EXPECT_EQ(ordered_json::parse(text), value);
  for (const char* refused : {"<", ">", "&", "\u2028", "\u2029", "\n"}) {
    EXPECT_EQ(text.find(refused), std::string::npos) << refused;
  }
  EXPECT_EQ(text.size(), embedded_json(text).size());  // no whitespace is left
}

TEST(EmbeddedJson, HandlesBackslashesAtTheEndOfStrings) {
  const ordered_json value{R"(\)", R"(\\)", R"(" < ")", R"(\")"};

  EXPECT_EQ(ordered_json::parse(embedded_json(value.dump())), value);
}

// The result, its title, command and date, and its text output.
TEST(WritePage, FillsThePlaceholders) {
  Document document{.verb = "chip",
                    .title = "a chip",
                    .version = "1.2.3",
                    .command = "cairn chip </script>",
                    .date = "2026-01-02"};
  document.add(Field{.key = "time_s", .value = Seconds(2.0), .label = "time", .note = "long"});
  document.add(Field{.key = "more", .value = 1, .detail = true});
  document.add(Table{.key = "links",
                     .columns = {{.key = "name", .label = "link"},
                                 {.key = "kind"},
                                 {.key = "carried_B", .label = "carried"},
                                 {.label = "", .show = Show::kBar}},
                     .rows = {{"up", "link", Bytes(5.0), 0.5}}});
  document.add(Paragraph{.text = "so it is"});
  std::ostringstream out;
  write_page(kPage, document, out);

  const std::string page = out.str();
  const std::size_t end = page.find("</script>");
  ASSERT_EQ(end, page.rfind("</script>"));
  const std::size_t result = std::string_view("<script>").size();
  const std::size_t about = page.find("<i>") + 3;
  EXPECT_EQ(ordered_json::parse(page.substr(result, end - result)),
            json_tree(document, Detail::kAll));
  EXPECT_EQ(ordered_json::parse(page.substr(about, page.find("</i>") - about)),
            ordered_json::parse(R"({
              "title": "a chip", "command": "cairn chip </script>", "date": "2026-01-02",
              "shown": {"fields": [{"label": "time", "text": "2 s", "note": "long"}],
                        "tables": [{"title": "", "columns": [{"label": "link"},
                                                             {"label": "carried", "unit": "B"}],
                                    "rows": [["up", 5.0]]}],
                        "notes": ["so it is"]}})"));
}

TEST(WritePage, RejectsAPageWithoutExactlyOnePlaceholder) {
  std::ostringstream out;

  EXPECT_THROW(write_page("<html></html>", Document{}, out), Bug);
  EXPECT_THROW(write_page(std::string(kPage) + std::string(kPage), Document{}, out), Bug);
}

}  // namespace
}  // namespace cairn::report
