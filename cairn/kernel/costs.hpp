// The costs of all kernels of a training step.
#pragma once

#include <vector>

#include "cairn/kernel/cache.hpp"
#include "cairn/model/training.hpp"

namespace cairn::kernel {

// Cost models of a step's kernels.
struct Kernels {
  Cache& foreground;
  Cache& background;   // for kernels that run concurrently, on their part of the device
  double scale = 1.0;  // factor on time, compute and traffic of each kernel
};

// By operator of `graph`, in execution order on one device. Tensors still cached in the device's
// outermost level are not read from main memory.
std::vector<Cost> costs_of(const model::Graph& graph,
                           chip::Precision precision,
                           model::Optimizer optimizer,
                           const Kernels& kernels);

}  // namespace cairn::kernel
