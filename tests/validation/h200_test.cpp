// How far predictions are from what was measured on an H200, with the one device file. An error may
// not rise by more than a tenth of itself; one that falls moves the figure here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cairn/chip/read_device.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn {
namespace {

struct Known {
  std::string file{};
  std::size_t times = 0;
  double error = 0.0;  // mean
};

class OnH200 : public testing::TestWithParam<Known> {};

TEST_P(OnH200, ErrorsHaveNotRisen) {
  const std::filesystem::path data = CAIRN_DATA_FOLDER;
  const auto table =
      validate::MeasuredTable::read(data / "measurements" / "h200" / (GetParam().file + ".csv"));
  validate::Subject subject(chip::read_device("h200", chip::DeviceFolders::in({data}), {}).value());

  const validate::Comparison comparison = validate::compare(table, subject);
  const validate::Errors errors = validate::errors_of(comparison.cases);
  fmt::print("{}: {} times, mean error {:.1f} %, 90 % below {:.1f} %, correlation {:.4f}\n",
             comparison.kind,
             errors.cases,
             100.0 * errors.mean,
             100.0 * errors.p90,
             errors.correlation);

  EXPECT_EQ(comparison.kind, GetParam().file);
  EXPECT_EQ(errors.cases, GetParam().times);
  EXPECT_TRUE(comparison.left.empty());
  EXPECT_LT(errors.mean, 1.1 * GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Measured,
                         OnH200,
                         testing::Values(Known{"gemm", 742, 0.066},
                                         Known{"memory_bound", 253, 0.128},
                                         Known{"conv", 240, 0.171},
                                         Known{"attention", 136, 0.137},
                                         Known{"hostcopy", 30, 0.110},
                                         Known{"recurrent", 64, 0.392},
                                         Known{"contention", 42, 0.123},
                                         Known{"training", 82, 0.114}),
                         [](const auto& known) { return known.param.file; });

}  // namespace
}  // namespace cairn
