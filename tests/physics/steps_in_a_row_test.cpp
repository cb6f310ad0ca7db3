// Consecutive steps: communication of one step hidden by the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using memory::ExchangeOrder;
using model::Pass;
using model::Updates;

constexpr double kKernel = 1e-3;

// Two layers of width w on a ring of 4: every kernel takes kKernel, updates take no time, and the
// all-reduce of a weight gradient is 2 (n-1)/n 2 w^2 bytes over 2 links of b.
Step two_layers(double sum_of_gradient, const memory::Sequence& sequence, bool blocking = false) {
  constexpr double kWidth = 1000.0;
  const double bandwidth = 2.0 * 3.0 / 4.0 * 2.0 * kWidth * kWidth / sum_of_gradient;
  const auto ring = platform_of("ring:4@" + std::to_string(bandwidth / 2.0) + "B/s");
  plan::Strategy strategy{.batch = 64.0};
  strategy.gradient_sync =
      blocking ? plan::GradientSync::kBlocking : plan::GradientSync::kOverlapped;
  const auto time_of = [](const model::Operator& op) {
    return Seconds(op.pass == Pass::kUpdate ? 0.0 : kKernel);
  };
  return run_step(chain_of(2, 64.0, kWidth), strategy, ring, time_of, {}, {.sequence = sequence});
}

memory::Sequence steps(std::uint32_t count,
                       Updates updates = Updates::kBeforeUse,
                       ExchangeOrder exchanges = ExchangeOrder::kSequential) {
  return {.steps = count, .updates = updates, .exchanges = exchanges};
}

TEST(StepsInARow, WithoutOverlapTakeAsLongAsSingleSteps) {
  for (const double sum : {0.1 * kKernel, kKernel, 5.0 * kKernel}) {
    const Step one = two_layers(sum, steps(1));
    const Step three = two_layers(sum, steps(3, Updates::kAtEnd));
    EXPECT_NEAR(three.time(), 3.0 * one.time(), three.rounding()) << sum;

    const Step blocking = two_layers(sum, steps(1), true);
    const Step three_blocking = two_layers(sum, steps(3), true);
    EXPECT_NEAR(three_blocking.time(), 3.0 * blocking.time(), three_blocking.rounding()) << sum;
  }
}

// The backward pass finishes the second layer's dW at T and the first's at T + 2 t; with A the time
// of an all-reduce, the first layer of the next step begins
//
//   in turn, or oldest first   when both are reduced, T + 2 A
//   newest first               when its own is reduced, T + 2 t + A
//
// and the second a kernel later, but not before T + 2 A.
TEST(StepsInARow, BeginWhenTheFirstLayersGradientIsReduced) {
  for (const double a : {2.5, 3.0, 4.0, 7.0}) {
    const double sum = a * kKernel;
    const Step in_turn = two_layers(sum, steps(2));
    const Step fifo = two_layers(sum, steps(2, Updates::kBeforeUse, ExchangeOrder::kFirstIn));
    const Step lifo = two_layers(sum, steps(2, Updates::kBeforeUse, ExchangeOrder::kLastIn));

    const double second_layer_in_turn = 2.0 * a + 1.0;
    const double second_layer_lifo = std::max(2.0 + a + 1.0, 2.0 * a);
    // The gradient all-reduces end the second step; they begin when its kernels have ended.
    EXPECT_NEAR(fifo.time(), in_turn.time(), fifo.rounding()) << a;
    EXPECT_NEAR(in_turn.time() - lifo.time(),
                (second_layer_in_turn - second_layer_lifo) * kKernel,
                lifo.rounding())
        << a;
  }
}

// In a single step the all-reduce of the second layer's gradient is hidden by the two following
// kernels, that of the first layer's is not; the same holds in each of several steps.
TEST(StepsInARow, HideAllReducesShorterThanConcurrentKernels) {
  for (const double a : {0.5, 1.0, 1.9}) {
    const Step ten = two_layers(a * kKernel, steps(10));
    EXPECT_NEAR(ten.time(), 10.0 * (6.0 + a) * kKernel, ten.rounding()) << a;
  }
}

TEST(StepsInARow, DoTheWorkOfAllSteps) {
  const Step one = two_layers(kKernel, steps(1));
  for (const Updates updates : {Updates::kAtEnd, Updates::kBeforeUse}) {
    for (const std::uint32_t count : {2U, 5U}) {
      const Step several = two_layers(kKernel, steps(count, updates));
      EXPECT_EQ(several.schedule.actions.size(), count * one.schedule.actions.size());
      for (std::size_t r = 0; r < one.timeline.use.size(); ++r) {
        EXPECT_NEAR(several.timeline.use[r].drawn,
                    count * one.timeline.use[r].drawn,
                    1e-9 * several.timeline.use[r].drawn);
      }
    }
  }
}

}  // namespace
}  // namespace cairn
