#include "cairn/kernel/last_level_cache.hpp"

#include <algorithm>

namespace cairn::kernel {

Bytes retained_capacity(const chip::Device& device) {
  if (device.levels.empty() || device.levels.back().scope != chip::Scope::kGlobal) {
    return Bytes(0.0);
  }
  return device.levels.back().capacity * device.levels.back().keeps;
}

Work repeated(Work work, const chip::Device& device) {
  work.held = work.bytes() <= retained_capacity(device) ? work.bytes() : Bytes(0.0);
  return work;
}

LastLevelCache::LastLevelCache(const model::Graph& graph, const chip::Device& device, Bytes element)
    : graph_(graph), capacity_(retained_capacity(device)), element_(element) {}

Bytes LastLevelCache::use(const model::Operator& op) {
  if (capacity_ == Bytes(0.0)) {
    return Bytes(0.0);
  }
  const auto storage = [&](Id<model::Tensor> id) { return graph_.tensor(id).storage.index(); };
  Bytes cached(0.0);
  for (const Id<model::Tensor> input : op.inputs) {
    cached += found(storage(input));
  }
  const auto touch_all = [&](const std::vector<Id<model::Tensor>>& tensors) {
    for (const Id<model::Tensor> id : tensors) {
      touch(storage(id), model::bytes_of(graph_.tensor(id), element_));
    }
  };
  touch_all(op.inputs);
  touch_all(op.outputs);
  return cached;
}

Bytes LastLevelCache::found(std::size_t storage) const {
  const auto entry = std::ranges::find(recent_, storage, &Entry::storage);
  return entry == recent_.end() ? Bytes(0.0) : entry->bytes;
}

void LastLevelCache::touch(std::size_t storage, Bytes bytes) {
  std::erase_if(recent_, [&](const Entry& entry) { return entry.storage == storage; });
  recent_.push_back({storage, bytes});
  Bytes sum(0.0);
  auto first = recent_.end();
  while (first != recent_.begin() && sum + std::prev(first)->bytes <= capacity_) {
    --first;
    sum += first->bytes;
  }
  recent_.erase(recent_.begin(), first);
}

}  // namespace cairn::kernel
