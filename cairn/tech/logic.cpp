#include "cairn/tech/logic.hpp"

namespace cairn::tech {

const Schema<ComputeUnit>& schema_of(const ComputeUnit*) {
  static const auto kSchema =
      Schema<ComputeUnit>("compute unit", "smallest compute component of a chip")
          .optional("description", &ComputeUnit::description, "one line")
          .required("source", &ComputeUnit::source, "where its figures are from", "a data sheet")
          .required("node", &ComputeUnit::node, "technology node", "12 nm")
          .positive()
          .required("area", &ComputeUnit::area, "area of one unit", "0.38 mm2")
          .positive()
          .required("power", &ComputeUnit::power, "at nominal voltage and frequency", "130 mW")
          .positive()
          .required("work_per_cycle",
                    &ComputeUnit::work_per_cycle,
                    "operations per cycle of one unit",
                    "128 flop")
          .positive()
          .optional("precision", &ComputeUnit::precision, "precision of these operations")
          .required("frequency", &ComputeUnit::frequency, "clock at nominal voltage", "1.33 GHz")
          .positive()
          .required("voltage", &ComputeUnit::voltage, "operating voltages", "{nominal: 0.8 V, ...}")
          .optional("rows", &ComputeUnit::rows, "rows of a systolic array")
          .at_least(1)
          .optional("columns", &ComputeUnit::columns, "columns of a systolic array")
          .at_least(1)
          .optional("utilization", &ComputeUnit::utilization, "maximum part of the peak throughput")
          .positive()
          .at_most(1)
          .optional("cost_per_area", &ComputeUnit::cost_per_area, "silicon price at this node")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
