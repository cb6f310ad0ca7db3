#include "cairn/search/inversion.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cairn::search {
namespace {

std::vector<Outcome> doubled(const std::vector<Point>& points) {
  std::vector<Outcome> outcomes;
  for (const Point& point : points) {
    outcomes.push_back({.objectives = {2.0 * point[0]}});
  }
  return outcomes;
}

TEST(Inversion, ReturnsPointsInBodyOrderAndOutcomesToTheirBody) {
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

TEST(Inversion, UnwindsBodiesWithoutAnswers) {
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

TEST(Inversion, RethrowsTheExceptionOfABody) {
  Inversion inversion({[](const Evaluate&) { throw std::invalid_argument("no"); }});

  EXPECT_THROW(inversion.ask(), std::invalid_argument);
}

}  // namespace
}  // namespace cairn::search
