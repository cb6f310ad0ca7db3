#include "cairn/search/inversion.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace cairn::search {
namespace {

std::vector<Outcome> doubled(const std::vector<Point>& points) {
  std::vector<Outcome> outcomes;
  for (const Point& point : points) {
    outcomes.push_back({.objectives = {2.0 * point[0]}});
  }
  return outcomes;
}

TEST(Inversion, GivesPointsOfAllBodiesInTheirOrderAndAnswersToWhoAsked) {
  std::vector<double> sums(2);
  const auto body = [&](std::size_t index, double rounds) {
    return [&sums, index, rounds](const Evaluate& evaluate) {
      for (double round = 0.0; round < rounds; round += 1.0) {
        sums[index] += evaluate({{100.0 * static_cast<double>(index) + round}})[0].objectives[0];
      }
    };
  };
  Inversion inversion({body(0, 3.0), body(1, 2.0)});

  std::vector<std::vector<Point>> asked;
  for (auto points = inversion.ask(); !points.empty(); points = inversion.ask()) {
    asked.push_back(points);
    inversion.tell(doubled(points));
  }

  EXPECT_EQ(asked, (std::vector<std::vector<Point>>{{{0}, {100}}, {{1}, {101}}, {{2}}}));
  EXPECT_EQ(sums, (std::vector<double>{2.0 * (0 + 1 + 2), 2.0 * (100 + 101)}));
}

TEST(Inversion, EndsBodiesThatNobodyAnswers) {
  bool unwound = false;
  {
    Inversion inversion({[&](const Evaluate& evaluate) {
      struct Mark {
        bool& set;
        ~Mark() { set = true; }
      };
      const Mark mark{unwound};
      evaluate({{1.0}});
    }});
    inversion.ask();
  }
  EXPECT_TRUE(unwound);
}

// Ends this process: with 7 if it says that there cannot be so many.
[[noreturn]] void begin_more_than_there_is_memory_for() {
  rlimit limit{};
  limit.rlim_cur = rlim_t{1} << 30;  // the stacks of some hundred threads
  limit.rlim_max = limit.rlim_cur;
  ::setrlimit(RLIMIT_AS, &limit);
  std::vector<std::function<void(const Evaluate&)>> bodies(
      2000, [](const Evaluate& evaluate) { evaluate({{1.0}}); });
  try {
    const Inversion inversion(std::move(bodies));
  } catch (const std::system_error&) {
    std::_Exit(7);
  }
  std::_Exit(0);
}

TEST(InversionDeathTest, ThrowsWhereThereCannotBeSoManyThreads) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";

  EXPECT_EXIT(begin_more_than_there_is_memory_for(), testing::ExitedWithCode(7), "");
}

TEST(Inversion, ThrowsWhatABodyThrew) {
  Inversion inversion({[](const Evaluate&) { throw std::invalid_argument("no"); }});

  EXPECT_THROW(inversion.ask(), std::invalid_argument);
}

}  // namespace
}  // namespace cairn::search
