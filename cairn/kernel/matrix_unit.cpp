#include "cairn/kernel/matrix_unit.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/failure.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

using chip::Dataflow;

MatrixUnit::MatrixUnit(const chip::Device& device, chip::Precision precision)
    : dataflow_(device.cores.dataflow),
      units_(device.cores.units),
      rows_(device.cores.rows),
      columns_(device.cores.columns),
      depth_(device.macs_per_cycle_and_core(precision) / (units_ * rows_ * columns_)) {}

double MatrixUnit::cycles(double r, double c, double k) const {
  const auto of = [&](double down, double across, double through) {
    return parts(parts(down, rows_) * parts(across, columns_), units_) * parts(through, depth_);
  };
  switch (dataflow_) {
    case Dataflow::kNone:
    case Dataflow::kOutputStationary:
      return of(r, c, k);
    case Dataflow::kWeightStationary:
      return of(k, c, r);
    case Dataflow::kActivationStationary:
      return of(r, k, c);
    case Dataflow::kBest:
      return std::min({of(r, c, k), of(k, c, r), of(r, k, c)});
  }
  throw Bug("a dataflow without cycles");
}

double MatrixUnit::row_step() const {
  const double depth = std::max(1.0, std::floor(depth_));
  switch (dataflow_) {
    case Dataflow::kWeightStationary:
      return depth;
    case Dataflow::kBest:
      return std::min(rows_, depth);
    case Dataflow::kNone:
    case Dataflow::kOutputStationary:
    case Dataflow::kActivationStationary:
      break;
  }
  return rows_;
}

double MatrixUnit::column_step() const {
  const double depth = std::max(1.0, std::floor(depth_));
  switch (dataflow_) {
    case Dataflow::kActivationStationary:
      return depth;
    case Dataflow::kBest:
      return std::min(columns_, depth);
    case Dataflow::kNone:
    case Dataflow::kOutputStationary:
    case Dataflow::kWeightStationary:
      break;
  }
  return columns_;
}

double MatrixUnit::accesses_per_mac(double r, double c, double k) const {
  const double weight_reuse = parts(r, rows_);
  const double activation_reuse = parts(c, columns_);
  const double output_reuse = parts(k, std::max(1.0, depth_));
  double reuse = 1.0;
  switch (dataflow_) {
    case Dataflow::kNone:
      break;
    case Dataflow::kWeightStationary:
      reuse = weight_reuse;
      break;
    case Dataflow::kActivationStationary:
      reuse = activation_reuse;
      break;
    case Dataflow::kOutputStationary:
      reuse = output_reuse;
      break;
    case Dataflow::kBest:
      reuse = std::max({weight_reuse, activation_reuse, output_reuse});
      break;
  }
  return 1.0 / reuse + 1.0 / columns_ + 1.0 / rows_;
}

}  // namespace cairn::kernel
