#include "cairn/kernel/cache.hpp"

#include <bit>
#include <cstdint>
#include <mutex>

#include "cairn/base/cancellation.hpp"

namespace cairn::kernel {

std::size_t Cache::Hash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const double value : key) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

const Cost& Cache::cost(const Work& work) {
  check_cancelled();
  const model::Contraction c = work.contraction.value_or(model::Contraction{.count = 0.0});
  const model::Attention a = work.attention.value_or(model::Attention{.samples = 0.0});
  const Key key{c.m,
                c.n,
                c.k,
                c.count,
                work.vector_ops,
                work.turns,
                work.left.si(),
                work.right.si(),
                work.other.si(),
                work.row_step,
                work.held.si(),
                static_cast<double>(work.windows),
                c.taps,
                work.op ? static_cast<double>(*work.op) : -1.0,
                static_cast<double>(work.precision),
                a.samples,
                a.heads,
                a.queries,
                a.keys,
                a.width,
                a.products,
                a.causal ? 1.0 : 0.0,
                a.window};
  Shard& shard = shards_[(Hash{}(key) >> 8U) % shards_.size()];
  {
    const std::shared_lock reading(shard.mutex);
    const auto found = shard.known.find(key);
    if (found != shard.known.end()) {
      return found->second;
    }
  }
  // Computed outside the lock; if two threads compute the same key, the first result is kept.
  const Cost computed = kernel::cost(work, device_);
  const std::unique_lock writing(shard.mutex);
  return shard.known.emplace(key, computed).first->second;
}

}  // namespace cairn::kernel
