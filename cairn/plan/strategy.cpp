#include "cairn/plan/strategy.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::plan {

const Schema<Strategy>& schema_of(const Strategy*) {
  static const auto kSchema =
      Schema<Strategy>("strategy", "how training is spread over devices")
          .optional("parallelism", &Strategy::parallelism, "what each device has its share of")
          .optional("batch", &Strategy::batch, "samples of a step")
          .whole()
          .at_least(1)
          .optional("batch_per", &Strategy::batch_per, "of each device, or of all together")
          .optional("precision", &Strategy::precision, "of weights, feature maps and gradients")
          .optional("devices", &Strategy::devices, "the first so many of the platform (0: all)")
          .optional("bucket", &Strategy::bucket, "weight gradients are summed in pieces of so much")
          .not_negative()
          .optional("recurrent_sync",
                    &Strategy::recurrent_sync,
                    "when the weight gradient of a recurrent layer is summed")
          .optional("gradient_sync",
                    &Strategy::gradient_sync,
                    "whether kernels wait for sums of weight gradients")
          .optional("model_parallel_input",
                    &Strategy::model_parallel_input,
                    "what of a layer's input is kept for its weight gradient")
          .optional("partial_sum",
                    &Strategy::partial_sum,
                    "how partial sums of dX become a device's channels");
  return kSchema;
}

std::string_view describe(Parallelism parallelism) {
  switch (parallelism) {
    case Parallelism::kData:
      return "every device has all weights and its own samples";
    case Parallelism::kModel:
      return "every device has all samples and its own output channels of each layer";
    case Parallelism::kOneWeirdTrick:
      return "convolutions by data, fully connected layers by model (Krizhevsky 2014)";
  }
  throw Bug("a parallelism without a description");
}

}  // namespace cairn::plan
