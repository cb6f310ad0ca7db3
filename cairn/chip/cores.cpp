#include "cairn/chip/cores.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::chip {

MatrixRates::Member MatrixRates::member_of(Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return &MatrixRates::fp64;
    case Precision::kFp32:
      return &MatrixRates::fp32;
    case Precision::kTf32:
      return &MatrixRates::tf32;
    case Precision::kFp16:
      return &MatrixRates::fp16;
    case Precision::kBf16:
      return &MatrixRates::bf16;
    case Precision::kFp8:
      return &MatrixRates::fp8;
    case Precision::kInt8:
      return &MatrixRates::int8;
  }
  throw Bug("a precision without a rate");
}

const Schema<MatrixRates>& schema_of(const MatrixRates*) {
  static const auto kSchema =
      Schema<MatrixRates>("matrix", "matrix throughput of one core per cycle, by precision")
          .optional("fp64", &MatrixRates::fp64, "absent: not supported")
          .positive()
          .optional("fp32", &MatrixRates::fp32, "absent: not supported")
          .positive()
          .optional("tf32", &MatrixRates::tf32, "absent: not supported; stored as fp32")
          .positive()
          .optional("fp16", &MatrixRates::fp16, "absent: not supported")
          .positive()
          .optional("bf16", &MatrixRates::bf16, "absent: not supported")
          .positive()
          .optional("fp8", &MatrixRates::fp8, "absent: not supported")
          .positive()
          .optional("int8", &MatrixRates::int8, "absent: not supported")
          .positive();
  return kSchema;
}

const Schema<Cores>& schema_of(const Cores*) {
  static const auto kSchema =
      Schema<Cores>("cores", "compute cores")
          .required("count", &Cores::count, "number of cores (SMs, processing elements)", "108")
          .whole()
          .at_least(1)
          .required("frequency", &Cores::frequency, "clock of the cores", "1410 MHz")
          .positive()
          .required("matrix",
                    &Cores::matrix,
                    "matrix throughput of one core per cycle, by precision",
                    "{fp16: 2048 flop}")
          .required(
              "vector", &Cores::vector, "element-wise operations of one core per cycle", "64 flop")
          .positive()
          .optional("units",
                    &Cores::units,
                    "matrix units per core; without units, rows and columns: one, as wide as deep")
          .whole()
          .at_least(1)
          .optional("rows", &Cores::rows, "output rows that a unit processes at a time")
          .whole()
          .at_least(1)
          .optional("columns", &Cores::columns, "output columns that a unit processes at a time")
          .whole()
          .at_least(1)
          .optional("dataflow", &Cores::dataflow, "stationary operand of a unit")
          .optional("utilization",
                    &Cores::utilization,
                    "maximum fraction of the throughput that kernels reach")
          .positive()
          .at_most(1)
          .optional("sustained",
                    &Cores::sustained,
                    "fraction of the throughput above which the power limit lowers the clock")
          .positive()
          .at_most(1)
          .optional("groups", &Cores::groups, "groups of cores (GPCs); a cluster of tiles fits one")
          .whole()
          .at_least(1)
          .optional("in_flight",
                    &Cores::in_flight,
                    "maximum bytes per core in flight to main memory (none: unlimited)")
          .positive()
          .optional("fixed_utilization",
                    &Cores::fixed_utilization,
                    "fixed fraction of the matrix throughput, instead of mapping shapes onto units")
          .positive()
          .at_most(1);
  return kSchema;
}

}  // namespace cairn::chip
