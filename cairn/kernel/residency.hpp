// What of a step's tensors is still in the device's outermost level when an operator comes to use
// it.
#pragma once

#include <cstddef>
#include <vector>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::kernel {

// That the outermost level keeps from kernel to kernel; nothing where it is not shared by all
// cores.
Bytes kept(const chip::Device& device);

// The work, done again on the same operands: they are there if all of them are kept.
Work done_again(Work work, const chip::Device& device);

// Of operators that run one after the other, the least recently used tensors give way.
class Residency {
 public:
  Residency(const model::Graph& graph, const chip::Device& device, Bytes element);

  // Bytes of its inputs that are there; then these and its outputs are the most recently used.
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
  std::vector<Entry> recent_{};  // the last used at the end
};

}  // namespace cairn::kernel
