// Two-level page table from virtual pages to frames: a root of leaves with 512 entries each. Empty
// leaves are freed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::remote {

class PageTable {
 public:
  // Precondition: the page is not mapped.
  void map(std::uint64_t page, std::uint64_t frame);

  // Returns the frame it had. Precondition: the page is mapped.
  std::uint64_t unmap(std::uint64_t page);

  [[nodiscard]] std::optional<std::uint64_t> frame_of(std::uint64_t page) const;

  // Precondition: the page is mapped.
  [[nodiscard]] std::uint64_t at(std::uint64_t page) const;

  [[nodiscard]] std::uint64_t mapped() const { return mapped_; }

  [[nodiscard]] std::size_t leaves() const;

 private:
  static constexpr std::uint64_t kEntries = 512;
  static constexpr std::uint64_t kNone = UINT64_MAX;

  struct Leaf {
    Leaf() { frames.fill(kNone); }

    std::array<std::uint64_t, kEntries> frames{};
    std::uint64_t used = 0;
  };

  std::vector<std::unique_ptr<Leaf>> root_;
  std::uint64_t mapped_ = 0;
};

}  // namespace cairn::remote
