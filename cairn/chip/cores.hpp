// The compute cores of a device (SMs, processing elements): clock, matrix units, throughput by
// precision.
#pragma once

#include <optional>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/organization.hpp"
#include "cairn/chip/precision.hpp"

namespace cairn::chip {

// Throughput of the matrix units of one core per cycle, by precision; empty: not supported.
struct MatrixRates {
  std::optional<Flops> fp64{};
  std::optional<Flops> fp32{};
  std::optional<Flops> tf32{};
  std::optional<Flops> fp16{};
  std::optional<Flops> bf16{};
  std::optional<Flops> fp8{};
  std::optional<Flops> int8{};

  using Member = std::optional<Flops> MatrixRates::*;
  static Member member_of(Precision precision);

  [[nodiscard]] std::optional<Flops> of(Precision precision) const {
    return this->*member_of(precision);
  }

  bool operator==(const MatrixRates&) const = default;
};

const Schema<MatrixRates>& schema_of(const MatrixRates*);

struct Cores {
  double count = 1.0;
  Hertz frequency{1e9};
  double units = 1.0;    // matrix units per core
  double rows = 1.0;     // Nx of a unit: output rows processed at a time
  double columns = 1.0;  // Ny of a unit: output columns processed at a time
  MatrixRates matrix{};  // per core and cycle
  Flops vector{1.0};     // element-wise operations per core and cycle
  Dataflow dataflow = Dataflow::kBest;
  double utilization = 1.0;  // maximum fraction of the throughput that kernels reach
  // Fraction of the matrix throughput at full clock above which the power limit lowers the clock;
  // 1: never.
  double sustained = 1.0;
  double groups = 1.0;  // of cores (GPCs); a cluster of tiles runs within one group
  // Maximum bytes that the threads of a core have in flight to main memory; empty: unlimited.
  std::optional<Bytes> in_flight{};
  // Fixed fraction of the matrix throughput, instead of mapping shapes onto the units.
  std::optional<double> fixed_utilization{};

  bool operator==(const Cores&) const = default;
};

const Schema<Cores>& schema_of(const Cores*);

}  // namespace cairn::chip
