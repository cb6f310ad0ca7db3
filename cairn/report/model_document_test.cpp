#include "cairn/report/model_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/report/document_text.hpp"

namespace cairn::report {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// h = 1000, one block without biases and positions, a vocabulary of 500, 100 tokens: 500 h weights
// each in table and head, 12 h^2 in the block, 2 h in each of three norms. Scores take 6 x 2 x 100
// h flops per token, causal half of that.
model::Gpt some_model() {
  return {.layers = 1,
          .hidden = 1000.0,
          .heads = 10,
          .vocab = 500.0,
          .seq = 100,
          .positions = model::Positions::kNone,
          .bias = false};
}

TEST(ModelText, CountsParametersAndFlops) {
  const std::string text = text_of(document_of(some_model(), "small"));
  const double products = 12e6 + 0.5e6;
  const double causal = 6.0 * (products + 100.0 * 1000.0);
  EXPECT_DOUBLE_EQ(causal, 75.6e6);

  EXPECT_THAT(text, ContainsRegex("parameters +13,006,000"));
  EXPECT_THAT(text, ContainsRegex("flops per token +75.6 Mflop .*sequences of 100 tokens"));
  EXPECT_THAT(text, ContainsRegex("not causal +76.2 Mflop"));
}

TEST(ModelText, ListsLayersByKind) {
  const std::string text = text_of(document_of(some_model(), "small"));

  EXPECT_THAT(text, ContainsRegex("embedding, tokens +1 +500,000"));
  EXPECT_THAT(text, ContainsRegex("block, attention +1 +4,000,000"));
  EXPECT_THAT(text, ContainsRegex("block, MLP +1 +8,000,000"));
  EXPECT_THAT(text, ContainsRegex("\nhead +1 +500,000"));
}

// All parameters of a dense model compute for every token.
TEST(ModelText, DenseModelsHaveNoLineOfActiveParameters) {
  EXPECT_THAT(text_of(document_of(some_model(), "small")), Not(HasSubstr("active")));
}

}  // namespace
}  // namespace cairn::report
