// A small DLRM on four devices with model-parallel tables.
#pragma once

#include <cstdint>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::memory {

struct SmallDlrm {
  static constexpr double kTables = 12.0;
  static constexpr double kRows = 1000.0;
  static constexpr double kDim = 8.0;
  static constexpr double kPooled = 3.0;
  static constexpr double kBatch = 48.0;
  static constexpr double kDevices = 4.0;
};

inline plan::Plan dlrm_plan(const model::Training& training) {
  const model::Dlrm dlrm{.tables = SmallDlrm::kTables,
                         .rows = SmallDlrm::kRows,
                         .dim = SmallDlrm::kDim,
                         .lookups = SmallDlrm::kPooled,
                         .dense = 16,
                         .bottom = {32},
                         .top = {64}};
  const plan::Strategy strategy{.parallelism = plan::Parallelism::kHybrid};
  return *parallelize(with_backward_pass(build(dlrm, SmallDlrm::kBatch, {}), training),
                      strategy,
                      *make_mesh(strategy, static_cast<std::uint32_t>(SmallDlrm::kDevices)));
}

}  // namespace cairn::memory
