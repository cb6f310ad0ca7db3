// Training steps of Llamas on machines of eight H100, measured with nanotron by Hugging Face and
// published with The Ultra-Scale Playbook (Tazi et al. 2025). Its configuration
// (github.com/huggingface/nanotron, scripts/scaling_benchmarks.py) uses tensor and sequence
// parallelism, and weight gradients in fp32.
#include <fmt/format.h>

#include <cmath>

#include "cairn/model/networks/networks.hpp"
#include "cairn/validate/gpt_run.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/llama_run.hpp"

namespace cairn::validate {

namespace {

// The host time per kernel launch is fitted to runs of the smallest model
// (data/frameworks/nanotron.yaml); the others are held out.
constexpr std::string_view kFitted = "1.34";

// Whether the model has this many billions of parameters, to the three digits of the file.
bool has_parameters(const LlamaRun& run, double billions) {
  const double h = run.hidden;
  const double keys = h * run.kv_heads / run.heads;
  const double weights = run.layers * (2.0 * h * h + 2.0 * h * keys + 3.0 * h * run.intermediate) +
                         (run.tied ? 1.0 : 2.0) * run.vocab * h;
  return std::abs(weights / 1e9 - billions) < 0.005 * billions;
}

}  // namespace

void predict_nanotron(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const auto number = [&](const char* column) { return row.count(column); };
  const std::string name = fmt::format("job {}, {} B, tensor {}, data {}, stages {}, {} x {}",
                                       row.text("job_id"),
                                       row.text("num_params"),
                                       row.text("tp"),
                                       row.text("dp"),
                                       row.text("pp"),
                                       row.text("batch_accum"),
                                       row.text("mbs"));
  const auto skip = [&](const std::string& why) {
    comparison.skipped.push_back({name, row.line(), why});
  };
  if (row.text("status") != "Success") {
    return skip("the run failed: " + row.text("status"));
  }
  if (row.text("interm_dim").empty()) {
    return skip("the file has no layer widths");
  }
  LlamaRun run{.layers = number("num_layers"),
               .hidden = number("hidden_size"),
               .intermediate = number("interm_dim"),
               .heads = number("num_heads"),
               .kv_heads = number("num_kv_heads"),
               .vocab = number("vocab_size"),
               .seq = number("seq_len"),
               .tied = row.text("tie_word_embeddings") == "True",
               .tensor = number("tp"),
               .data = number("dp"),
               .stages = number("pp"),
               .batch = number("gbs"),
               .micro_batches = number("batch_accum"),
               .zero = row.count("zero_stage", 0),
               .sequence_parallel = true,
               .issue = subject.framework.issue};
  if (row.text("zero_stage") != "0" && row.text("zero_stage") != "1") {
    return skip("weights sharded across replicas are not modelled");
  }
  const std::uint64_t together = std::uint64_t{run.data} * run.micro_batches;
  if (run.batch % together != 0) {
    row.reject("gbs", fmt::format("is not a multiple of {} micro-batches", together));
  }
  if (run.micro_batches > kMaxMicroBatches) {
    row.reject("batch_accum", fmt::format("is more than {} micro-batches", kMaxMicroBatches));
  }
  const double devices = static_cast<double>(run.tensor) * run.data * run.stages;
  if (!has_parameters(run, row.positive("num_params"))) {
    return skip("the layers do not match the stated parameter count");
  }
  const double rate = row.positive("tok_per_s_per_gpu") * devices;
  compare_run(
      llama_design(run, subject),
      {.name = name,
       .group = fmt::format(
           "{} B{}", row.text("num_params"), row.text("num_params") == kFitted ? " (fitted)" : ""),
       .shape = row.text("num_params"),
       .line = row.line(),
       .measured = Seconds(static_cast<double>(run.batch) * run.seq / rate)},
      subject,
      comparison);
}

}  // namespace cairn::validate
