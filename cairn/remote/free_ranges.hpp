// Free page numbers as maximal ranges: adjacent ranges are merged.
//
// Used for frames, which may be scattered, and for virtual pages, which must be consecutive. With k
// allocated ranges there are at most k + 1 free ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace cairn::remote {

struct PageRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] std::uint64_t end() const { return first + count; }

  bool operator==(const PageRange&) const = default;
};

class FreeRanges {
 public:
  explicit FreeRanges(PageRange all);

  // The lowest `count` consecutive pages (first fit); empty if there are none.
  std::optional<std::uint64_t> take_consecutive(std::uint64_t count);

  // The lowest `count` pages, consecutive or not. Precondition: total() >= count.
  std::vector<PageRange> take_anywhere(std::uint64_t count);

  // Precondition: all of `range` is taken.
  void give_back(PageRange range);

  [[nodiscard]] std::uint64_t total() const { return total_; }

  [[nodiscard]] std::size_t range_count() const { return count_of_.size(); }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // first page -> count

  Ranges::iterator take_from(Ranges::iterator range, std::uint64_t count);

  Ranges count_of_;
  std::uint64_t total_ = 0;
};

}  // namespace cairn::remote
