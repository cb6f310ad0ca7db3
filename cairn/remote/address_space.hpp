// One device address space: local memory at the bottom, the device's share of each memory-node
// above it (Kwon and Rhu, MICRO 2018, Fig. 10).
//
//   physical   0              L                 L + H0            L + H0 + H1
//              | local        | memory-node 0   | memory-node 1   |          below 2^47
//
//   virtual    0    p                                                        below 2^49
//              |none| allocations, local and remote, first fit ...           pages of p bytes
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/remote/free_ranges.hpp"

namespace cairn::remote {

using Address = std::uint64_t;  // virtual, on the device

enum class Kind : std::uint8_t { kLocal, kRemote };

// Width of addresses, as on GPUs of that time.
struct AddressBits {
  std::uint32_t virtual_bits = 49;
  std::uint32_t physical_bits = 47;
};

class AddressSpace {
 public:
  // Capacities in bytes, rounded down to whole pages. Throws Error: INVALID_VALUE for a page size
  // that is not a power of two or not a multiple of the host's page, ADDRESS_LIMIT for more memory
  // than physical addresses.
  AddressSpace(std::uint64_t page_size,
               std::uint64_t local_capacity,
               const std::vector<std::uint64_t>& node_capacities,
               AddressBits bits);

  [[nodiscard]] std::uint64_t page_size() const { return page_size_; }

  // The frames (physical pages) of local memory.
  [[nodiscard]] PageRange local() const { return regions_.front(); }

  [[nodiscard]] std::size_t node_count() const { return regions_.size() - 1; }

  // The frames of the device's share of a memory-node.
  [[nodiscard]] PageRange node(std::size_t node) const { return regions_[node + 1]; }

  [[nodiscard]] PageRange all_frames() const {
    return {.first = 0, .count = regions_.back().end()};
  }

  // Which memory-node a frame is on. Precondition: not a local one.
  [[nodiscard]] std::size_t node_of(std::uint64_t frame) const;

  // The virtual pages that allocations may use: all but page 0, so that address 0 is never valid.
  [[nodiscard]] PageRange virtual_pages() const { return virtual_pages_; }

  // How many pages `size` bytes take.
  [[nodiscard]] std::uint64_t pages_for(std::uint64_t size) const {
    return size / page_size_ + (size % page_size_ == 0 ? 0 : 1);
  }

 private:
  std::uint64_t page_size_;
  std::vector<PageRange> regions_;  // of frames: local, then the memory-nodes
  PageRange virtual_pages_;
};

}  // namespace cairn::remote
