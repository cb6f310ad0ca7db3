#include "cairn/comm/chunk_counts.hpp"

#include <algorithm>

#include "cairn/comm/engine_chunks.hpp"

namespace cairn::comm {

namespace {

std::vector<std::uint32_t> with_fewer_chunks(std::uint32_t max_chunks) {
  std::vector<std::uint32_t> chunks{max_chunks};
  while (chunks.back() > 1) {
    chunks.push_back(chunks.back() / 2);
  }
  std::ranges::reverse(chunks);
  return chunks;
}

}  // namespace

std::vector<std::uint32_t> chunk_counts(const Collective& collective,
                                        const Algorithm& algorithm,
                                        const Realized& first,
                                        const CollectivePolicy& policy,
                                        const Endpoint& endpoint) {
  const Bytes size = collective.size;
  if (policy.chunks) {
    return {*policy.chunks};
  }
  if (engine_sets_chunk_size(endpoint)) {
    return {chunks_of(size, first.schedule, *endpoint.engine.chunk)};
  }
  const std::uint32_t max_chunks =
      chunks_at(endpoint, size, algorithm.chunks(collective, first.layout));
  if (!policy.chunk_size) {
    return with_fewer_chunks(max_chunks);
  }
  const bool whole = *policy.chunk_size == Bytes(0.0);
  return {whole ? 1 : std::min(max_chunks, chunks_of(size, first.schedule, *policy.chunk_size))};
}

}  // namespace cairn::comm
