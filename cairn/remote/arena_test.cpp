#include "cairn/remote/arena.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::remote {
namespace {

constexpr std::uint64_t kPage = 4096;

TEST(Arena, ShowsScatteredFramesAsConsecutiveBytes) {
  const Arena arena(8, kPage);
  const std::vector<std::uint64_t> frames{5, 2, 3};
  const HostView view = arena.view(frames);

  for (std::size_t i = 0; i < frames.size() * kPage; ++i) {
    view.begin()[i] = std::byte(i / kPage + 1);
  }

  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(arena.frame(frames[i])[0], std::byte(i + 1));
    EXPECT_EQ(arena.frame(frames[i])[kPage - 1], std::byte(i + 1));
  }
  EXPECT_EQ(arena.frame(4)[0], std::byte(0));
}

TEST(Arena, ReadsAsZerosAfterClear) {
  Arena arena(4, kPage);
  for (std::uint64_t frame = 0; frame < 4; ++frame) {
    arena.frame(frame)[7] = std::byte(9);
  }

  arena.clear({.first = 1, .count = 2});

  EXPECT_EQ(arena.frame(0)[7], std::byte(9));
  EXPECT_EQ(arena.frame(1)[7], std::byte(0));
  EXPECT_EQ(arena.frame(2)[7], std::byte(0));
  EXPECT_EQ(arena.frame(3)[7], std::byte(9));
}

TEST(Arena, TerabyteCostsOnlyTouchedPages) {
  const std::uint64_t frames = (std::uint64_t{1} << 40U) / kPage;
  const Arena arena(frames, kPage);

  arena.frame(frames - 1)[0] = std::byte(1);

  EXPECT_EQ(arena.frame(frames - 1)[0], std::byte(1));
  EXPECT_EQ(arena.frame(frames / 2)[0], std::byte(0));
}

}  // namespace
}  // namespace cairn::remote
