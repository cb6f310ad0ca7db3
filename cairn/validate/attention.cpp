// Fused scaled dot-product attention in bf16; forward and backward are measured separately.
#include <fmt/format.h>

#include <cmath>

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kernels.hpp"

namespace cairn::validate {

void predict_attention(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr double kForward = 2.0;  // GEMMs
  constexpr double kBackward = 5.0;
  const double length = row.whole("seq", 1);
  const double heads = row.whole("heads", 1);
  const double kv_heads = row.text("kv_heads").empty() ? heads : row.whole("kv_heads", 1);
  if (std::fmod(heads, kv_heads) != 0.0) {
    row.reject("kv_heads", fmt::format("does not divide {} attention heads", heads));
  }
  model::Attention attention{.samples = row.whole("batch", 1),
                             .heads = heads,
                             .key_heads = kv_heads,
                             .queries = length,
                             .keys = length,
                             .width = row.whole("dim", 1),
                             .causal = flag(row, "causal")};
  const std::string name = fmt::format("{} x {}{} heads of {} x {}{}",
                                       row.text("batch"),
                                       row.text("heads"),
                                       kv_heads < heads ? fmt::format(" ({} KV)", kv_heads) : "",
                                       row.text("seq"),
                                       row.text("dim"),
                                       attention.causal ? ", causal" : "");
  if (!row.text("window").empty() && row.whole("window", 0) > 0.0) {
    comparison.skipped.push_back({name, row.line(), "sliding windows are not modelled"});
    return;
  }
  if (choice(row, "code", {"eager", "compiled"}) == "compiled") {
    comparison.skipped.push_back({name, row.line(), "compiled attention is not modelled"});
    return;
  }
  const auto add = [&](const char* pass, const char* column, double gemms) {
    attention.products = gemms;
    kernel::Work work = kernel::work_of(attention, chip::Precision::kBf16);
    work = repeated(work, subject.device());
    const kernel::Cost& cost = subject.kernels.cost(work);
    comparison.cases.push_back(
        {.name = name + ", " + pass,
         .group = pass,
         .shape =
             fmt::format("{} x {} of {}", row.text("batch"), row.text("heads"), row.text("seq")),
         .line = row.line(),
         .measured = microseconds(row, column),
         .predicted = cost.time,
         .bound_by = to_text(cost.bound_by)});
  };
  add("forward", "fwd_us", kForward);
  add("backward", "bwd_us", kBackward);
}

}  // namespace cairn::validate
