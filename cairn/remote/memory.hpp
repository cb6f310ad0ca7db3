// The memory of one device, local and remote: allocations, the pages behind them, and their bytes.
//
// An allocation has consecutive virtual pages and any frames. Failing calls throw Error and change
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "cairn/remote/address_space.hpp"
#include "cairn/remote/arena.hpp"
#include "cairn/remote/free_ranges.hpp"
#include "cairn/remote/page_table.hpp"
#include "cairn/remote/placement.hpp"

namespace cairn::remote {

struct Allocation {
  // A host mapping of virtual pages `pages`.
  struct View {
    PageRange pages;
    HostView host;
  };

  Kind kind = Kind::kLocal;
  PageRange pages;         // virtual
  std::uint64_t size = 0;  // bytes requested
  std::uint32_t uses = 0;  // copies in flight that use it
  std::vector<View> views{};
};

class Memory {
 public:
  // `shares`: fraction of the pages per memory-node for BW_AWARE; `preferred`: the memory-node for
  // LOCAL.
  Memory(AddressSpace space,
         PagePlacement placement,
         std::vector<double> shares,
         std::size_t preferred);

  // Throws ZERO_SIZE, OUT_OF_MEMORY (fewer free pages than needed), OUT_OF_ADDRESSES.
  Address allocate(Kind kind, std::uint64_t size);

  // Precondition: at(address) is not used by copies in flight.
  void release(Address address);

  // The allocation that starts at `address`. Throws MISALIGNED (it starts earlier), FREED_POINTER,
  // FOREIGN_POINTER, WRONG_MEMORY.
  Allocation& at(Kind kind, Address address);

  // The allocation that contains the range. Throws OUT_OF_RANGE, FREED_POINTER, FOREIGN_POINTER.
  Allocation& holding(Address address, std::uint64_t size);

  // The host pointer to the range; valid until the allocation is released.
  std::byte* host(Address address, std::uint64_t size);

  // Copies bytes between two ranges that do not overlap.
  void move(Address to, Address from, std::uint64_t size);

  // How many bytes of a remote range are on each memory-node.
  [[nodiscard]] std::vector<std::uint64_t> bytes_by_node(Address address, std::uint64_t size) const;

  [[nodiscard]] std::uint64_t free_pages(Kind kind) const;

  [[nodiscard]] const AddressSpace& space() const { return space_; }

  [[nodiscard]] const PageTable& page_table() const { return table_; }

  // Number of free virtual and physical ranges; for tests of fragmentation.
  [[nodiscard]] std::size_t free_range_count() const;

 private:
  struct Piece {
    std::byte* begin;
    std::uint64_t size;
  };

  [[nodiscard]] Piece piece_at(Address address, std::uint64_t size) const;
  Allocation& allocation_around(Address address);
  FreeRanges& free_list_of(std::uint64_t frame);
  std::vector<std::uint64_t> take_frames(Kind kind, std::uint64_t pages);

  AddressSpace space_;
  PagePlacement placement_;
  std::vector<double> shares_;
  std::vector<std::size_t> order_;  // memory-nodes, the preferred one first
  FreeRanges free_pages_;           // virtual
  FreeRanges free_local_;           // frames
  std::vector<FreeRanges> free_remote_;
  std::uint64_t ever_allocated_ = 0;  // virtual pages below this have all been allocated before
  PageTable table_;
  Arena arena_;
  std::map<std::uint64_t, Allocation> allocations_;  // by first virtual page
};

}  // namespace cairn::remote
