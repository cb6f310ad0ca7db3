// GEMMs as work.
#pragma once

#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

inline Work gemm(double m, double n, double k, chip::Precision precision = chip::Precision::kFp16) {
  return work_of(model::Contraction{.m = m, .n = n, .k = k}, precision);
}

}  // namespace cairn::kernel
