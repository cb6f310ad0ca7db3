#include "cairn/plan/strategy.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cairn/base/failure.hpp"

namespace cairn::plan {

namespace {

// Whether a strategy's parallelism is one of these.
template <Parallelism... kThese>
bool is_any_of(const Strategy& strategy) {
  return ((strategy.parallelism == kThese) || ...);
}

}  // namespace

const Schema<Strategy>& schema_of(const Strategy*) {
  using enum Parallelism;
  static const auto kSchema =
      Schema<Strategy>("strategy", "how training is spread over devices")
          .optional(
              "parallelism",
              &Strategy::parallelism,
              "what each device has its share of; or \"spread: RC-4-2-d3-p2\" for this and the "
              "next four")
          .optional("k1", &Strategy::kernel1, "shards of a kernel (0: 1; by model: what is left)")
          .optional("k2", &Strategy::kernel2, "row_column: shards of its columns (0: 1)")
          .optional("data", &Strategy::data, "replicas of the model (0: what is left)")
          .optional("stages", &Strategy::stages, "of the pipeline")
          .at_least(1)
          .optional("micro_batches", &Strategy::micro_batches, "that go through it one by one")
          .at_least(1)
          .at_most(kMostMicroBatches)
          .optional("pipeline", &Strategy::pipeline, "the order in which a stage works on them")
          .used_if([](const Strategy& strategy) { return strategy.micro_batches > 1; },
                   "micro_batches above 1")
          .optional("cuts",
                    &Strategy::cuts,
                    "the first layer of each stage but the first (none: equal work)")
          .optional("cut_at",
                    &Strategy::cut_at,
                    "where stages may begin without `cuts`: at block borders, or at any layer")
          .used_if([](const Strategy& strategy) { return strategy.cuts.empty(); }, "no cuts")
          .optional("send_gradients",
                    &Strategy::send_gradients,
                    "when a stage sends its data gradient on: at the end of its backward pass, or "
                    "as soon as it is made")
          .optional("order",
                    &Strategy::order,
                    "axes, those first whose shards become neighbours (none: the best order)")
          .optional("placement", &Strategy::placement, "the device of each shard, instead")
          .optional("resharding", &Strategy::resharding, "how rows of a tensor become columns")
          .used_if(is_any_of<kRowColumn, kOneWeirdTrick, kHybrid>,
                   "parallelism: row_column, one_weird_trick or hybrid")
          .optional("inner_gradient",
                    &Strategy::inner_gradient,
                    "a shard computes its rows of a weight gradient, or all of it from its part of "
                    "the samples")
          .used_if(is_any_of<kColumnRow, kTensor>, "parallelism: column_row or tensor")
          .optional("weight_copies",
                    &Strategy::weight_copies,
                    "a weight in another layout is kept, or made again for each use")
          .used_if(is_any_of<kRowColumn>, "parallelism: row_column")
          .optional("accumulation",
                    &Strategy::accumulation,
                    "what adding to a weight gradient moves: the sum so far, or not; or it takes a "
                    "kernel of its own")
          .optional("batch", &Strategy::batch, "samples of a step")
          .whole()
          .at_least(1)
          .at_most(kMostSamples)
          .optional("batch_per", &Strategy::batch_per, "of each device, or of all together")
          .optional("precision", &Strategy::precision, "of weights, feature maps and gradients")
          .optional("devices", &Strategy::devices, "the first so many of the platform (0: all)")
          .optional("bucket", &Strategy::bucket, "weight gradients are summed in pieces of so much")
          .not_negative()
          .optional("recurrent_sync",
                    &Strategy::recurrent_sync,
                    "when the weight gradient of a recurrent layer is summed")
          .optional(
              "gradient_sync",
              &Strategy::gradient_sync,
              "how sums of weight gradients over devices run: beside kernels, or after the last "
              "backward pass while kernels wait; or each as if it had all links for itself")
          .optional("model_parallel_input",
                    &Strategy::model_parallel_input,
                    "what of a layer's input is kept for its weight gradient")
          .used_if(is_any_of<kModel, kOneWeirdTrick>, "parallelism: model or one_weird_trick")
          .optional("partial_sum",
                    &Strategy::partial_sum,
                    "how partial sums of dX become a device's channels")
          .used_if(is_any_of<kModel, kOneWeirdTrick>, "parallelism: model or one_weird_trick")
          .optional("sequence_parallel",
                    &Strategy::sequence_parallel,
                    "tensor: norms, dropout and shortcuts are spread over steps of the sequence")
          .optional("zero",
                    &Strategy::zero,
                    "1: each replica updates its part of the weights, and keeps states of it only")
          .at_most(1);
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
    case Parallelism::kHybrid:
      return "tables by model, all else by data (Naumov et al. 2019)";
    case Parallelism::kRowColumn:
      return "of each GEMM, k1 shards of the rows of its result by k2 of the columns";
    case Parallelism::kColumnRow:
      return "of each GEMM, k1 shards of the sum, added up";
    case Parallelism::kTensor:
      return "of two layers, the first's output channels and the second's terms (Shoeybi et al. "
             "2019)";
  }
  throw Bug("a parallelism without a description");
}

