#include "cairn/plan/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/base/failure.hpp"
#include "cairn/plan/nearest_divisors.hpp"
#include "cairn/plan/pipeline.hpp"

namespace cairn::plan {

const Schema<Strategy>& schema_of(const Strategy*) {
  static const auto kSchema =
      Schema<Strategy>("strategy", "how training is parallelized across devices")
          .optional(
              "parallelism",
              &Strategy::parallelism,
              "how layers are partitioned; \"spread: RC-4-2-d3-p2\" sets this and the next four "
              "keys")
          .optional("tensor_rows",
                    &Strategy::tensor_rows,
                    "tensor-parallel size: shards of each GEMM (0: 1; model-parallel: the "
                    "remaining devices)")
          .optional("tensor_columns",
                    &Strategy::tensor_columns,
                    "row_column: shards of the columns of each GEMM (0: 1)")
          .optional("data",
                    &Strategy::data,
                    "data-parallel size: replicas of the model (0: the remaining devices)")
          .optional("stages", &Strategy::stages, "pipeline stages")
          .at_least(1)
          .optional("virtual_stages",
                    &Strategy::virtual_stages,
                    "virtual stages per pipeline stage; above 1, 1F1B is interleaved")
          .at_least(1)
          .at_most(kMaxVirtualStages)
          .used_if([](const Strategy& strategy) { return strategy.stages > 1; }, "stages above 1")
          .optional("micro_batches", &Strategy::micro_batches, "micro-batches per step")
          .at_least(1)
          .at_most(kMaxMicroBatches)
          .optional("pipeline", &Strategy::pipeline, "pipeline schedule: 1F1B or GPipe")
          .used_if([](const Strategy& strategy) { return strategy.micro_batches > 1; },
                   "micro_batches above 1")
          .optional("cuts",
                    &Strategy::cuts,
                    "first layer of each virtual stage but the first (empty: balanced by work)")
          .optional("cut_at",
                    &Strategy::cut_at,
                    "where stages may begin without `cuts`: at block boundaries, or at any layer")
          .used_if(
              [](const Strategy& strategy) { return strategy.stages > 1 && strategy.cuts.empty(); },
              "stages above 1 and no cuts")
          .optional("send_gradients",
                    &Strategy::send_gradients,
                    "when a stage sends its data gradient: at the end of its backward pass, or as "
                    "soon as it is computed")
          .used_if([](const Strategy& strategy) { return strategy.stages > 1; }, "stages above 1")
          .optional("order",
                    &Strategy::order,
                    "mesh axes from innermost to outermost on the platform (empty: the lowest "
                    "communication time)")
          .optional("placement", &Strategy::placement, "device of each shard, instead of order")
          .optional("accumulation",
                    &Strategy::accumulation,
                    "gradient accumulation reads and writes the sum, only writes, or runs in a "
                    "separate kernel")
          .optional("batch", &Strategy::batch, "batch size: samples per step")
          .whole()
          .at_least(1)
          .at_most(kMaxSamples)
          .optional(
              "batch_per", &Strategy::batch_per, "batch is per device, or of all devices together")
          .optional(
              "precision", &Strategy::precision, "data type of weights, activations and gradients")
          .optional("devices",
                    &Strategy::devices,
                    "number of devices, in rank order (0: all of the platform)")
          .optional(
              "bucket", &Strategy::bucket, "gradient bucket size: minimum bytes per all-reduce")
          .not_negative()
          .optional(
              "gradient_sync",
              &Strategy::gradient_sync,
              "gradient reduction: overlapped with kernels, blocking after the last backward pass, "
              "or contention-free, as if each had all links to itself")
          .optional("sequence_parallel",
                    &Strategy::sequence_parallel,
                    "sequence parallelism (with tensor): norms, dropout and residual connections "
                    "are split along the sequence")
          .optional("zero",
                    &Strategy::zero,
                    "ZeRO stage: 1 shards updates and optimizer states across replicas")
          .at_most(1);
  return kSchema;
}

std::string_view describe(Parallelism parallelism) {
  switch (parallelism) {
    case Parallelism::kData:
      return "data parallelism: every device has all weights and its own samples";
    case Parallelism::kModel:
      return "model parallelism: every device has all samples and its own output channels";
    case Parallelism::kOneWeirdTrick:
      return "convolutions data-parallel, fully connected layers model-parallel (Krizhevsky 2014)";
    case Parallelism::kHybrid:
      return "embedding tables model-parallel, all else data-parallel (Naumov et al. 2019)";
    case Parallelism::kRowColumn:
      return "result of each GEMM in shards of rows and of columns";
    case Parallelism::kColumnRow:
      return "inner dimension of each GEMM in shards, partial sums reduced";
    case Parallelism::kTensor:
      return "tensor parallelism: column-parallel, then row-parallel layers (Shoeybi et al. 2019)";
  }
  throw Bug("a parallelism without a description");
}

namespace {

// Devices that have samples of their own.
double replicas_on(const Mesh& mesh, const Strategy& strategy) {
  const bool also_by_samples = strategy.parallelism == Parallelism::kOneWeirdTrick ||
                               strategy.parallelism == Parallelism::kHybrid;
  return static_cast<double>(mesh.size(Axis::kData)) *
         (also_by_samples ? mesh.size(Axis::kTensor) : 1);
}

// Samples of a step, all devices together.
double batch_on(const Mesh& mesh, const Strategy& strategy) {
  return strategy.batch_per == BatchPer::kAll ? strategy.batch
                                              : strategy.batch * replicas_on(mesh, strategy);
}

}  // namespace

Feasible<Mesh> make_mesh(const Strategy& strategy, std::uint32_t devices) {
  const auto given = [](std::uint32_t size) { return size == 0 ? 1 : size; };
  const bool by_model = strategy.parallelism == Parallelism::kModel ||
                        strategy.parallelism == Parallelism::kOneWeirdTrick ||
                        strategy.parallelism == Parallelism::kHybrid;
  std::array axes{MeshAxis{Axis::kTensor, given(strategy.tensor_rows)},
                  MeshAxis{Axis::kTensorColumns, given(strategy.tensor_columns)},
                  MeshAxis{Axis::kData, given(strategy.data)},
                  MeshAxis{Axis::kPipeline, strategy.stages}};
  const bool open = by_model ? strategy.tensor_rows == 0 : strategy.data == 0;
  double shards = 1.0;  // may overflow an integer
  for (const MeshAxis& each : axes) {
    shards *= each.size;
  }
  if (open && std::fmod(devices, shards) == 0.0) {
    const Axis rest = by_model ? Axis::kTensor : Axis::kData;
    std::ranges::find(axes, rest, &MeshAxis::axis)->size =
        static_cast<std::uint32_t>(devices / shards);
    shards = devices;
  }
  const Mesh mesh(axes);
  if (shards != devices) {
    const std::string text = notation(strategy, mesh);
    return Infeasible{
        Lack::kStrategy,
        open ? fmt::format(
                   "{} needs a multiple of {} devices, the design has {}", text, shards, devices)
             : fmt::format("{} uses {} devices, the design has {}", text, shards, devices)};
  }
  if (strategy.tensor_columns > 1 && strategy.parallelism != Parallelism::kRowColumn) {
    return Infeasible{Lack::kTensorColumns,
                      fmt::format("{} needs parallelism: row_column", strategy.tensor_columns)};
  }
  if (strategy.tensor_rows > 1 && strategy.parallelism == Parallelism::kData) {
    return Infeasible{
        Lack::kTensorRows,
        fmt::format("{} needs a parallelism other than data (e.g. parallelism: tensor)",
                    strategy.tensor_rows)};
  }
  if (strategy.sequence_parallel && strategy.parallelism != Parallelism::kTensor) {
    return Infeasible{Lack::kSequenceParallel, "needs parallelism: tensor"};
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
    return Infeasible{
        Lack::kMicroBatches,
        fmt::format("{} samples{} do not divide into {} micro-batches (use {})",
                    of_replica,
                    replicas > 1.0 ? " of each replica" : "",
                    strategy.micro_batches,
                    nearest_divisors(of_replica, strategy.micro_batches, kMaxMicroBatches))};
  }
  if (!has_full_groups(pipeline_of(strategy), strategy.micro_batches)) {
    const std::uint32_t fewer = strategy.micro_batches - strategy.micro_batches % mesh.stages();
    return Infeasible{Lack::kMicroBatches,
                      fmt::format("{} are not a multiple of the {} stages of an interleaved "
                                  "pipeline (use {} or {})",
                                  strategy.micro_batches,
                                  mesh.stages(),
                                  fewer,
                                  fewer + mesh.stages())};
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
