// Kernels that run one after the other, without other work.
#pragma once

#include <string>

#include "cairn/model/graph.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

struct Kernels {
  Seconds time{0.0};
  std::string bound_by{};  // of the longest kernel

  void add(const kernel::Cost& cost);

 private:
  Seconds longest_{0.0};
};

// Kernels of the operators of a pass; `warm`: caches have the state after an earlier pass.
Kernels kernels_of(const model::Graph& graph,
                   model::Pass pass,
                   chip::Precision precision,
                   bool warm,
                   Subject& subject);

// Kernels of the data and weight gradients together.
Kernels backward_kernels(const model::Graph& graph,
                         chip::Precision precision,
                         bool warm,
                         Subject& subject);

}  // namespace cairn::validate