namespace {

// Over how many the samples of a step are spread.
double replicas_on(const Mesh& mesh, const Strategy& strategy) {
  const bool also_by_samples = strategy.parallelism == Parallelism::kOneWeirdTrick ||
                               strategy.parallelism == Parallelism::kHybrid;
  return static_cast<double>(mesh.size(Axis::kData)) *
         (also_by_samples ? mesh.size(Axis::kKernel1) : 1);
}

// Samples of all devices.
double batch_on(const Mesh& mesh, const Strategy& strategy) {
  return strategy.batch_per == BatchPer::kAll ? strategy.batch
                                              : strategy.batch * replicas_on(mesh, strategy);
}

// The whole numbers below and above `parts` that divide `samples`: "32 or 64".
std::string nearest_divisors(double samples, std::uint32_t parts) {
  const auto divides = [&](std::uint32_t part) { return std::fmod(samples, part) == 0.0; };
  std::uint32_t fewer = parts - 1;
  while (!divides(fewer)) {
    --fewer;
  }
  std::uint32_t more = parts + 1;
  while (more <= kMostMicroBatches && !divides(more)) {
    ++more;
  }
  return more <= kMostMicroBatches ? fmt::format("{} or {}", fewer, more)
                                   : fmt::format("{}", fewer);
}

}  // namespace

Feasible<Mesh> make_mesh(const Strategy& strategy, std::uint32_t devices) {
  const auto given = [](std::uint32_t size) { return size == 0 ? 1 : size; };
  const bool by_model = strategy.parallelism == Parallelism::kModel ||
                        strategy.parallelism == Parallelism::kOneWeirdTrick ||
                        strategy.parallelism == Parallelism::kHybrid;
  Mesh mesh{
      .sizes = {
          given(strategy.kernel1), given(strategy.kernel2), given(strategy.data), strategy.stages}};
  const bool open = by_model ? strategy.kernel1 == 0 : strategy.data == 0;
  std::uint32_t& rest =
      mesh.sizes[static_cast<std::size_t>(by_model ? Axis::kKernel1 : Axis::kData)];
  double shards = 1.0;  // may be more than a mesh can have
  for (const std::uint32_t size : mesh.sizes) {
    shards *= size;
  }
  if (open && std::fmod(devices, shards) == 0.0) {
    rest = static_cast<std::uint32_t>(devices / shards);
    shards = devices;
  }
  if (shards != devices) {
    return Infeasible{Lack::kStrategy,
                      fmt::format("{} is not for {} devices{}",
                                  notation(strategy, mesh),
                                  devices,
                                  open ? ", nor for a part of them" : "")};
  }
  if (strategy.kernel2 > 1 && strategy.parallelism != Parallelism::kRowColumn) {
    return Infeasible{Lack::kStrategy, "only row_column has shards of columns beside those of k1"};
  }
  if (strategy.kernel1 > 1 && strategy.parallelism == Parallelism::kData) {
    return Infeasible{Lack::kStrategy, "by data, there are no shards of a kernel (k1)"};
  }
  if (strategy.sequence_parallel && strategy.parallelism != Parallelism::kTensor) {
    return Infeasible{Lack::kStrategy,
                      "only tensor has norms to spread over steps of the sequence"};
  }
  return mesh;
}

std::optional<Infeasible> check_batch(const Strategy& strategy, const Mesh& mesh) {
  const double samples = batch_on(mesh, strategy);
  const double replicas = replicas_on(mesh, strategy);
  if (std::fmod(samples, replicas) != 0.0) {
    const double fewer = std::floor(samples / replicas) * replicas;
    return Infeasible{Lack::kBatch,
                      fmt::format("{} samples do not divide over {} replicas (use {}{})",
                                  samples,
                                  replicas,
                                  fewer > 0.0 ? fmt::format("{} or ", fewer) : "",
                                  fewer + replicas)};
  }
  const double of_replica = samples / replicas;
  if (std::fmod(of_replica, strategy.micro_batches) != 0.0) {
    return Infeasible{Lack::kMicroBatches,
                      fmt::format("{} samples{} do not divide into {} micro-batches (use {})",
                                  of_replica,
                                  replicas > 1.0 ? " of each replica" : "",
                                  strategy.micro_batches,
                                  nearest_divisors(of_replica, strategy.micro_batches))};
  }
  return std::nullopt;
}

double total_batch(const Strategy& strategy, std::uint32_t devices) {
  const auto mesh = make_mesh(strategy, devices);
  return mesh ? batch_on(*mesh, strategy) : strategy.batch;
}

double micro_batch(const Strategy& strategy, std::uint32_t devices) {
  return std::ceil(total_batch(strategy, devices) / strategy.micro_batches);
}

}  // namespace cairn::plan
