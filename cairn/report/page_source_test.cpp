#include "cairn/report/page_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace cairn::report {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(PageSource, IsACompletePage) {
  EXPECT_THAT(page_source().substr(0, 15), testing::Eq("<!doctype html>"));
  EXPECT_THAT(count(page_source(), "</html>"), testing::Eq(1U));
}

TEST(PageSource, HasOnePlaceholderForTheResult) {
  EXPECT_EQ(count(page_source(), "\"CAIRN_RESULT_HERE\""), 1U);
  EXPECT_EQ(count(page_source(), "id=\"cairn-result\">\"CAIRN_RESULT_HERE\"</script>"), 1U);
}

// Nothing is fetched: no element of the page names another file. (Comments may name addresses.)
TEST(PageSource, IsSelfContained) {
  EXPECT_EQ(count(page_source(), "<script src"), 0U);
  EXPECT_EQ(count(page_source(), "rel=\"stylesheet\""), 0U);
  EXPECT_EQ(count(page_source(), "default-src 'none'"), 1U);
}

}  // namespace
}  // namespace cairn::report
