#include "cairn/remote/address_space.hpp"

#include <unistd.h>

#include <bit>

#include "cairn/base/failure.hpp"
#include "cairn/remote/error.hpp"

namespace cairn::remote {

AddressSpace::AddressSpace(std::uint64_t page_size,
                           std::uint64_t local_capacity,
                           const std::vector<std::uint64_t>& node_capacities,
                           AddressBits bits)
    : page_size_(page_size) {
  const auto host_page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  require(std::has_single_bit(page_size) && page_size >= host_page, CAIRN_ERROR_INVALID_VALUE);
  require(bits.physical_bits < 64 && bits.virtual_bits < 64, CAIRN_ERROR_INVALID_VALUE);
  const std::uint64_t max_frames = (std::uint64_t{1} << bits.physical_bits) / page_size;
  regions_.push_back({.first = 0, .count = local_capacity / page_size});
  require(local().count <= max_frames, CAIRN_ERROR_ADDRESS_LIMIT);
  for (const std::uint64_t capacity : node_capacities) {
    regions_.push_back({.first = regions_.back().end(), .count = capacity / page_size});
    require(regions_.back().end() <= max_frames, CAIRN_ERROR_ADDRESS_LIMIT);
  }
  const std::uint64_t virtual_pages = (std::uint64_t{1} << bits.virtual_bits) / page_size;
  virtual_pages_ = {.first = 1, .count = virtual_pages > 0 ? virtual_pages - 1 : 0};
}

std::size_t AddressSpace::node_of(std::uint64_t frame) const {
  for (std::size_t n = 0; n < node_count(); ++n) {
    if (frame >= node(n).first && frame < node(n).end()) {
      return n;
    }
  }
  throw Bug("a frame on no memory-node");
}

}  // namespace cairn::remote
