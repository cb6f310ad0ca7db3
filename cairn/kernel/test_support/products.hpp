// Products of matrices, as work.
#pragma once

#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

inline Work product(double m,
                    double n,
                    double k,
                    chip::Precision precision = chip::Precision::kFp16) {
  const double element = chip::element_bytes(precision).si();
  return {.contraction = model::Contraction{.m = m, .n = n, .k = k},
          .left = Bytes(m * k * element),
          .right = Bytes(k * n * element),
          .other = Bytes(m * n * element),
          .precision = precision};
}

}  // namespace cairn::kernel
