#include "cairn/tech/logic.hpp"

namespace cairn::tech {

const Schema<ComputeUnit>& schema_of(const ComputeUnit*) {
  static const auto kSchema =
      Schema<ComputeUnit>("compute unit", "the smallest that a chip is composed of")
          .optional("description", &ComputeUnit::description, "one line")
          .required("source", &ComputeUnit::source, "where its figures are from", "a data sheet")
          .required("node", &ComputeUnit::node, "technology node", "12 nm")
          .positive()
          .required("area", &ComputeUnit::area, "of one unit", "0.38 mm2")
          .positive()
          .required("power", &ComputeUnit::power, "at nominal voltage and frequency", "130 mW")
          .positive()
          .required("work_per_cycle", &ComputeUnit::work_per_cycle, "of one unit", "128 flop")
          .positive()
          .optional("precision", &ComputeUnit::precision, "of the operations that are counted")
          .required("frequency", &ComputeUnit::frequency, "at nominal voltage", "1.33 GHz")
          .positive()
          .required("voltage", &ComputeUnit::voltage, "it works at", "{nominal: 0.8 V, ...}")
          .optional("rows", &ComputeUnit::rows, "of a systolic array")
          .at_least(1)
          .optional("columns", &ComputeUnit::columns, "of a systolic array")
          .at_least(1)
          .optional("utilization", &ComputeUnit::utilization, "the most of it that does work")
          .positive()
          .at_most(1)
          .optional("cost_per_area", &ComputeUnit::cost_per_area, "of silicon at this node")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
