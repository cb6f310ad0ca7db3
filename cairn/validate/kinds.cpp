#include "cairn/validate/kinds.hpp"

#include <array>

namespace cairn::validate {

namespace {

constexpr std::array<std::string_view, 5> kGemm{"dtype", "m", "n", "k", "time_us"};
constexpr std::array<std::string_view, 4> kBesideGemm{
    "layout", "batch", "fast_accumulation", "cache"};
constexpr std::array<std::string_view, 1> kCache{"cache"};
constexpr std::array<std::string_view, 10> kConvolution{
    "dtype", "N", "C", "H", "W", "K", "R", "stride", "pad", "fwd_us"};
constexpr std::array<std::string_view, 4> kBesideConvolution{
    "format", "bwd_us", "dgrad_us", "wgrad_us"};

constexpr std::array<std::string_view, 4> kMemoryBound{
    "op", "mbytes_in", "time_us", "mbytes_moved"};
constexpr std::array<std::string_view, 4> kRows{"op", "width", "rows", "time_us"};
constexpr std::array<std::string_view, 2> kBesideRows{"table_rows", "cache"};

constexpr std::array<std::string_view, 7> kAttention{
    "batch", "heads", "seq", "dim", "causal", "fwd_us", "bwd_us"};
constexpr std::array<std::string_view, 3> kBesideAttention{"kv_heads", "window", "code"};
constexpr std::array<std::string_view, 7> kRecurrent{
    "kind", "dtype", "hidden", "batch", "steps", "fwd_us", "fwdbwd_us"};
constexpr std::array<std::string_view, 1> kBesideRecurrent{"launch"};
constexpr std::array<std::string_view, 3> kHostcopy{"op", "kbytes", "time_us"};
constexpr std::array<std::string_view, 5> kTraining{
    "model", "config", "dtype", "memory", "iteration_ms"};
constexpr std::array<std::string_view, 9> kBesideTraining{"weights",
                                                          "code",
                                                          "launch",
                                                          "peak_gib",
                                                          "reserved_gib",
                                                          "params",
                                                          "offloaded_gib",
                                                          "host_ms",
                                                          "launches"};

constexpr std::array<std::string_view, 5> kChain{"op", "code", "width", "rows", "time_us"};
constexpr std::array<std::string_view, 5> kOptimizer{
    "op", "dtype", "tensors", "elements", "time_us"};
constexpr std::array<std::string_view, 8> kGrouped{
    "dtype", "layout", "experts", "m", "n", "k", "skew", "time_us"};
constexpr std::array<std::string_view, 9> kIssue{
    "op", "pass", "code", "launch", "width", "ops", "launches", "host_us", "device_us"};
constexpr std::array<std::string_view, 6> kPower{
    "kind", "case", "time_us", "power_W", "memory_clock_MHz", "temperature_C"};

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
    Kind{.name = "gemm", .columns = kGemm, .optional = kBesideGemm, .predict = predict_gemm},
    Kind{.name = "memory_bound",
         .columns = kMemoryBound,
         .optional = kCache,
         .predict = predict_memory_bound},
    Kind{.name = "rows",
         .columns = kRows,
         .optional = kBesideRows,
         .precision = chip::Precision::kBf16,
         .predict = predict_rows},
    Kind{.name = "conv",
         .columns = kConvolution,
         .optional = kBesideConvolution,
         .predict = predict_convolution},
    Kind{.name = "attention",
         .columns = kAttention,
         .optional = kBesideAttention,
         .precision = chip::Precision::kBf16,
         .predict = predict_attention},
    Kind{.name = "recurrent",
         .columns = kRecurrent,
         .optional = kBesideRecurrent,
         .predict = predict_recurrent},
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
    Kind{.name = "chain",
         .columns = kChain,
         .optional = kCache,
         .fitted = false,
         .predict = skip_chain},
    Kind{.name = "optimizer",
         .columns = kOptimizer,
         .optional = {},
         .fitted = false,
         .predict = skip_optimizer},
    Kind{.name = "grouped",
         .columns = kGrouped,
         .optional = kCache,
         .fitted = false,
         .predict = skip_grouped},
    Kind{
        .name = "issue", .columns = kIssue, .optional = {}, .fitted = false, .predict = skip_issue},
    Kind{
        .name = "power", .columns = kPower, .optional = {}, .fitted = false, .predict = skip_power},
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

}  // namespace

std::span<const Kind> kinds() {
  return kKinds;
}

}  // namespace cairn::validate
