#include "cairn/former_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FormerNames, OfADesignAreReadWithANoteThatNamesTheNewOne) {
  Config design = parse_config(
      "memory: {overlay: what_does_not_fit}\n"
      "kernels: {issue: 5 us}\n"
      "device: {kernels: []}\n",
      "d.yaml");

  const auto notes = update_former_names(design);

  EXPECT_EQ(to_text(design),
            "{memory: {offload: on_demand}, launch: {issue: 5 us}, device: {kernels: []}}");
  EXPECT_THAT(notes,
              ElementsAre("d.yaml:2: kernels: \"kernels\" is now called \"launch\"",
                          "d.yaml:1: memory.overlay: \"overlay\" is now called \"offload\"",
                          "d.yaml:1: memory.overlay: \"what_does_not_fit\" is now called "
                          "\"on_demand\""));
  EXPECT_THAT(update_former_names(design), IsEmpty());
}

TEST(FormerNames, OfAnotherSectionAreMovedThere) {
  Config design = parse_config(
      "strategy: {spread: d8, resharding: gather, recurrent_sync: once}\n"
      "assumptions: {weight_copies: again}\n",
      "d.yaml");
  Config without = parse_config("strategy: {partial_sum: all_reduce}", "d.yaml");

  const auto notes = update_former_names(design);
  update_former_names(without);

  EXPECT_EQ(to_text(design),
            "{strategy: {spread: d8}, assumptions: {weight_copies: again, resharding: gather, "
            "recurrent_sync: once}}");
  EXPECT_EQ(to_text(without), "{strategy: {}, assumptions: {partial_sum: all_reduce}}");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes.front(),
            "d.yaml:1: strategy.resharding: \"resharding\" is now called "
            "\"assumptions.resharding\"");
}

TEST(FormerNames, OfAnotherSectionBesideTheNewOneAreRejected) {
  Config design =
      parse_config("{strategy: {resharding: gather}, assumptions: {resharding: gather}}", "d.yaml");

  EXPECT_THROW(update_former_names(design), ConfigError);
}

TEST(FormerNames, BesideTheNewOneAreRejected) {
  Config design = parse_config("memory: {overlay: none, offload: everything}", "d.yaml");

  try {
    update_former_names(design);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "d.yaml:1: memory.overlay: is the former name of \"offload\", which is given too "
                 "(remove one)");
  }
}

TEST(FormerNames, OfAssignments) {
  std::string assignment = "memory.overlay=what_does_not_fit";

  EXPECT_EQ(update_former_names(assignment).size(), 2U);

  EXPECT_EQ(assignment, "memory.offload=on_demand");
  std::string inner = "kernels.background.sms=2";
  update_former_names(inner);
  EXPECT_EQ(inner, "launch.background.sms=2");
}

TEST(FormerNames, OfSearchesAreKeysAndValuesOfAxes) {
  Config search = parse_config(
      "vary:\n"
      "  memory.overlay: [none, what_does_not_fit]\n"
      "  memory.window: {values: [1, 2], when: {memory.overlay: what_does_not_fit}}\n"
      "  strategy.gradient_sync: {values: [blocking, unshared]}\n",
      "s.yaml");

  update_former_names_of_search(search);

  EXPECT_EQ(to_text(search),
            "{vary: {memory.offload: [none, on_demand],"
            " memory.window: {values: [1, 2], when: {memory.offload: on_demand}},"
            " strategy.gradient_sync: {values: [blocking, contention_free]}}}");
}

}  // namespace
}  // namespace cairn
