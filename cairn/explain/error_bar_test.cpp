#include "cairn/explain/error_bar.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::explain {
namespace {

using Op = chip::LibraryOperator;

chip::Device calibrated() {
  chip::Device device;
  device.calibration = chip::Calibration{
      .kinds = {{.kind = "gemm", .held_out = 10.0, .held_out_error = 0.04},
                {.kind = "memory_bound", .held_out = 5.0, .held_out_error = 0.10}}};
  return device;
}

// (3 s x 4 % + 1 s x 10 %) / 4 s = 5.5 %.
TEST(ErrorBar, WeightsEachKindByItsTime) {
  const std::vector<TimedKernel> kernels{{Op::kMatmul, Seconds(3.0)}, {std::nullopt, Seconds(1.0)}};

  const ErrorBar bar = error_bar(kernels, calibrated());

  ASSERT_TRUE(bar.error);
  EXPECT_DOUBLE_EQ(*bar.error, 0.055);
}

TEST(ErrorBar, IsAbsentIfMoreThanOnePercentIsNotMeasured) {
  const auto with_convolution = [](double seconds) {
    return error_bar(
        std::vector<TimedKernel>{{Op::kMatmul, Seconds(1.0)}, {Op::kConvolution, Seconds(seconds)}},
        calibrated());
  };

  EXPECT_TRUE(with_convolution(0.005).error);
  EXPECT_FALSE(with_convolution(0.5).error);
  EXPECT_NE(with_convolution(0.5).why_none.find("conv"), std::string::npos);
}

TEST(ErrorBar, IsAbsentIfTheDeviceIsChangedOrNotCalibrated) {
  const std::vector<TimedKernel> kernels{{Op::kMatmul, Seconds(1.0)}};
  chip::Device changed = calibrated();
  changed.calibration->changed = {"memory.bandwidth"};

  EXPECT_FALSE(error_bar(kernels, changed).error);
  EXPECT_NE(error_bar(kernels, changed).why_none.find("memory.bandwidth"), std::string::npos);
  EXPECT_FALSE(error_bar(kernels, chip::Device{}).error);
  EXPECT_TRUE(error_bar(kernels, chip::Device{}).why_none.empty());
}

}  // namespace
}  // namespace cairn::explain
