// Random transformer language models for property tests. Small: hidden size 64, 4 heads.
#pragma once

#include <rapidcheck.h>

#include "cairn/model/networks/gpt.hpp"

namespace cairn::model {

template <class E>
E any_of() {
  const auto& names = EnumNames<E>::kNames;
  return names[*rc::gen::inRange<std::size_t>(0, names.size())].value;
}

inline Gpt any_gpt() {
  const auto flag = [] { return *rc::gen::arbitrary<bool>(); };
  return {.layers = 2,
          .hidden = 64,
          .heads = 4,
          .vocab = 100,
          .seq = 8,
          .tied = flag(),
          .mlp = any_of<Mlp>(),
          .norm = any_of<Norm>(),
          .positions = any_of<Positions>(),
          .kv_heads = *rc::gen::element(0U, 2U),
          .bias = flag(),
          .head_dim = *rc::gen::element(0.0, 24.0),
          .norm_bias = flag(),
          .qk_norm = flag(),
          .embedding_norm = flag(),
          .block = any_of<Block>(),
          .window = *rc::gen::element(0U, 3U),
          .window_layers = {Reach::kSliding, Reach::kFull},
          .vocab_multiple = *rc::gen::element(1.0, 32.0),
          .max_seq = *rc::gen::element(0U, 16U)};
}

}  // namespace cairn::model
