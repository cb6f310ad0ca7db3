// Training steps of large GPTs that NVIDIA published: Narayanan et al., Efficient Large-Scale
// Language Model Training on GPU Clusters, 2021, and Korthikanti et al., Reducing Activation
// Recomputation in Large Transformer Models, 2022.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cairn/validate/gpt_run.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

struct Size {
  std::string_view name{};
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
};

// Table 1 of the first paper, table 3 of the second.
constexpr std::array kSizes{Size{"GPT 22B", 48, 6144, 64},
                            Size{"GPT 175B", 96, 12288, 96},
                            Size{"GPT 310B", 96, 16384, 128},
                            Size{"GPT 530B", 105, 20480, 128},
                            Size{"GPT 1T", 128, 25600, 160}};
constexpr std::uint32_t kVocabulary = 51200;
constexpr std::uint32_t kSequence = 2048;

}  // namespace

void predict_published_gpt(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const auto number = [&](const char* column) { return row.count(column); };
  const auto size = std::ranges::find(kSizes, row.text("model"), &Size::name);
  if (size == kSizes.end()) {
    row.reject("model", "is unknown (expected GPT 22B, GPT 175B, GPT 310B, GPT 530B or GPT 1T)");
  }
  GptRun run{.layers = size->layers,
             .hidden = size->hidden,
             .heads = size->heads,
             .vocab = kVocabulary,
             .seq = kSequence,
             .tensor = number("tp"),
             .data = number("dp"),
             .stages = number("pp"),
             .batch = number("global_batch"),
             .micro_batches = number("microbatches")};
  const std::uint64_t together = std::uint64_t{run.data} * run.micro_batches;
  if (run.batch % together != 0) {
    row.reject("global_batch", fmt::format("is not a multiple of {} micro-batches", together));
  }
  if (run.micro_batches > kMaxMicroBatches) {
    row.reject("microbatches", fmt::format("is more than {} micro-batches", kMaxMicroBatches));
  }
  if (run.layers % run.stages != 0) {
    row.reject("pp", fmt::format("does not divide {} layers", run.layers));
  }
  if (run.heads % run.tensor != 0) {
    row.reject("tp", fmt::format("does not divide {} heads", run.heads));
  }
  const ComparedRow measured{.name = fmt::format("{}, {}, {} recomputation",
                                                 row.text("device"),
                                                 row.text("model"),
                                                 row.text("recomputation")),
                             .group = row.text("device"),
                             .shape = row.text("model"),
                             .line = row.line(),
                             .measured = Seconds(row.positive("measured_s_per_batch"))};
  const auto skip = [&](const char* why) {
    comparison.skipped.push_back({measured.name, measured.line, why});
  };
  if (row.text("seq_parallel") != "False" && row.text("seq_parallel") != "True") {
    row.reject("seq_parallel", "is unknown (expected True or False)");
  }
  if (row.text("recomputation") != "full" && row.text("recomputation") != "selective") {
    row.reject("recomputation", "is unknown (expected full or selective)");
  }
  run.sequence_parallel = row.text("seq_parallel") == "True";
  run.selective = row.text("recomputation") == "selective";
  if (row.text("cp") != "1") {
    return skip("context parallelism is not modelled");
  }
  compare_run(gpt_design(run, subject), measured, subject, comparison);
}

}  // namespace cairn::validate
