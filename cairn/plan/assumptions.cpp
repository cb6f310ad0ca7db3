#include "cairn/plan/assumptions.hpp"

namespace cairn::plan {

const Schema<Assumptions>& schema_of(const Assumptions*) {
  static const auto kSchema =
      Schema<Assumptions>("assumptions", "what papers leave unsaid about parallel training")
          .optional("resharding",
                    &Assumptions::resharding,
                    "how a tensor is resharded from samples to channels")
          .optional("inner_gradient",
                    &Assumptions::inner_gradient,
                    "weight gradient of a shard: its own rows, or all rows from its part of the "
                    "samples")
          .optional("weight_copies",
                    &Assumptions::weight_copies,
                    "resharded weights are kept, or resharded again for each use")
          .optional("recurrent_sync",
                    &Assumptions::recurrent_sync,
                    "when weight gradients of recurrent layers are reduced")
          .optional("model_parallel_input",
                    &Assumptions::model_parallel_input,
                    "part of a layer's input that is saved for its weight gradient")
          .optional("partial_sum",
                    &Assumptions::partial_sum,
                    "how partial sums of dX are reduced to a device's channels");
  return kSchema;
}

}  // namespace cairn::plan
