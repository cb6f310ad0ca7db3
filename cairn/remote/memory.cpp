#include "cairn/remote/memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/remote/error.hpp"

namespace cairn::remote {

namespace {

// All nodes in order, the preferred one first.
std::vector<std::size_t> preferred_first(std::size_t nodes, std::size_t preferred) {
  std::vector<std::size_t> order{preferred};
  for (std::size_t n = 0; n < nodes; ++n) {
    if (n != preferred) {
      order.push_back(n);
    }
  }
  return order;
}

}  // namespace

Memory::Memory(AddressSpace space,
               PagePlacement placement,
               std::vector<double> shares,
               std::size_t preferred)
    : space_(std::move(space)),
      placement_(placement),
      shares_(std::move(shares)),
      order_(preferred_first(space_.node_count(), preferred)),
      free_pages_(space_.virtual_pages()),
      free_local_(space_.local()),
      ever_allocated_(space_.virtual_pages().first),
      arena_(space_.all_frames().count, space_.page_size()) {
  for (std::size_t n = 0; n < space_.node_count(); ++n) {
    free_remote_.emplace_back(space_.node(n));
  }
}

Address Memory::allocate(Kind kind, std::uint64_t size) {
  require(size > 0, CAIRN_ERROR_ZERO_SIZE);
  const std::uint64_t pages = space_.pages_for(size);
  require(pages <= free_pages(kind), CAIRN_ERROR_OUT_OF_MEMORY);
  const auto found = free_pages_.take_consecutive(pages);
  if (!found) {
    throw Error(CAIRN_ERROR_OUT_OF_ADDRESSES);
  }
  const std::uint64_t first = *found;
  std::vector<std::uint64_t> frames;
  try {
    frames = take_frames(kind, pages);
  } catch (...) {  // the host is out of memory for the list of frames
    free_pages_.give_back({.first = first, .count = pages});
    throw;
  }
  for (std::uint64_t i = 0; i < pages; ++i) {
    table_.map(first + i, frames[i]);
  }
  ever_allocated_ = std::max(ever_allocated_, first + pages);
  allocations_.emplace(
      first, Allocation{.kind = kind, .pages = {.first = first, .count = pages}, .size = size});
  return first * space_.page_size();
}

std::vector<std::uint64_t> Memory::take_frames(Kind kind, std::uint64_t pages) {
  std::vector<std::uint64_t> frames;
  frames.reserve(pages);
  if (kind == Kind::kLocal) {
    for (const PageRange& range : free_local_.take_anywhere(pages)) {
      for (std::uint64_t frame = range.first; frame < range.end(); ++frame) {
        frames.push_back(frame);
      }
    }
    return frames;
  }
  std::vector<NodeRoom> rooms;
  rooms.reserve(order_.size());
  for (const std::size_t node : order_) {
    rooms.push_back({.share = shares_[node], .free = free_remote_[node].total()});
  }
  const std::vector<std::uint32_t> nodes = place_pages(pages, placement_, rooms);
  std::vector<std::vector<PageRange>> taken;  // by position in order_, the lowest frames last
  for (std::uint32_t n = 0; n < order_.size(); ++n) {
    const auto count = static_cast<std::uint64_t>(std::ranges::count(nodes, n));
    taken.push_back(free_remote_[order_[n]].take_anywhere(count));
    std::ranges::reverse(taken.back());
  }
  for (const std::uint32_t n : nodes) {
    PageRange& range = taken[n].back();
    frames.push_back(range.first++);
    if (--range.count == 0) {
      taken[n].pop_back();
    }
  }
  return frames;
}

void Memory::release(Address address) {
  const auto found = allocations_.find(address / space_.page_size());
  ensure(found != allocations_.end() && found->second.uses == 0, "memory released while in use");
  const PageRange pages = found->second.pages;
  allocations_.erase(found);
  std::vector<std::uint64_t> frames;
  frames.reserve(pages.count);
  for (std::uint64_t page = pages.first; page < pages.end(); ++page) {
    frames.push_back(table_.unmap(page));
  }
  free_pages_.give_back(pages);
  std::ranges::sort(frames);
  for (std::size_t i = 0; i < frames.size();) {
    PageRange run{.first = frames[i], .count = 1};
    FreeRanges& list = free_list_of(run.first);
    for (++i; i < frames.size() && frames[i] == run.end() && &free_list_of(frames[i]) == &list;
         ++i) {
      ++run.count;
    }
    arena_.clear(run);
    list.give_back(run);
  }
}

// The free list that a frame belongs to.
FreeRanges& Memory::free_list_of(std::uint64_t frame) {
  return frame < space_.local().end() ? free_local_ : free_remote_[space_.node_of(frame)];
}

Allocation& Memory::allocation_around(Address address) {
  const std::uint64_t page = address / space_.page_size();
  require(page >= space_.virtual_pages().first && page < ever_allocated_,
          CAIRN_ERROR_FOREIGN_POINTER);
  auto after = allocations_.upper_bound(page);
  require(after != allocations_.begin(), CAIRN_ERROR_FREED_POINTER);
  Allocation& allocation = std::prev(after)->second;
  require(page < allocation.pages.end(), CAIRN_ERROR_FREED_POINTER);
  return allocation;
}

Allocation& Memory::at(Kind kind, Address address) {
  Allocation& allocation = allocation_around(address);
  require(address == allocation.pages.first * space_.page_size(), CAIRN_ERROR_MISALIGNED);
  require(allocation.kind == kind, CAIRN_ERROR_WRONG_MEMORY);
  return allocation;
}

Allocation& Memory::holding(Address address, std::uint64_t size) {
  require(size > 0, CAIRN_ERROR_ZERO_SIZE);
  Allocation& allocation = allocation_around(address);
  const std::uint64_t offset = address - allocation.pages.first * space_.page_size();
  require(offset < allocation.size && size <= allocation.size - offset, CAIRN_ERROR_OUT_OF_RANGE);
  return allocation;
}

std::byte* Memory::host(Address address, std::uint64_t size) {
  Allocation& allocation = holding(address, size);
  const std::uint64_t first = address / space_.page_size();
  const std::uint64_t end = space_.pages_for(address + size);
  auto view = std::ranges::find_if(allocation.views, [&](const Allocation::View& candidate) {
    return candidate.pages.first <= first && end <= candidate.pages.end();
  });
  if (view == allocation.views.end()) {
    std::vector<std::uint64_t> frames;
    for (std::uint64_t page = first; page < end; ++page) {
      frames.push_back(table_.at(page));
    }
    const PageRange pages{.first = first, .count = end - first};
    view = allocation.views.insert(view, {.pages = pages, .host = arena_.view(frames)});
  }
  return view->host.begin() + (address - view->pages.first * space_.page_size());
}

// The bytes from `address` to the end of its page, `size` at most.
Memory::Piece Memory::piece_at(Address address, std::uint64_t size) const {
  const std::uint64_t offset = address % space_.page_size();
  const std::uint64_t frame = table_.at(address / space_.page_size());
  return {.begin = arena_.frame(frame) + offset,
          .size = std::min(size, space_.page_size() - offset)};
}

void Memory::move(Address to, Address from, std::uint64_t size) {
  while (size > 0) {
    const Piece target = piece_at(to, size);
    const Piece source = piece_at(from, target.size);
    std::memcpy(target.begin, source.begin, source.size);
    to += source.size;
    from += source.size;
    size -= source.size;
  }
}

std::vector<std::uint64_t> Memory::bytes_by_node(Address address, std::uint64_t size) const {
  std::vector<std::uint64_t> bytes(space_.node_count(), 0);
  while (size > 0) {
    const std::uint64_t here = std::min(size, space_.page_size() - address % space_.page_size());
    const std::uint64_t frame = table_.at(address / space_.page_size());
    bytes[space_.node_of(frame)] += here;
    address += here;
    size -= here;
  }
  return bytes;
}

std::uint64_t Memory::free_pages(Kind kind) const {
  if (kind == Kind::kLocal) {
    return free_local_.total();
  }
  std::uint64_t pages = 0;
  for (const FreeRanges& node : free_remote_) {
    pages += node.total();
  }
  return pages;
}

std::size_t Memory::free_range_count() const {
  std::size_t ranges = free_pages_.range_count() + free_local_.range_count();
  for (const FreeRanges& node : free_remote_) {
    ranges += node.range_count();
  }
  return ranges;
}

}  // namespace cairn::remote
