#include "cairn/remote/memory.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "cairn/remote/error.hpp"

namespace cairn::remote {
namespace {

constexpr std::uint64_t kPage = 4096;

Memory make(PagePlacement placement = PagePlacement::kBandwidthAware,
            std::uint64_t local = 4,
            std::uint64_t node = 8,
            AddressBits bits = {}) {
  return {AddressSpace(kPage, local * kPage, {node * kPage, node * kPage}, bits),
          placement,
          {0.5, 0.5},
          0};
}

cairn_status status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return CAIRN_OK;
}

TEST(Memory, BandwidthAwarePutsHalfOfTheBytesOnEachSide) {
  Memory memory = make();
  const Address address = memory.allocate(Kind::kRemote, 6 * kPage);

  EXPECT_EQ(memory.bytes_by_node(address, 6 * kPage),
            (std::vector<std::uint64_t>{3 * kPage, 3 * kPage}));
  EXPECT_EQ(memory.bytes_by_node(address + kPage / 2, kPage),
            (std::vector<std::uint64_t>{kPage / 2, kPage / 2}));
}

TEST(Memory, LocalPutsAllBytesOnOneSideUntilItIsFull) {
  Memory memory = make(PagePlacement::kLocal);
  const Address first = memory.allocate(Kind::kRemote, 6 * kPage);
  const Address second = memory.allocate(Kind::kRemote, 6 * kPage);

  EXPECT_EQ(memory.bytes_by_node(first, 6 * kPage), (std::vector<std::uint64_t>{6 * kPage, 0}));
  EXPECT_EQ(memory.bytes_by_node(second, 6 * kPage), (std::vector<std::uint64_t>{0, 6 * kPage}));
}

TEST(Memory, AllocationFailsOnlyIfPagesAreMissing) {
  Memory memory = make();
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kLocal, 0); }), CAIRN_ERROR_ZERO_SIZE);
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kLocal, 4 * kPage + 1); }),
            CAIRN_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kRemote, UINT64_MAX); }),
            CAIRN_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kLocal, 4 * kPage); }), CAIRN_OK);
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kRemote, 16 * kPage); }), CAIRN_OK);
}

// 16 virtual pages, page 0 unused; 20 frames.
TEST(Memory, RejectsMoreThanTheVirtualAddresses) {
  Memory memory =
      make(PagePlacement::kBandwidthAware, 4, 8, {.virtual_bits = 16, .physical_bits = 47});
  memory.allocate(Kind::kRemote, 12 * kPage);

  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kRemote, 4 * kPage); }),
            CAIRN_ERROR_OUT_OF_ADDRESSES);
  EXPECT_EQ(memory.free_pages(Kind::kRemote), 4U);
  EXPECT_EQ(status_of([&] { memory.allocate(Kind::kLocal, 3 * kPage); }), CAIRN_OK);
}

TEST(Memory, DistinguishesInvalidAddresses) {
  Memory memory = make();
  const Address local = memory.allocate(Kind::kLocal, 2 * kPage);
  const Address remote = memory.allocate(Kind::kRemote, kPage);
  const Address freed = memory.allocate(Kind::kRemote, kPage);
  memory.release(freed);

  EXPECT_EQ(status_of([&] { memory.at(Kind::kLocal, local + kPage); }), CAIRN_ERROR_MISALIGNED);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kLocal, local + 1); }), CAIRN_ERROR_MISALIGNED);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kLocal, remote); }), CAIRN_ERROR_WRONG_MEMORY);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kRemote, freed); }), CAIRN_ERROR_FREED_POINTER);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kRemote, 0); }), CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kRemote, freed + kPage); }),
            CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(status_of([&] { memory.at(Kind::kRemote, UINT64_MAX); }), CAIRN_ERROR_FOREIGN_POINTER);
}

