// Training steps of Llama-2 7B on four A100 of 80 GB, published with RAPID-LLM (Karfakis et al.,
// University of California): sequences of 4,096 tokens, 128 per step.
#include <fmt/format.h>

#include "cairn/validate/gpt_run.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/llama_run.hpp"

namespace cairn::validate {

void predict_llama2(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr std::uint32_t kSamples = 128;
  const std::string name = fmt::format("{}, tensor {}, stages {}, contexts {}, data {}",
                                       row.text("variant"),
                                       row.text("tp"),
                                       row.text("pp"),
                                       row.text("cp"),
                                       row.text("dp"));
  const auto skip = [&](const std::string& why) {
    comparison.skipped.push_back({name, row.line(), why});
  };
  if (row.text("status") != "SUCCESS") {
    return skip("the run failed: " + row.text("status"));
  }
  if (row.text("cp") != "1") {
    return skip("context parallelism is not modelled");
  }
  if (row.text("variant") != "DDP") {
    return skip("weights sharded across replicas (FSDP) are not modelled");
  }
  // As in data/models/llama-2-7b.yaml.
  LlamaRun run{.layers = 32,
               .hidden = 4096,
               .intermediate = 11008,
               .heads = 32,
               .kv_heads = 32,
               .vocab = 32000,
               .seq = 4096,
               .tensor = row.count("tp"),
               .data = row.count("dp"),
               .stages = row.count("pp"),
               .batch = kSamples};
  if (kSamples % run.data != 0) {
    row.reject("dp", fmt::format("does not divide {} samples", kSamples));
  }
  run.micro_batches = kSamples / run.data;  // one sample each, which is what fits
  compare_run(llama_design(run, subject),
              {.name = name,
               .group = run.tensor > 1 ? "tensor shards" : "replicas and stages",
               .shape = name,
               .line = row.line(),
               .measured = Seconds(row.positive("measured_step_s"))},
              subject,
              comparison);
}

}  // namespace cairn::validate
