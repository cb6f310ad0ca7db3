#include "cairn/chip/calibration.hpp"

namespace cairn::chip {

const Schema<CalibratedParameter>& schema_of(const CalibratedParameter*) {
  using P = CalibratedParameter;
  static const auto kSchema =
      Schema<P>("parameter", "a fitted device parameter")
          .required("key", &P::key, "device key", "memory.utilization")
          .required("value", &P::value, "fitted value, as in the device file", "0.9")
          .optional("spread", &P::spread, "relative standard error of the fit")
          .not_negative()
          .optional("fitted", &P::fitted, "kinds of measurements it was fitted to");
  return kSchema;
}

const Schema<CalibratedKind>& schema_of(const CalibratedKind*) {
  using K = CalibratedKind;
  static const auto kSchema =
      Schema<K>("kind", "errors of one kind of measurement")
          .required("kind", &K::kind, "kind of measurement", "gemm")
          .optional("cases", &K::cases, "number of cases fitted")
          .not_negative()
          .optional("error", &K::error, "mean error of the fitted cases")
          .not_negative()
          .optional("held_out", &K::held_out, "number of held-out cases")
          .not_negative()
          .optional("held_out_error", &K::held_out_error, "mean error of the held-out cases")
          .not_negative();
  return kSchema;
}

const Schema<Calibration>& schema_of(const Calibration*) {
  static const auto kSchema =
      Schema<Calibration>("calibration", "how the device was fitted to measurements")
          .required("on", &Calibration::on, "source of the measurements", "NVIDIA H200")
          .optional("error", &Calibration::error, "mean error of held-out kernels")
          .not_negative()
          .optional("kinds", &Calibration::kinds, "errors by kind of measurement")
          .optional("parameters", &Calibration::parameters, "fitted parameters")
          .optional("changed", &Calibration::changed, "device keys changed since the calibration");
  return kSchema;
}

}  // namespace cairn::chip
