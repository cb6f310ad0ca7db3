// The costs of all kernels of a training step.
#pragma once

#include <vector>

#include "cairn/kernel/cache.hpp"
#include "cairn/model/training.hpp"

namespace cairn::kernel {

// Who runs a step's kernels.
struct Kernels {
  Cache& foreground;
  Cache& background;   // those beside the others, on what of the device these have
  double scale = 1.0;  // what each takes of what the device's model says: time, work and traffic
};

// By operator of `graph`, which one device runs in this order. Tensors that are still in the
// device's outermost level are not read again.
std::vector<Cost> costs_of(const model::Graph& graph,
                           chip::Precision precision,
                           model::Optimizer optimizer,
                           const Kernels& kernels);

}  // namespace cairn::kernel
