#include "cairn/base/idle_pool.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace cairn {
namespace {

struct Number {
  int value = 0;
  int uses = 0;
};

class IdlePoolTest : public testing::Test {
 protected:
  std::shared_ptr<Number> take(int value) {
    auto number = pool_.take([&](const Number& idle) { return idle.value == value; },
                             [&] { return std::make_unique<Number>(Number{.value = value}); });
    ++number->uses;
    return number;
  }

 private:
  IdlePool<Number, 2> pool_{};
};

TEST_F(IdlePoolTest, AnObjectIsUsedAgainWhenItIsIdle) {
  take(1);

  EXPECT_EQ(take(1)->uses, 2);
  EXPECT_EQ(take(2)->uses, 1);
}

TEST_F(IdlePoolTest, AnObjectInUseIsNotShared) {
  const auto first = take(1);

  EXPECT_NE(take(1), first);
  EXPECT_EQ(first->uses, 1);
}

TEST_F(IdlePoolTest, TheObjectThatWaitsLongestIsDestroyed) {
  take(1);
  take(2);
  take(3);

  EXPECT_EQ(take(1)->uses, 1);
  EXPECT_EQ(take(3)->uses, 2);
}

}  // namespace
}  // namespace cairn
