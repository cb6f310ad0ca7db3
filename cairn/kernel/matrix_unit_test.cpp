#include "cairn/kernel/matrix_unit.hpp"

#include <gtest/gtest.h>

namespace cairn::kernel {
namespace {

using chip::Dataflow;
using chip::Precision;

// A systolic array of 128 x 128, or 8 tensor cores of 4 x 4 x 4.
chip::Device systolic(Dataflow dataflow) {
  chip::Device device;
  device.cores = {.rows = 128.0,
                  .columns = 128.0,
                  .matrix = {.bf16 = Flops(2.0 * 128 * 128)},
                  .dataflow = dataflow};
  return device;
}

chip::Device tensor_cores() {
  chip::Device device;
  device.cores = {.units = 8.0,
                  .rows = 4.0,
                  .columns = 4.0,
                  .matrix = {.fp32 = Flops(64.0), .fp16 = Flops(2.0 * 8 * 64)},
                  .dataflow = Dataflow::kOutputStationary};
  return device;
}

TEST(MatrixUnit, TakesOneCyclePerStreamedRow) {
  const MatrixUnit weights(systolic(Dataflow::kWeightStationary), Precision::kBf16);
  const MatrixUnit outputs(systolic(Dataflow::kOutputStationary), Precision::kBf16);
  const MatrixUnit activations(systolic(Dataflow::kActivationStationary), Precision::kBf16);

  // 10 x 129 outputs, k = 300.
  EXPECT_EQ(weights.cycles(10.0, 129.0, 300.0), 3.0 * 2.0 * 10.0);
  EXPECT_EQ(outputs.cycles(10.0, 129.0, 300.0), 1.0 * 2.0 * 300.0);
  EXPECT_EQ(activations.cycles(10.0, 129.0, 300.0), 1.0 * 3.0 * 129.0);
  const MatrixUnit best(systolic(Dataflow::kBest), Precision::kBf16);
  EXPECT_EQ(best.cycles(10.0, 129.0, 300.0), 60.0);
}

TEST(MatrixUnit, DividesATileAmongTheUnitsOfACore) {
  const MatrixUnit fp16(tensor_cores(), Precision::kFp16);
  const MatrixUnit fp32(tensor_cores(), Precision::kFp32);  // a 16th of the rate: depth 1/4

  EXPECT_EQ(fp16.cycles(64.0, 64.0, 64.0), 64.0 * 64 * 64 / (8 * 64));
  EXPECT_EQ(fp16.cycles(4.0, 4.0, 64.0), 16.0);  // seven units idle
  EXPECT_EQ(fp16.cycles(5.0, 4.0, 65.0), 17.0);  // two units, k rounded up
  EXPECT_EQ(fp32.cycles(64.0, 64.0, 64.0), 64.0 * 64 * 64 / 32);
}

// Eq. 5: flops (Nx Ny + K Nx + K Ny) / (2 K Nx Ny), and a multiply-accumulate is two flops.
TEST(MatrixUnit, RegisterAccessesFollowEq5) {
  const auto eq5 = [](double reuse, double nx, double ny) {
    return 2.0 * (nx * ny + reuse * nx + reuse * ny) / (2.0 * reuse * nx * ny);
  };
  const auto accesses = [](Dataflow dataflow) {
    chip::Device device = tensor_cores();
    device.cores.columns = 2.0;  // depth 8
    device.cores.dataflow = dataflow;
    return MatrixUnit(device, Precision::kFp16).accesses_per_mac(30.0, 50.0, 100.0);
  };

  EXPECT_DOUBLE_EQ(accesses(Dataflow::kNone), eq5(1.0, 4.0, 2.0));
  EXPECT_DOUBLE_EQ(accesses(Dataflow::kWeightStationary), eq5(8.0, 4.0, 2.0));       // 30 / 4
  EXPECT_DOUBLE_EQ(accesses(Dataflow::kActivationStationary), eq5(25.0, 4.0, 2.0));  // 50 / 2
  EXPECT_DOUBLE_EQ(accesses(Dataflow::kOutputStationary), eq5(13.0, 4.0, 2.0));      // 100 / 8
  EXPECT_DOUBLE_EQ(accesses(Dataflow::kBest), eq5(25.0, 4.0, 2.0));
}

}  // namespace
}  // namespace cairn::kernel
