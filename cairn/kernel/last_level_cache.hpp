// Which tensors of a step are still cached in the device's outermost level when an operator reads
// them.
#pragma once

#include <cstddef>
#include <vector>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::kernel {

// Bytes that the outermost level retains across kernels; 0 if it is not shared by all cores.
Bytes retained_capacity(const chip::Device& device);

// The work, repeated on the same operands: they are cached if all of them are retained.
Work repeated(Work work, const chip::Device& device);

// LRU replacement of whole tensors, for operators that run one after the other.
class LastLevelCache {
 public:
  LastLevelCache(const model::Graph& graph, const chip::Device& device, Bytes element);

  // Cached bytes of its inputs; then its inputs and outputs are the most recently used.
  Bytes use(const model::Operator& op);

 private:
  struct Entry {
    std::size_t storage = 0;
    Bytes bytes{};
  };

  Bytes found(std::size_t storage) const;
  void touch(std::size_t storage, Bytes bytes);

  const model::Graph& graph_;
  Bytes capacity_;
  Bytes element_;
  std::vector<Entry> recent_{};  // most recently used last
};

}  // namespace cairn::kernel
