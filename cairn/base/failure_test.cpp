#include "cairn/base/failure.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "cairn/base/must_have.hpp"

namespace cairn {
namespace {

TEST(Where, OmitsEmptyParts) {
  EXPECT_EQ(to_text(Where{"h100.yaml", 14, "device.memory[2].bandwidth"}),
            "h100.yaml:14: device.memory[2].bandwidth");
  EXPECT_EQ(to_text(Where{"h100.yaml", 14, ""}), "h100.yaml:14");
  EXPECT_EQ(to_text(Where{"h100.yaml", 0, ""}), "h100.yaml");
  EXPECT_EQ(to_text(Where{"", 0, "--size"}), "--size");
  EXPECT_EQ(to_text(Where{}), "");
}

TEST(ConfigError, NamesThePlaceAndTheProblem) {
  EXPECT_STREQ(ConfigError({"", 0, "--size"}, "is odd").what(), "--size: is odd");
  EXPECT_STREQ(ConfigError({}, "is odd").what(), "is odd");
}

TEST(InQuotes, KeepsHostileTextShortAndOnOneLine) {
  EXPECT_EQ(in_quotes("fast"), "\"fast\"");
  EXPECT_EQ(in_quotes("a\nb\x1b[2J"), "\"a\\nb\\x1b[2J\"");
  EXPECT_EQ(in_quotes(std::string(1000, 'x')), "\"" + std::string(60, 'x') + "...\"");
}

TEST(InQuotes, DoesNotCutACharacterInTwo) {
  const std::string text = std::string(59, 'x') + "µm";

  EXPECT_EQ(in_quotes(text), "\"" + std::string(59, 'x') + "...\"");
}

TEST(Feasible, HoldsAValueOrAReason) {
  const Feasible<int> fits = 3;
  const Feasible<int> does_not = Infeasible{Lack::kDeviceMemory, "needs 90 GB, has 80 GB"};

  EXPECT_TRUE(fits);
  EXPECT_EQ(*fits, 3);
  EXPECT_FALSE(does_not);
  EXPECT_EQ(does_not.reason().limit(), "device memory");
}

TEST(Feasible, AccessingTheAbsentAlternativeIsABug) {
  const Feasible<int> fits = 3;
  const Feasible<int> does_not = Infeasible{.lack = Lack::kChip, .part = "area"};

  EXPECT_THROW(static_cast<void>(fits.reason()), Bug);
  EXPECT_THROW(static_cast<void>(does_not.value()), Bug);
}

TEST(MustHave, ReturnsTheValueOrThrowsABug) {
  std::optional<int> some = 3;
  const std::optional<int> none;

  must_have(some, "lost") += 1;
  EXPECT_EQ(some, 4);
  EXPECT_EQ(must_have(std::as_const(some), "lost"), 4);
  EXPECT_THROW(must_have(none, "lost"), Bug);
}

TEST(Infeasible, LimitNamesTheLackOrThePartOfAChip) {
  EXPECT_EQ((Infeasible{.lack = Lack::kEngineSram}.limit()), "fabric.engine.sram");
  EXPECT_EQ((Infeasible{.lack = Lack::kChip, .part = "core"}.limit()), "core");
  EXPECT_EQ(lack_key(Lack::kMicroBatches), "strategy.micro_batches");
}

TEST(Infeasible, RoundTripsThroughItsName) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Lack::kPrediction); ++i) {
    const auto lack = static_cast<Lack>(i);
    EXPECT_EQ(lacking(Infeasible{.lack = lack}.limit()).lack, lack);
  }
  EXPECT_EQ(lacking("core").lack, Lack::kChip);
  EXPECT_EQ(lacking("core").part, "core");
}

}  // namespace
}  // namespace cairn
