#include "cairn/comm/algorithm.hpp"

#include <algorithm>
#include <array>

namespace cairn::comm {

namespace {

// `auto` breaks ties in this order.
constexpr std::array kAlgorithms{
    &kRing, &kRings, &kHierarchical, &kNested, &kDirect, &kHalvingDoubling, &kDoubleBinaryTree};

}  // namespace

std::uint32_t one_chunk(const Collective& /*collective*/, const GroupLayout& /*layout*/) {
  return 1;
}

std::span<const Algorithm* const> algorithms() {
  return kAlgorithms;
}

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find_if(
      kAlgorithms, [&](const Algorithm* algorithm) { return algorithm->name == name; });
  return found == kAlgorithms.end() ? nullptr : *found;
}

bool symmetric_group(const GroupLayout& layout) {
  return (layout.whole && layout.platform->shift_symmetric) || layout.platform->exchange_symmetric;
}

std::uint32_t pipeline_chunks(Bytes size, std::uint32_t max_chunks) {
  constexpr Bytes kMinChunk(65536.0);
  return static_cast<std::uint32_t>(
      std::clamp(size / kMinChunk, 1.0, static_cast<double>(max_chunks)));
}

}  // namespace cairn::comm
