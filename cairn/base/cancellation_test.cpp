#include "cairn/base/cancellation.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace cairn {
namespace {

TEST(Cancellation, WithoutScopeNothingIsCancelled) {
  EXPECT_NO_THROW(check_cancelled());
}

TEST(Cancellation, AsksTheInnermostScopeUntilItEnds) {
  bool stop = false;
  const std::function<bool()> outer = [&] { return stop; };
  const std::function<bool()> never;
  const CancellationScope scope(outer);
  EXPECT_NO_THROW(check_cancelled());
  stop = true;
  {
    const CancellationScope inner(never);
    EXPECT_NO_THROW(check_cancelled());
  }
  EXPECT_THROW(check_cancelled(), Cancelled);
}

TEST(Cancellation, AppliesToOneThreadOnly) {
  const std::function<bool()> always = [] { return true; };
  const CancellationScope scope(always);
  bool cancelled = false;
  std::thread([&] {
    try {
      check_cancelled();
    } catch (const Cancelled&) {
      cancelled = true;
    }
  }).join();
  EXPECT_FALSE(cancelled);
}

}  // namespace
}  // namespace cairn
