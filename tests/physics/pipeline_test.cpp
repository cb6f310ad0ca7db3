// Pipelines: when data gradients leave a stage, and when its weight gradients are all-reduced.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using model::Pass;
using plan::GradientSync;
using plan::SendGradients;

constexpr double kKernel = 1e-3;
constexpr double kWidth = 1000.0;
constexpr double kBatch = 64.0;
constexpr std::uint32_t kReplicas = 2;

// A chain with one layer per stage and two replicas, on a mesh of links of bandwidth B: replicas
// are neighbours in one dimension, stages in the other. Every kernel takes kKernel, updates
// take no time. No contention.
struct Pipeline {
  std::uint32_t stages = 3;
  double bandwidth = 1e9;

  // All-reduce of a layer's weight gradient over two devices: 2 (n-1)/n S / B.
  [[nodiscard]] double sum() const { return 2.0 * kWidth * kWidth / bandwidth; }

  // Activations of a replica, transferred from stage to stage.
  [[nodiscard]] double transfer() const { return 2.0 * kBatch / kReplicas * kWidth / bandwidth; }

  [[nodiscard]] Step run(GradientSync sync, SendGradients send) const {
    plan::Strategy strategy{
        .stages = stages, .send_gradients = send, .batch = kBatch, .gradient_sync = sync};
    const auto platform = platform_of(fmt::format(
        "mesh:{}x{}@{}B/s,0s", kReplicas, stages, static_cast<std::uint64_t>(bandwidth)));
    const auto time_of = [](const model::Operator& op) {
      return Seconds(op.pass == Pass::kUpdate ? 0.0 : kKernel);
    };
    return run_step(chain_of(stages, kBatch, kWidth), strategy, platform, time_of);
  }
};

// Forward through all stages, backward through all stages (dX and dW), and the all-reduce of the
// first stage's gradient, which starts last: those of the other stages run at the same time.
TEST(BlockingGradientSums, OfAllStagesRunAtTheSameTime) {
  for (const std::uint32_t stages : {2U, 3U, 5U}) {
    for (const double bandwidth : {1e8, 1e9, 1e10}) {
      const Pipeline pipeline{.stages = stages, .bandwidth = bandwidth};

      const Step step = pipeline.run(GradientSync::kBlocking, SendGradients::kAtEnd);

      const double expected =
          3.0 * stages * kKernel + 2.0 * (stages - 1) * pipeline.transfer() + pipeline.sum();
      EXPECT_NEAR(step.time(), expected, step.rounding()) << stages << " stages, " << bandwidth;
    }
  }
}

// dX is computed before dW: sending it early saves each stage but the first the time of dW.
TEST(DataGradients, LeaveAtTheEndOfTheBackwardPassOrEarly) {
  const Pipeline pipeline{.stages = 4, .bandwidth = 1e10};

  const Step at_end = pipeline.run(GradientSync::kBlocking, SendGradients::kAtEnd);
  const Step as_made = pipeline.run(GradientSync::kBlocking, SendGradients::kAsMade);

  EXPECT_NEAR(at_end.time() - as_made.time(), 3.0 * kKernel, at_end.rounding());
  EXPECT_NEAR(
      at_end.begin_of("fc3", Pass::kDataGradient) - at_end.begin_of("fc4", Pass::kDataGradient),
      2.0 * kKernel + pipeline.transfer(),
      at_end.rounding());
  EXPECT_NEAR(
      as_made.begin_of("fc3", Pass::kDataGradient) - as_made.begin_of("fc4", Pass::kDataGradient),
      kKernel + pipeline.transfer(),
      as_made.rounding());
}

}  // namespace
}  // namespace cairn