TEST(Memory, ChecksRangesAgainstTheRequestedSize) {
  Memory memory = make();
  const Address address = memory.allocate(Kind::kRemote, kPage + 100);
  memory.allocate(Kind::kRemote, kPage);  // next in the address space

  EXPECT_EQ(status_of([&] { memory.holding(address, kPage + 100); }), CAIRN_OK);
  EXPECT_EQ(status_of([&] { memory.holding(address + 100, kPage); }), CAIRN_OK);
  EXPECT_EQ(status_of([&] { memory.holding(address, kPage + 101); }), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(status_of([&] { memory.holding(address + kPage + 100, 1); }), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(status_of([&] { memory.holding(address + 1, UINT64_MAX); }), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(status_of([&] { memory.holding(address, 0); }), CAIRN_ERROR_ZERO_SIZE);
}

TEST(Memory, MapsPagesOnBothSidesContiguously) {
  Memory memory = make();
  const Address remote = memory.allocate(Kind::kRemote, 3 * kPage);
  const Address local = memory.allocate(Kind::kLocal, 3 * kPage);
  std::byte* seen = memory.host(remote, 3 * kPage);
  for (std::uint64_t i = 0; i < 3 * kPage; ++i) {
    seen[i] = std::byte(i % 251);
  }

  memory.move(local + 17, remote + 5, 2 * kPage);

  for (std::uint64_t i = 0; i < 2 * kPage; ++i) {
    ASSERT_EQ(memory.host(local, 3 * kPage)[17 + i], std::byte((i + 5) % 251));
  }
  EXPECT_EQ(memory.host(remote + kPage, 1), seen + kPage);  // the same view
}

TEST(Memory, ReadsAsZerosWhenReallocated) {
  Memory memory = make();
  const Address first = memory.allocate(Kind::kLocal, 4 * kPage);
  *memory.host(first + 3 * kPage, 1) = std::byte(1);
  memory.release(first);

  const Address second = memory.allocate(Kind::kLocal, 4 * kPage);

  EXPECT_EQ(*memory.host(second + 3 * kPage, 1), std::byte(0));
}

// For any history: an allocation fails only if fewer pages are free than it needs, free ranges are
// bounded by the allocations, and freeing everything restores the initial state.
RC_GTEST_PROP(MemoryProperty, FragmentationNeverCostsAPage, ()) {
  Memory memory =
      make(*rc::gen::element(PagePlacement::kLocal, PagePlacement::kBandwidthAware), 16, 32);
  const std::size_t at_first = memory.free_range_count();
  std::vector<std::pair<Kind, Address>> live;
  for (const int step : *rc::gen::container<std::vector<int>>(
           rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1 << 20)))) {
    const auto choice = static_cast<std::size_t>(step);
    if (choice % 3 == 0 && !live.empty()) {
      const auto victim = live.begin() + static_cast<std::ptrdiff_t>(choice / 3 % live.size());
      memory.release(victim->second);
      live.erase(victim);
    } else {
      const Kind kind = choice % 2 == 0 ? Kind::kLocal : Kind::kRemote;
      const std::uint64_t pages = choice / 6 % 12 + 1;
      const bool room = pages <= memory.free_pages(kind);
      const cairn_status status =
          status_of([&] { live.emplace_back(kind, memory.allocate(kind, pages * kPage)); });
      RC_ASSERT(status == (room ? CAIRN_OK : CAIRN_ERROR_OUT_OF_MEMORY));
    }
    const std::uint64_t used = memory.page_table().mapped();
    RC_ASSERT(used + memory.free_pages(Kind::kLocal) + memory.free_pages(Kind::kRemote) == 80U);
    RC_ASSERT(memory.free_range_count() <= live.size() + used + at_first);
  }
  for (const auto& [kind, address] : live) {
    memory.release(address);
  }
  RC_ASSERT(memory.free_range_count() == at_first);
  RC_ASSERT(memory.page_table().leaves() == 0U);
}

}  // namespace
}  // namespace cairn::remote
