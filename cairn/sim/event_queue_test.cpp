#include "cairn/sim/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::sim {
namespace {

SimTime at(std::int64_t picoseconds) {
  return SimTime::from_picoseconds(picoseconds);
}

std::vector<std::uint32_t> drain(EventQueue& queue) {
  std::vector<std::uint32_t> subjects;
  while (!queue.empty()) {
    subjects.push_back(queue.pop().subject);
  }
  return subjects;
}

using Subjects = std::vector<std::uint32_t>;

TEST(EventQueue, TheEarliestComesFirst) {
  EventQueue queue;

  queue.push(at(30), 3, 0);
  queue.push(at(10), 1, 0);
  queue.push(at(20), 2, 0);

  EXPECT_EQ(queue.size(), 3U);
  EXPECT_EQ(queue.top().at, at(10));
  EXPECT_EQ(drain(queue), (Subjects{1, 2, 3}));
  EXPECT_EQ(queue.size(), 0U);
}

TEST(EventQueue, AnEventComesBackAsItWasPushed) {
  EventQueue queue;

  const std::uint64_t order = queue.push(at(42), 7, 1);
  const Event event = queue.pop();

  EXPECT_EQ(event.at, at(42));
  EXPECT_EQ(event.order, order);
  EXPECT_EQ(event.subject, 7U);
  EXPECT_EQ(event.kind, 1U);
}

TEST(EventQueue, OrderNumbersAreNeverZeroAndIncrease) {
  EventQueue queue;

  const std::uint64_t first = queue.push(at(5), 0, 0);
  const std::uint64_t second = queue.push(at(5), 0, 0);
  const std::uint64_t third = queue.push(at(1), 0, 0);

  EXPECT_GT(first, 0U);
  EXPECT_GT(second, first);
  EXPECT_GT(third, second);
}

TEST(EventQueue, EqualTimesAreFirstInFirstOut) {
  EventQueue queue;

  for (std::uint32_t i = 0; i < 5; ++i) {
    queue.push(at(10), i, 0);
  }

  EXPECT_EQ(drain(queue), (Subjects{0, 1, 2, 3, 4}));
}

TEST(EventQueue, TiesStayInOrderAcrossSeveralRunsOfOneTime) {
  EventQueue queue;

  // Three runs of time 5, cut apart by events of other times, and two of time 7.
  const std::vector<std::int64_t> times{5, 5, 5, 7, 7, 7, 5, 5, 9, 5, 5, 5, 7, 7};
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    queue.push(at(times[i]), i, 0);
  }

  EXPECT_EQ(drain(queue), (Subjects{0, 1, 2, 6, 7, 9, 10, 11, 3, 4, 5, 12, 13, 8}));
}

TEST(EventQueue, InterleavedTimesStayInOrder) {
  EventQueue queue;

  for (std::uint32_t i = 0; i < 6; ++i) {
    queue.push(at(i % 2 == 0 ? 20 : 10), i, 0);
  }

  EXPECT_EQ(drain(queue), (Subjects{1, 3, 5, 0, 2, 4}));
}

TEST(EventQueue, APushAtTheTimeBeingPoppedComesAfterThoseAlreadyThere) {
  EventQueue queue;
  queue.push(at(5), 0, 0);
  queue.push(at(5), 1, 0);
  queue.push(at(5), 2, 0);

  EXPECT_EQ(queue.pop().subject, 0U);
  queue.push(at(5), 3, 0);
  EXPECT_EQ(queue.pop().subject, 1U);
  EXPECT_EQ(queue.pop().subject, 2U);
  queue.push(at(5), 4, 0);

  EXPECT_EQ(drain(queue), (Subjects{3, 4}));
}

TEST(EventQueue, ATimeMayComeBackAfterItsRunIsEmpty) {
  EventQueue queue;

  for (int round = 0; round < 3; ++round) {
    queue.push(at(5), 0, 0);
    queue.push(at(5), 1, 0);
    queue.push(at(5), 2, 0);
    EXPECT_EQ(drain(queue), (Subjects{0, 1, 2}));
  }
  queue.push(at(6), 3, 0);
  queue.push(at(5), 4, 0);

  EXPECT_EQ(drain(queue), (Subjects{4, 3}));
}

TEST(EventQueue, NeverIsAValidTime) {
  EventQueue queue;

  queue.push(SimTime::never(), 0, 0);
  queue.push(SimTime::never(), 1, 0);
  queue.push(at(0), 2, 0);
  queue.push(SimTime::never(), 3, 0);

  EXPECT_EQ(drain(queue), (Subjects{2, 0, 1, 3}));
}

// Few distinct times give many ties. A simulation never pushes into the past, but the queue does
// not rely on that, so the second property pushes anywhere.
void matches_reference(std::int64_t spread, bool into_the_past) {
  using Key = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;  // time, order, subject
  std::priority_queue<Key, std::vector<Key>, std::greater<>> reference;
  EventQueue queue;
  std::int64_t now = 0;
  const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::int64_t>>>(rc::gen::pair(
      rc::gen::element(true, true, false), rc::gen::inRange<std::int64_t>(0, spread)));

  std::uint32_t subject = 0;
  const auto pop_both = [&] {
    const auto [time, order, who] = reference.top();
    reference.pop();
    RC_ASSERT(queue.top().at == at(time));
    const Event event = queue.pop();
    RC_ASSERT(std::tuple(event.at, event.order, event.subject) == std::tuple(at(time), order, who));
    RC_ASSERT(event.kind == who % 2);
    now = time;
  };
  for (const auto& [push, time] : steps) {
    if (push) {
      const std::int64_t when = into_the_past ? time : now + time;
      reference.emplace(when, queue.push(at(when), subject, subject % 2), subject);
      ++subject;
    } else if (!reference.empty()) {
      pop_both();
    }
    RC_ASSERT(queue.size() == reference.size());
  }
  while (!reference.empty()) {
    pop_both();
  }
  RC_ASSERT(queue.empty());
}

TEST(EventQueueProperty, EqualsAPriorityQueueOrderedByTimeAndPush) {
  EXPECT_TRUE(rc::check("times from now on",
                        [] { matches_reference(*rc::gen::inRange<std::int64_t>(1, 6), false); }));
  EXPECT_TRUE(rc::check("any times",
                        [] { matches_reference(*rc::gen::inRange<std::int64_t>(1, 6), true); }));
}

// The engine's pattern: at each instant thousands of events at few distinct later instants.
TEST(EventQueueProperty, LongRunsEqualAStableSort) {
  EventQueue queue;
  std::vector<std::pair<std::int64_t, std::uint32_t>> pushed;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::int64_t time = (i / 700) * 7 % 5;
    pushed.emplace_back(time, i);
    queue.push(at(time), i, 0);
  }

  const Subjects popped = drain(queue);

  std::ranges::stable_sort(pushed, {}, [](const auto& event) { return event.first; });
  Subjects expected;
  for (const auto& [time, subject] : pushed) {
    expected.push_back(subject);
  }
  EXPECT_EQ(popped, expected);
}

}  // namespace
}  // namespace cairn::sim
