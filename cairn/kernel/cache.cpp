#include "cairn/kernel/cache.hpp"

#include <bit>
#include <cstdint>

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
  const model::Contraction c = work.contraction.value_or(model::Contraction{.count = 0.0});
  const Key key{c.m,
                c.n,
                c.k,
                c.count,
                work.vector_ops,
                work.left.si(),
                work.right.si(),
                work.other.si(),
                static_cast<double>(work.precision)};
  const auto found = known_.find(key);
  if (found != known_.end()) {
    return found->second;
  }
  return known_.emplace(key, kernel::cost(work, device_)).first->second;
}

}  // namespace cairn::kernel
