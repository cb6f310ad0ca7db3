// Kernels that run one after the other, as measured alone.
#pragma once

#include <string>

#include "cairn/model/graph.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

struct Kernels {
  Seconds time{0.0};
  std::string bound_by{};  // of the longest

  void add(const kernel::Cost& cost);

 private:
  Seconds longest_{0.0};
};

// Of the operators of a pass; `warm` if the same was done just before.
Kernels kernels_of(const model::Graph& graph,
                   model::Pass pass,
                   chip::Precision precision,
                   bool warm,
                   Subject& subject);

// Of the gradients for data and for weights together.
Kernels backward_kernels(const model::Graph& graph,
                         chip::Precision precision,
                         bool warm,
                         Subject& subject);

}  // namespace cairn::validate
