// The collectives behind ACE: hierarchical all-reduce on a torus of L x V x H devices.
// A ring of 400 GB/s in the first dimension and 50 GB/s in the others, that is
// 200 and 25 GB/s per direction; no latency.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/physics/support.hpp"

namespace cairn {
namespace {

struct Row {
  int l, v, h;
  double sent_per_byte;    // by the formula of docs/comm.md
  double ms_per_gigabyte;  //
  double driven_gbps;      //
};

class AceTorus : public testing::TestWithParam<Row> {};

TEST_P(AceTorus, ReachesTheBandwidthOfTheFourPhases) {
  const auto [l, v, h, sent_row, time_row, driven_row] = GetParam();
  const auto torus = platform_of("torus:" + std::to_string(l) + "x" + std::to_string(v) + "x" +
                                 std::to_string(h) + "@200GB/s,25GB/s,25GB/s");
  const double payload = 1e9;
  const auto chunks = static_cast<std::uint32_t>(payload / 65536.0) + 1;

  const auto result = run(torus,
                          {.size = Bytes(payload), .group = {}, .weights = {}},
                          {.algorithm = "hierarchical", .chunks = chunks});

  // Per byte of payload: 2(L-1)/L in the first dimension, 2(V-1)/(V L) and 2(H-1)/(H L) in the
  // others; with many chunks the slowest dimension sets the time.
  const double local = 2.0 * (l - 1) / l;
  const double vertical = 2.0 * (v - 1) / (v * l);
  const double horizontal = 2.0 * (h - 1) / (h * l);
  const double sent = local + vertical + horizontal;
  const double seconds = payload * std::max({local / 400e9, vertical / 50e9, horizontal / 50e9});
  EXPECT_NEAR(result.sent_per_device.si() / payload, sent, 1e-9);
  EXPECT_NEAR(result.time.si() / seconds, 1.0, 0.01);
  EXPECT_NEAR(result.driven_bandwidth.si() / (sent * payload / seconds), 1.0, 0.01);

  EXPECT_NEAR(sent / sent_row, 1.0, 0.001);
  EXPECT_NEAR(result.time.si() * 1e3 / time_row, 1.0, 0.01);
  EXPECT_NEAR(result.driven_bandwidth.si() * 1e-9 / driven_row, 1.0, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Table,
                         AceTorus,
                         testing::Values(Row{4, 2, 2, 2.000, 5.00, 400},
                                         Row{4, 4, 2, 2.125, 7.50, 283},
                                         Row{4, 4, 4, 2.250, 7.50, 300},
                                         Row{4, 8, 4, 2.3125, 8.75, 264}),
                         [](const auto& row) {
                           return std::to_string(row.param.l) + "x" + std::to_string(row.param.v) +
                                  "x" + std::to_string(row.param.h);
                         });

}  // namespace
}  // namespace cairn
