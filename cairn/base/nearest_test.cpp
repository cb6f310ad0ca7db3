#include "cairn/base/nearest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cairn {
namespace {

const std::vector<std::string> kKnown{"bandwidth", "latency", "latencies", "size"};

TEST(Nearest, CountsSingleLetterEdits) {
  EXPECT_EQ(edit_distance("ring", "ring"), 0U);
  EXPECT_EQ(edit_distance("rign", "ring"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Nearest, FindsTheMistypedWord) {
  EXPECT_EQ(nearest("bandwith", kKnown), "bandwidth");
  EXPECT_EQ(nearest("Latency", kKnown), "latency");
  EXPECT_EQ(nearest("latecny", kKnown), "latency");
}

TEST(Nearest, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest("voltage", kKnown), "");
  EXPECT_EQ(nearest("", kKnown), "");
  EXPECT_EQ(nearest("k", {"n"}), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'x'), kKnown), "");
}

TEST(Nearest, SuggestionListsAllWhenNothingIsNear) {
  EXPECT_EQ(suggestion("sise", kKnown), "did you mean \"size\"?");
  EXPECT_EQ(suggestion("voltage", {"bandwidth", "size"}), "known: bandwidth, size");
  EXPECT_EQ(suggestion("voltage", {}), "known: none");
}

RC_GTEST_PROP(NearestProperty, DistanceIsSymmetricAndZeroOnlyForEquals, ()) {
  const auto a = *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c'));
  const auto b = *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c'));

  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
}

}  // namespace
}  // namespace cairn
