#include "cairn/remote/page_table.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::remote {

void PageTable::map(std::uint64_t page, std::uint64_t frame) {
  const std::uint64_t place = page / kEntries;
  if (place >= root_.size()) {
    root_.resize(place + 1);
  }
  if (root_[place] == nullptr) {
    root_[place] = std::make_unique<Leaf>();
  }
  std::uint64_t& entry = root_[place]->frames[page % kEntries];
  ensure(entry == kNone, "a page mapped twice");
  entry = frame;
  ++root_[place]->used;
  ++mapped_;
}

std::uint64_t PageTable::unmap(std::uint64_t page) {
  const std::uint64_t frame = at(page);
  std::unique_ptr<Leaf>& leaf = root_[page / kEntries];
  leaf->frames[page % kEntries] = kNone;
  --mapped_;
  if (--leaf->used == 0) {
    leaf.reset();
  }
  return frame;
}

std::optional<std::uint64_t> PageTable::frame_of(std::uint64_t page) const {
  const std::uint64_t place = page / kEntries;
  if (place >= root_.size() || root_[place] == nullptr) {
    return std::nullopt;
  }
  const std::uint64_t frame = root_[place]->frames[page % kEntries];
  return frame == kNone ? std::nullopt : std::optional(frame);
}

std::uint64_t PageTable::at(std::uint64_t page) const {
  const auto frame = frame_of(page);
  ensure(frame.has_value(), "page not mapped");
  return frame.value_or(kNone);
}

std::size_t PageTable::leaves() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(root_, [](const auto& leaf) { return leaf != nullptr; }));
}

}  // namespace cairn::remote
