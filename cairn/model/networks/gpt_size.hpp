// Parameters and flops of a transformer language model, from its description: without a batch,
// without a graph. The counts of its graph are the same (gpt_size_test.cpp).
#pragma once

#include <string>
#include <vector>

#include "cairn/model/networks/gpt.hpp"

namespace cairn::model {

// Layers of one kind. Flops are those of the model in a training step, per token: 6 per
// multiply-accumulate (forward, data gradient, weight gradient), without recomputation and without
// element-wise operations.
struct LayerSize {
  std::string kind{};       // "embedding", "block", "norm", "head"
  std::string part{};       // of a block: "attention"; empty: all of it
  double count = 1.0;       // layers of this kind
  double parameters = 0.0;  // of all of them
  double flops_per_token = 0.0;
  // As if every query attended to all keys: twice the scores of causal attention.
  double flops_per_token_not_causal = 0.0;
};

struct ModelSize {
  std::vector<LayerSize> layers{};

  [[nodiscard]] double parameters() const;

  // Those that compute for one token.
  [[nodiscard]] double active_parameters() const { return parameters(); }

  [[nodiscard]] double flops_per_token() const;
  [[nodiscard]] double flops_per_token_not_causal() const;
};

ModelSize size_of(const Gpt& gpt);

}  // namespace cairn::model
