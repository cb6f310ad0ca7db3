#include "cairn/model/training.hpp"

namespace cairn::model {

const Schema<Training>& schema_of(const Training*) {
  static const auto kSchema =
      Schema<Training>("training", "how the model is trained")
          .optional("optimizer",
                    &Training::optimizer,
                    "update rule of the weights (free: updates cost nothing)")
          .optional("master_weights",
                    &Training::master_weights,
                    "updates read and write an fp32 master copy of the weights")
          .optional("updates",
                    &Training::updates,
                    "when weights are updated: at the end of the step, or before the next step "
                    "uses them")
          .optional("fp32_gradients",
                    &Training::fp32_gradients,
                    "weight gradients are accumulated and all-reduced in fp32")
          .optional("checkpoints",
                    &Training::checkpoints,
                    "activation recomputation: none, whole blocks, or stored attention scores only "
                    "(selective)")
          .optional("tables",
                    &Training::tables,
                    "embedding tables are looked up and updated in sequence with other kernels, or "
                    "in the background, one step ahead and one behind");
  return kSchema;
}

}  // namespace cairn::model
