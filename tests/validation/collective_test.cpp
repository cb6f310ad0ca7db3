// How far collectives on DGX A100 and H100 are from what NCCL took there (Vidur's measurements),
// with the presets' protocols. They are fitted on groups of 2 and 8 devices and every other size;
// all other rows are held out. An error may not rise by more than a tenth of itself; one that falls
// moves the figure here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cairn/platform/parse.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn {
namespace {

struct Known {
  std::string file{};
  std::string platform{};
  std::size_t rows = 0;   // within a node
  double error = 0.0;     // mean, of them
  double held_out = 0.0;  // mean, of those from 256 KiB on that were not fitted on
};

class OnDgx : public testing::TestWithParam<Known> {};

constexpr double kLarge = 256.0 * 1024.0;

platform::Platform preset(const std::string& name) {
  platform::SearchPath presets;
  presets.push_back(std::filesystem::path(CAIRN_DATA_FOLDER) / "platforms");
  return platform::read_platform(name, presets, {});
}

// By line: every other size of its group, in order.
std::set<int> fitted_lines(const validate::MeasuredTable& table) {
  std::map<std::string, std::map<double, std::vector<int>>> groups;
  for (const validate::MeasuredRow& row : table.rows()) {
    if (row.text("num_workers") == row.text("devices_per_node") && row.text("num_workers") != "4") {
      groups[row.text("num_workers")][row.number("size")].push_back(row.line());
    }
  }
  std::set<int> fitted;
  for (const auto& [group, sizes] : groups) {
    bool odd = false;
    for (const auto& [size, lines] : sizes) {
      if (!odd) {
        fitted.insert(lines.begin(), lines.end());
      }
      odd = !odd;
    }
  }
  return fitted;
}

TEST_P(OnDgx, ErrorsHaveNotRisen) {
  const auto file =
      std::filesystem::path(CAIRN_MEASUREMENTS) / "vidur" / (GetParam().file + ".csv");
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "no measurements in " << CAIRN_MEASUREMENTS;
  }
  const auto table = validate::MeasuredTable::read(file);
  validate::Subject subject(preset(GetParam().platform));

  const validate::Comparison comparison = validate::compare(table, subject);
  const std::set<int> fitted = fitted_lines(table);
  std::map<int, double> sizes;
  for (const validate::MeasuredRow& row : table.rows()) {
    sizes[row.line()] = row.number("size");
  }
  std::vector<validate::ComparedRow> held;
  for (const validate::ComparedRow& each : comparison.cases) {
    if (!fitted.contains(each.line) && sizes.at(each.line) >= kLarge) {
      held.push_back(each);
    }
  }
  const validate::Errors all = validate::errors_of(comparison.cases);
  const validate::Errors held_out = validate::errors_of(held);
  fmt::print("{}: {} rows, mean error {:.1f} %; held out, from 256 KiB on: {} rows, {:.1f} %\n",
             comparison.kind,
             all.cases,
             100.0 * all.mean,
             held_out.cases,
             100.0 * held_out.mean);

  EXPECT_EQ(all.cases, GetParam().rows);
  EXPECT_LT(all.mean, 1.1 * GetParam().error);
  EXPECT_LT(held_out.mean, 1.1 * GetParam().held_out);
  EXPECT_LT(held_out.mean, 0.10);
}

INSTANTIATE_TEST_SUITE_P(
    Measured,
    OnDgx,
    testing::Values(Known{"a100_dgx_all_reduce", "dgx-a100", 2982, 0.075, 0.069},
                    Known{"h100_dgx_all_reduce", "dgx-h100", 2982, 0.093, 0.082},
                    Known{"a100_dgx_send_recv", "dgx-a100", 994, 0.095, 0.093},
                    Known{"h100_dgx_send_recv", "dgx-h100", 994, 0.025, 0.024}),
    [](const auto& known) { return known.param.file; });

// The slow network between two nodes; with one or two devices a node it was slower still, which is
// not modelled.
TEST(OnTwoDgx, ErrorsHaveNotRisen) {
  const auto file = std::filesystem::path(CAIRN_MEASUREMENTS) / "vidur" / "a100_dgx_all_reduce.csv";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "no measurements in " << CAIRN_MEASUREMENTS;
  }
  const std::map<std::string, double> known{{"2 nodes of 1, 1 MiB and more", 0.477},
                                            {"2 nodes of 2, 1 MiB and more", 0.604},
                                            {"2 nodes of 4, 1 MiB and more", 0.055},
                                            {"2 nodes of 8, 1 MiB and more", 0.168}};
  validate::Subject subject(preset("dgx-a100-x2"));

  const auto comparison = validate::compare(validate::MeasuredTable::read(file), subject);

  EXPECT_TRUE(comparison.skipped.empty());
  std::size_t found = 0;
  for (const validate::GroupErrors& group : validate::errors_by_group(comparison.cases)) {
    if (const auto error = known.find(group.group); error != known.end()) {
      ++found;
      fmt::print("{}: mean error {:.1f} %\n", group.group, 100.0 * group.errors.mean);
      EXPECT_LT(group.errors.mean, 1.1 * error->second) << group.group;
    }
  }
  EXPECT_EQ(found, known.size());
}

}  // namespace
}  // namespace cairn
