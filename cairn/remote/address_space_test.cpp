#include "cairn/remote/address_space.hpp"

#include <gtest/gtest.h>

#include "cairn/remote/error.hpp"

namespace cairn::remote {
namespace {

constexpr std::uint64_t kMiB = 1024ULL * 1024;
constexpr std::uint64_t kPage = 2 * kMiB;

cairn_status status_of(std::uint64_t page_size,
                       std::uint64_t local,
                       const std::vector<std::uint64_t>& nodes,
                       AddressBits bits = {}) {
  try {
    const AddressSpace space(page_size, local, nodes, bits);
  } catch (const Error& error) {
    return error.code();
  }
  return CAIRN_OK;
}

TEST(AddressSpace, PlacesMemoryNodesAboveLocalMemory) {
  const AddressSpace space(kPage, 16 * kMiB, {32 * kMiB, 64 * kMiB}, {});

  EXPECT_EQ(space.local(), (PageRange{.first = 0, .count = 8}));
  EXPECT_EQ(space.node(0), (PageRange{.first = 8, .count = 16}));
  EXPECT_EQ(space.node(1), (PageRange{.first = 24, .count = 32}));
  EXPECT_EQ(space.all_frames(), (PageRange{.first = 0, .count = 56}));
  EXPECT_EQ(space.node_of(8), 0U);
  EXPECT_EQ(space.node_of(23), 0U);
  EXPECT_EQ(space.node_of(24), 1U);
  EXPECT_EQ(space.node_of(55), 1U);
}

TEST(AddressSpace, RoundsCapacitiesDownToWholePages) {
  const AddressSpace space(kPage, 3 * kMiB, {5 * kMiB}, {});
  EXPECT_EQ(space.local().count, 1U);
  EXPECT_EQ(space.node(0).count, 2U);
  EXPECT_EQ(space.pages_for(1), 1U);
  EXPECT_EQ(space.pages_for(kPage), 1U);
  EXPECT_EQ(space.pages_for(kPage + 1), 2U);
  EXPECT_EQ(space.pages_for(UINT64_MAX), UINT64_MAX / kPage + 1);
}

// 512 TiB of virtual addresses and 128 TiB of physical ones.
TEST(AddressSpace, IsLimitedByTheAddressBits) {
  const std::uint64_t most = std::uint64_t{1} << 47U;
  EXPECT_EQ(status_of(kPage, kPage, {most - kPage}), CAIRN_OK);
  EXPECT_EQ(status_of(kPage, kPage, {most}), CAIRN_ERROR_ADDRESS_LIMIT);
  EXPECT_EQ(status_of(kPage, UINT64_MAX, {UINT64_MAX, UINT64_MAX}), CAIRN_ERROR_ADDRESS_LIMIT);
  EXPECT_EQ(status_of(kPage, 16 * kMiB, {17 * kMiB}, {.physical_bits = 25}), CAIRN_OK);
  EXPECT_EQ(status_of(kPage, 16 * kMiB, {18 * kMiB}, {.physical_bits = 25}),
            CAIRN_ERROR_ADDRESS_LIMIT);
  const AddressSpace space(kPage, kPage, {kPage}, {});
  EXPECT_EQ(space.virtual_pages().end(), (std::uint64_t{1} << 49U) / kPage);
  EXPECT_EQ(space.virtual_pages().first, 1U);
}

TEST(AddressSpace, RejectsPagesThatTheHostCannotMap) {
  EXPECT_EQ(status_of(0, kPage, {kPage}), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_of(512, kPage, {kPage}), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_of(3 * kMiB, 6 * kMiB, {6 * kMiB}), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_of(kPage, kPage, {kPage}, {.virtual_bits = 64}), CAIRN_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cairn::remote
