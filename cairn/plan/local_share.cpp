#include "cairn/plan/local_share.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cairn/base/must_have.hpp"
#include "cairn/plan/nearest_divisors.hpp"

namespace cairn::plan {

using model::Contraction;
using model::Operator;
using model::TensorKind;

Operator without_tensors(const Operator& op) {
  Operator mine = op;
  mine.inputs.clear();
  mine.outputs.clear();
  mine.saved.clear();
  mine.weight.reset();
  mine.bias.reset();
  mine.forward.reset();
  return mine;
}

void LocalShare::reject(std::string why) {
  if (!infeasible_) {
    infeasible_ = Infeasible{Lack::kStrategy, std::move(why)};
  }
}

void LocalShare::reject_too_few(const Operator& op,
                                double there,
                                const char* what,
                                std::uint32_t shards) {
  reject(fmt::format("{}: {} {} < {} shards", op.name, there, what, shards));
}

void LocalShare::check_heads(const Operator& op,
                             double heads,
                             const char* what,
                             std::uint32_t shards) {
  if (heads < shards) {
    reject(fmt::format("{}: {} {} < {} tensor shards", op.name, heads, what, shards));
  } else if (std::fmod(heads, shards) != 0.0) {
    reject(fmt::format("{}: {} {} do not divide into {} tensor shards (use {})",
                       op.name,
                       heads,
                       what,
                       shards,
                       nearest_divisors(heads, shards, static_cast<std::uint32_t>(heads))));
  }
}

Operator LocalShare::of(const Operator& op, Rule Rules::* pass, Side samples) {
  Operator mine = without_tensors(op);
  double share = 1.0;
  const auto take = [&](Side side, double& extent) {
    const std::uint32_t shards = rules_.cut(op, pass, side);
    const double there = side == samples ? global_.batch : extent;
    if (op.contraction && there < shards) {
      reject_too_few(op, there, side == samples ? "samples" : "channels", shards);
    }
    const double part = side == samples ? shards_.share_of_samples(shards) : 1.0 / shards;
    extent = side == samples ? extent * part : std::ceil(extent / shards);
    share *= part;
  };
  if (op.turns > 1.0 && rules_.cut(op, pass, Side::kM) < mesh_.shards_of_stage()) {
    reject(
        fmt::format("{} runs all steps in one kernel, which can only be split by samples "
                    "(use recurrent_kernels: by_step)",
                    op.name));
  }
  Contraction here = op.contraction.value_or(Contraction{});
  take(Side::kM, here.m);
  take(Side::kN, here.n);
  take(Side::kK, here.k);
  if (op.contraction) {
    mine.contraction = here;
  }
  mine.vector_ops *= share;
  return mine;
}

void LocalShare::take_tables(const Operator& op, const TensorLayout& table, Operator& mine) {
  if (!op.lookups) {
    return;
  }
  const std::uint32_t shards = mesh_.group_size(axes_with(table, Split::kColumns));
  if (op.lookups->tables < shards) {
    reject_too_few(op, op.lookups->tables, "tables", shards);
  }
  mine.lookups->tables = std::ceil(op.lookups->tables / shards);
  mine.vector_ops *= mine.lookups->tables * shards / op.lookups->tables;
  mine.lookups->pooled /= mesh_.group_size(axes_with(table, Split::kRows));
}

void LocalShare::take_gemms(const Operator& op, const TensorLayout& layout, Operator& mine) {
  Contraction& some = must_have(mine.contraction, "a matmul without a contraction");
  if (const std::uint32_t shards = mesh_.shards_of_stage(); some.count < shards) {
    reject_too_few(op, some.count, "GEMMs", shards);
  }
  const double heads = some.count / global_.batch;  // attention with stored scores; else 1
  if (heads > 1.0) {
    check_heads(op, heads, "heads", mesh_.group_size(axes_with(layout, Split::kColumns)));
  }
  some.count = std::ceil(some.count * shards_.share(TensorKind::kActivation, layout));
}

void LocalShare::take_heads(const Operator& op, const TensorLayout& layout, Operator& mine) {
  model::Attention& here = must_have(mine.attention, "attention without heads");
  const std::uint32_t by_samples = mesh_.group_size(axes_with(layout, Split::kRows));
  const std::uint32_t by_heads = mesh_.group_size(axes_with(layout, Split::kColumns));
  const double heads = here.key_heads.value_or(here.heads);
  if (here.samples < by_samples) {
    reject_too_few(op, here.samples, "samples", by_samples);
  }
  check_heads(op, heads, heads < here.heads ? "KV heads" : "heads", by_heads);
  here.samples *= shards_.share_of_samples(by_samples);
  here.heads /= by_heads;
  here.key_heads = heads / by_heads;
  mine.vector_ops = here.vector_ops();
}

}  // namespace cairn::plan
