#include "cairn/explain/token_rates.hpp"

#include <gtest/gtest.h>

namespace cairn::explain {
namespace {

// 64 sequences of 1,000 tokens in 2 s on 16 devices of 10 Tflop/s.
TEST(TokenRates, FollowFromStepTimeAndModel) {
  const TokenRates rates = token_rates(
      {.tokens_per_sample = 1000.0, .flops_per_token = 2e9, .flops_per_token_not_causal = 3e9},
      64.0,
      2.0,
      16.0,
      10e12);

  EXPECT_EQ(rates.tokens, 64e3);
  EXPECT_EQ(rates.tokens_per_s, 32e3);
  EXPECT_EQ(rates.tokens_per_s_per_device, 2e3);
  EXPECT_EQ(rates.flops_per_s_per_device, 2e3 * 2e9);
  EXPECT_EQ(rates.mfu, 2e3 * 2e9 / 10e12);
  EXPECT_EQ(rates.flops_per_s_per_device_not_causal, 2e3 * 3e9);
  EXPECT_EQ(rates.mfu_not_causal, 2e3 * 3e9 / 10e12);
}

}  // namespace
}  // namespace cairn::explain
