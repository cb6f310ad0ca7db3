#include "cairn/model/training.hpp"

namespace cairn::model {

const Schema<Training>& schema_of(const Training*) {
  static const auto kSchema =
      Schema<Training>("training", "how the model is trained")
          .optional("optimizer", &Training::optimizer, "what weights are updated by")
          .optional("master_weights",
                    &Training::master_weights,
                    "they are kept in fp32 too, and updated there")
          .optional("updates",
                    &Training::updates,
                    "of several steps: at the end of each, or before the next uses the weight")
          .optional("fp32_gradients",
                    &Training::fp32_gradients,
                    "of weights: added up, and summed over devices, in fp32")
          .optional(
              "checkpoints",
              &Training::checkpoints,
              "what the backward pass makes again: nothing, each block from what it reads, or the "
              "stored scores of attention only (selective)")
          .optional("tables",
                    &Training::tables,
                    "sparse ones are looked up and updated in turn, or beside other kernels: for "
                    "the next step, and by the one before");
  return kSchema;
}

}  // namespace cairn::model
