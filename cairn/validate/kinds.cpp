#include "cairn/validate/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"

namespace cairn::validate {

namespace {

using Columns = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> kGemm{"dtype", "m", "n", "k", "time_us"};
constexpr std::array<std::string_view, 1> kCache{"cache"};
constexpr std::array<std::string_view, 11> kConvolution{
    "dtype", "N", "C", "H", "W", "K", "R", "stride", "pad", "fwd_us", "bwd_us"};

constexpr std::array<std::string_view, 4> kMemoryBound{
    "op", "mbytes_in", "time_us", "mbytes_moved"};

constexpr std::array<std::string_view, 7> kAttention{
    "batch", "heads", "seq", "dim", "causal", "fwd_us", "bwd_us"};
constexpr std::array<std::string_view, 7> kRecurrent{
    "kind", "dtype", "hidden", "batch", "steps", "fwd_us", "fwdbwd_us"};
constexpr std::array<std::string_view, 3> kHostcopy{"op", "kbytes", "time_us"};
constexpr std::array<std::string_view, 5> kTraining{
    "model", "config", "dtype", "memory", "iteration_ms"};
constexpr std::array<std::string_view, 3> kBesideTraining{"peak_gib", "params", "offloaded_gib"};

constexpr std::array<std::string_view, 4> kContention{"pair", "work_us", "side_us", "together_us"};

constexpr std::array<std::string_view, 8> kInterference{"work",
                                                        "stream_blocks",
                                                        "stream_kind",
                                                        "stream_alone_GBps",
                                                        "work_alone_us",
                                                        "stream_alone_us",
                                                        "work_together_us",
                                                        "stream_together_us"};

constexpr std::array<std::string_view, 5> kCollective{
    "op", "devices", "devices_per_node", "bytes", "time_us"};

// github.com/microsoft/vidur, data/profiling/network.
constexpr std::array<std::string_view, 5> kVidurAllReduce{
    "collective", "num_workers", "devices_per_node", "size", "time_stats.all_reduce.median"};
constexpr std::array<std::string_view, 6> kBesideVidurAllReduce{"time_stats.all_reduce.min",
                                                                "time_stats.all_reduce.max",
                                                                "time_stats.all_reduce.mean",
                                                                "time_stats.all_reduce.std",
                                                                "rank",
                                                                "max_devices_per_node"};
constexpr std::array<std::string_view, 5> kVidurSendReceive{
    "collective", "num_workers", "devices_per_node", "size", "time_stats.send_recv.median"};
constexpr std::array<std::string_view, 6> kBesideVidurSendReceive{"time_stats.send_recv.min",
                                                                  "time_stats.send_recv.max",
                                                                  "time_stats.send_recv.mean",
                                                                  "time_stats.send_recv.std",
                                                                  "rank",
                                                                  "max_devices_per_node"};
constexpr std::array<std::string_view, 11> kMegatron{"# GPUs",
                                                     "global batch",
                                                     "micro batch",
                                                     "hidden size",
                                                     "attention heads",
                                                     "# layers",
                                                     "sequence length",
                                                     "tensor parallelism",
                                                     "data parallelism",
                                                     "pipeline parallelism",
                                                     "iteration time (ms)"};
constexpr std::array<std::string_view, 11> kPublishedGpt{"device",
                                                         "model",
                                                         "global_batch",
                                                         "microbatches",
                                                         "dp",
                                                         "tp",
                                                         "pp",
                                                         "cp",
                                                         "seq_parallel",
                                                         "recomputation",
                                                         "measured_s_per_batch"};

constexpr std::array<std::string_view, 7> kLlama2{
    "variant", "tp", "pp", "cp", "dp", "status", "measured_step_s"};
constexpr std::array<std::string_view, 2> kBesideLlama2{"tokens_per_s", "tokens_per_s_per_gpu"};
constexpr std::array<std::string_view, 20> kNanotron{
    "job_id",     "seq_len",           "mbs",        "batch_accum",
    "gbs",        "tok_per_s_per_gpu", "dp",         "pp",
    "tp",         "hidden_size",       "interm_dim", "num_layers",
    "num_heads",  "num_kv_heads",      "vocab_size", "tie_word_embeddings",
    "zero_stage", "num_params",        "status",     "nodes"};
constexpr std::array<std::string_view, 11> kBesideNanotron{"mtflops",
                                                           "htflops",
                                                           "allreduce_gbs",
                                                           "allgather_gbs",
                                                           "reducescatter_gbs",
                                                           "ar_intra_node_gbs",
                                                           "ag_intra_node_gbs",
                                                           "rs_intra_node_gbs",
                                                           "mem_alloc_gb",
                                                           "mem_res_gb",
                                                           "after_pp_fix"};

constexpr std::array kKinds{
    Kind{.name = "gemm", .columns = kGemm, .optional = kCache, .predict = predict_gemm},
    Kind{.name = "memory_bound",
         .columns = kMemoryBound,
         .optional = kCache,
         .predict = predict_memory_bound},
    Kind{.name = "conv", .columns = kConvolution, .optional = {}, .predict = predict_convolution},
    Kind{.name = "attention",
         .columns = kAttention,
         .optional = {},
         .precision = chip::Precision::kBf16,
         .predict = predict_attention},
    Kind{.name = "recurrent", .columns = kRecurrent, .optional = {}, .predict = predict_recurrent},
    Kind{.name = "hostcopy", .columns = kHostcopy, .optional = {}, .predict = predict_hostcopy},
    Kind{.name = "contention",
         .columns = kContention,
         .optional = {},
         .fitted = false,
         .precision = chip::Precision::kBf16,
         .predict = predict_contention},
    Kind{.name = "interference",
         .columns = kInterference,
         .optional = {},
         .fitted = false,
         .predict = predict_interference},
    Kind{.name = "training",
         .columns = kTraining,
         .optional = kBesideTraining,
         .fitted = false,
         .predict = predict_training},
    Kind{.name = "collective",
         .columns = kCollective,
         .optional = {},
         .fitted = false,
         .subject = SubjectKind::kPlatform,
         .predict = predict_collective},
    Kind{.name = "vidur_all_reduce",
         .columns = kVidurAllReduce,
         .optional = kBesideVidurAllReduce,
         .fitted = false,
         .subject = SubjectKind::kPlatform,
         .predict = predict_vidur_collective},
    Kind{.name = "vidur_send_recv",
         .columns = kVidurSendReceive,
         .optional = kBesideVidurSendReceive,
         .fitted = false,
         .subject = SubjectKind::kPlatform,
         .predict = predict_vidur_collective},
    Kind{.name = "megatron",
         .columns = kMegatron,
         .optional = {},
         .fitted = false,
         .subject = SubjectKind::kSystem,
         .framework = "megatron-deepspeed",
         .predict = predict_megatron},
    Kind{.name = "published_gpt",
         .columns = kPublishedGpt,
         .optional = {},
         .fitted = false,
         .subject = SubjectKind::kSystem,
         .predict = predict_published_gpt},
    Kind{.name = "llama2",
         .columns = kLlama2,
         .optional = kBesideLlama2,
         .fitted = false,
         .subject = SubjectKind::kSystem,
         .precision = chip::Precision::kBf16,
         .predict = predict_llama2},
    Kind{.name = "nanotron",
         .columns = kNanotron,
         .optional = kBesideNanotron,
         .fitted = false,
         .subject = SubjectKind::kSystem,
         .precision = chip::Precision::kBf16,
         .framework = "nanotron",
         .predict = predict_nanotron},
};

bool among(Columns columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

// The number of required columns of the kind in the table.
std::size_t common(const Kind& kind, const MeasuredTable& table) {
  return static_cast<std::size_t>(std::ranges::count_if(
      kind.columns, [&](std::string_view column) { return table.has(column); }));
}

std::string comma_separated(Columns columns) {
  return fmt::format("{}", fmt::join(columns, ","));
}

// The reason, if the device does not support the row's precision.
std::optional<std::string> check_row_precision(const Kind& kind,
                                               const MeasuredRow& row,
                                               const Subject& subject) {
  if (kind.subject == SubjectKind::kPlatform) {
    return std::nullopt;
  }
  const auto precision =
      among(kind.columns, "dtype") ? std::optional(precision_of(row)) : kind.precision;
  const auto reason =
      precision ? chip::check_precision(subject.device(), *precision) : std::optional<Infeasible>{};
  return reason ? std::optional(reason->detail) : std::nullopt;
}

// Reports errors of the model that a row describes at the row.
void predict_at(const MeasuredRow& row,
                const Kind& kind,
                Subject& subject,
                Comparison& comparison) {
  const Where where{.file = comparison.file, .line = row.line(), .key = {}};
  try {
    kind.predict(row, subject, comparison);
  } catch (const model::ShapeError& error) {
    throw ConfigError(where, error.what());
  } catch (const ConfigError& error) {
    if (error.where().file == comparison.file) {
      throw;
    }
    throw ConfigError(where, std::string("cannot be run: ") + error.what());
  }
}

}  // namespace

std::span<const Kind> kinds() {
  return kKinds;
}

const Kind& kind_of(const MeasuredTable& table) {
  // The kind with the largest fraction of common columns.
  const Kind* nearest = std::ranges::max_element(kKinds, {}, [&](const Kind& kind) {
    const auto has = static_cast<double>(common(kind, table));
    return has / static_cast<double>(std::max(kind.columns.size(), table.columns().size()));
  });
  const auto complain = [&](std::string_view column, const std::string& problem) {
    throw ConfigError({.file = table.file(), .line = 1, .key = std::string(column)}, problem);
  };
  if (common(*nearest, table) == 0) {
    std::string known;
    for (const Kind& kind : kKinds) {
      known += (known.empty() ? "" : ", ") + std::string(kind.name);
    }
    complain("",
             fmt::format("matches no kind of measurements (expected the columns of {}; of {}: {})",
                         known,
                         kKinds.front().name,
                         comma_separated(kKinds.front().columns)));
  }
  for (const std::string_view column : nearest->columns) {
    if (!table.has(column)) {
      complain(column,
               fmt::format("is missing (expected for {}: {})",
                           nearest->name,
                           comma_separated(nearest->columns)));
    }
  }
  for (const std::string& column : table.columns()) {
    if (!column.empty() && !among(nearest->columns, column) && !among(nearest->optional, column)) {
      complain(
          column,
          fmt::format(
              "is not a column of {} (expected: {}{})",
              nearest->name,
              comma_separated(nearest->columns),
              nearest->optional.empty() ? "" : "[," + comma_separated(nearest->optional) + "]"));
    }
  }
  return *nearest;
}

Comparison compare(const MeasuredTable& table,
                   Subject& subject,
                   const std::function<void()>& on_done) {
  const Kind& kind = kind_of(table);
  ensure(kind.subject == subject.kind(), "the subject does not match the kind of measurements");
  Comparison comparison{.kind = std::string(kind.name),
                        .file = table.file(),
                        .subject = kind.subject == SubjectKind::kPlatform ? "platform" : "device",
                        .device = subject.name()};
  if (subject.device().calibration) {
    comparison.calibrated_on = subject.device().calibration->on;
    comparison.changed_since = subject.device().calibration->changed;
  }
  for (const MeasuredRow& row : table.rows()) {
    if (const auto reason = check_row_precision(kind, row, subject)) {
      comparison.skipped.push_back({std::string(kind.name), row.line(), *reason});
    } else {
      predict_at(row, kind, subject, comparison);
    }
    if (on_done) {
      on_done();
    }
  }
  return comparison;
}

}  // namespace cairn::validate
