#include "cairn/chip/calibration.hpp"

namespace cairn::chip {

const Schema<CalibratedParameter>& schema_of(const CalibratedParameter*) {
  using P = CalibratedParameter;
  static const auto kSchema =
      Schema<P>("parameter", "a figure that was fitted")
          .required("key", &P::key, "of the device", "memory.utilization")
          .required("value", &P::value, "as written there", "0.9")
          .optional("spread", &P::spread, "relative: one standard error of the fit")
          .not_negative()
          .optional("fitted", &P::fitted, "kinds of measurements that it was fitted on");
  return kSchema;
}

const Schema<CalibratedKind>& schema_of(const CalibratedKind*) {
  using K = CalibratedKind;
  static const auto kSchema = Schema<K>("kind", "measurements of a kind")
                                  .required("kind", &K::kind, "of measurements", "gemm")
                                  .optional("cases", &K::cases, "that were fitted on")
                                  .not_negative()
                                  .optional("error", &K::error, "mean of these")
                                  .not_negative()
                                  .optional("held_out", &K::held_out, "cases that were not")
                                  .not_negative()
                                  .optional("held_out_error", &K::held_out_error, "mean of these")
                                  .not_negative();
  return kSchema;
}

const Schema<Calibration>& schema_of(const Calibration*) {
  static const auto kSchema =
      Schema<Calibration>("calibration", "how figures were fitted to measurements")
          .required("on", &Calibration::on, "whose measurements", "NVIDIA H200")
          .optional("error", &Calibration::error, "mean, of kernels that were not fitted on")
          .not_negative()
          .optional("kinds", &Calibration::kinds, "errors by kind of measurement")
          .optional("parameters", &Calibration::parameters, "that were fitted")
          .optional("changed", &Calibration::changed, "keys of the device that were set since");
  return kSchema;
}

}  // namespace cairn::chip
