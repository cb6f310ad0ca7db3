#include "cairn/kernel/windows.hpp"

#include <gtest/gtest.h>

#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"

namespace cairn::kernel {
namespace {

// A 3 x 3 convolution from 24 to 80 channels on 10 x 10 pixels.
model::Graph layer() {
  model::Net net("conv", 1.0);
  const auto x = net.input_from_below("x", {.channels = 24.0, .height = 10.0, .width = 10.0});
  net.convolution("conv", x, {.channels = 80.0, .kernel = 3, .pad = 1});
  return model::with_backward_pass(std::move(net).take());
}

model::Contraction run_as(model::Pass pass, std::optional<double> slice) {
  const model::Graph graph = layer();
  chip::Device device;
  device.tiles.window_slice = slice;
  for (const model::Operator& op : graph.operators) {
    if (op.pass == pass) {
      return *as_run(work_of(graph, op, chip::Precision::kBf16), device).contraction;
    }
  }
  throw Bug("no such pass");
}

TEST(Windows, ArePaddedToWholeSlicesPerTap) {
  const model::Contraction forward = run_as(model::Pass::kForward, 64.0);
  EXPECT_EQ(forward.m, 100.0);
  EXPECT_EQ(forward.n, 80.0);
  EXPECT_EQ(forward.k, 9.0 * 64.0);
  const model::Contraction data = run_as(model::Pass::kDataGradient, 64.0);
  EXPECT_EQ(data.m, 100.0);
  EXPECT_EQ(data.n, 24.0);
  EXPECT_EQ(data.k, 9.0 * 128.0);
  const model::Contraction weight = run_as(model::Pass::kWeightGradient, 64.0);
  EXPECT_EQ(weight.m, 9.0 * 24.0);
  EXPECT_EQ(weight.n, 80.0);
  EXPECT_EQ(weight.k, 100.0);
}

TEST(Windows, AreUnchangedOnADeviceWithoutSlices) {
  for (const auto pass :
       {model::Pass::kForward, model::Pass::kDataGradient, model::Pass::kWeightGradient}) {
    EXPECT_EQ(run_as(pass, std::nullopt).macs(), 100.0 * 80.0 * 9.0 * 24.0);
  }
  EXPECT_EQ(run_as(model::Pass::kDataGradient, std::nullopt).n, 9.0 * 24.0);
}

}  // namespace
}  // namespace cairn::kernel
