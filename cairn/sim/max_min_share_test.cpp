#include "cairn/sim/max_min_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cairn/sim/test_support/share_problem.hpp"

namespace cairn::sim {
namespace {

using test::kUnlimited;
using test::ShareDraw;
using test::ShareProblem;
using test::ShareUser;
using test::solve;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

// Rates of order one come from a few additions and divisions: 1e-12 is thousands of roundings.
auto close_to(double rate) {
  return DoubleNear(rate, 1e-12);
}

TEST(MaxMinShare, AUserAloneGetsAllOfTheResource) {
  const ShareProblem problem{{10.0}, {{0, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(10.0)));
}

TEST(MaxMinShare, TwoFlowsOnOneLinkGetHalfEach) {
  const ShareProblem problem{{10.0}, {{0, {{0}}}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(10.0 / 2), close_to(10.0 / 2)));
}

TEST(MaxMinShare, SharesAreProportionalToWeights) {
  const ShareProblem problem{{8.0}, {{0, {{0}}}, {1, {{0}}}}, {{1.0}, {3.0}}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(8.0 * 1 / 4), close_to(8.0 * 3 / 4)));
}

TEST(MaxMinShare, TheRestOfALimitedUsersShareGoesToTheOther) {
  const ShareProblem problem{{10.0}, {{0, {{0}}, 2.0}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(2.0), close_to(10.0 - 2.0)));
}

TEST(MaxMinShare, ALimitAboveTheShareDoesNotMatter) {
  const ShareProblem problem{{10.0}, {{0, {{0}}, 7.0}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(5.0), close_to(5.0)));
}

// Bertsekas & Gallager: a long flow over both links, a short one on each. Link 0 (capacity 1) is
// the tighter: 1/2 each; the short flow of link 1 gets the rest of 2.
TEST(MaxMinShare, ALongFlowIsLimitedByItsTightestLink) {
  const ShareProblem problem{{1.0, 2.0}, {{0, {{0}, {1}}}, {1, {{0}}}, {2, {{1}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(0.5), close_to(0.5), close_to(2.0 - 0.5)));
}

TEST(MaxMinShare, SharesAreEqualInTheUnitOfTheResourceNotInProgress) {
  const ShareProblem problem{{12.0}, {{0, {{0, 2.0}}}, {1, {{0, 1.0}}}}, {}};

  // Each draws 6 units/s.
  EXPECT_THAT(solve(problem), ElementsAre(close_to(6.0 / 2.0), close_to(6.0 / 1.0)));
}

TEST(MaxMinShare, SixtyFourChunksOfOneIssuerGetNoMoreThanOneKernel) {
  ShareProblem problem{{10.0}, {{1, {{0}}}}, {}};
  for (std::uint64_t age = 0; age < 64; ++age) {
    problem.users.push_back({0, {{0}}, kUnlimited, age});
  }

  const std::vector<double> rates = solve(problem);

  EXPECT_THAT(rates[0], close_to(5.0)) << "the kernel";
  EXPECT_THAT(rates[1], close_to(5.0)) << "the oldest chunk";
  for (std::size_t chunk = 2; chunk < rates.size(); ++chunk) {
    EXPECT_EQ(rates[chunk], 0.0) << "a younger chunk";
  }
}

TEST(MaxMinShare, TheSecondChunkUsesTheRestOfAFirstLimitedElsewhere) {
  // The first chunk also crosses link 1, which lets it have 2 of the issuer's 5.
  const ShareProblem problem{{10.0, 2.0},
                             {{0, {{0}, {1}}, kUnlimited, 0},
                              {0, {{0}}, kUnlimited, 1},
                              {0, {{0}}, kUnlimited, 2},
                              {1, {{0}}}},
                             {}};

  EXPECT_THAT(solve(problem),
              ElementsAre(close_to(2.0), close_to(5.0 - 2.0), close_to(0.0), close_to(5.0)));
}

TEST(MaxMinShare, TheSecondChunkUsesTheRestOfAFirstAtItsOwnLimit) {
  const ShareProblem problem{
      {10.0}, {{0, {{0}}, 1.0, 0}, {0, {{0}}, kUnlimited, 1}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(1.0), close_to(5.0 - 1.0), close_to(5.0)));
}

TEST(MaxMinShare, ChunksOfEqualAgeShareTheirIssuersPartEqually) {
  const ShareProblem problem{{10.0}, {{0, {{0}}}, {0, {{0}}}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(2.5), close_to(2.5), close_to(5.0)));
}

// 1 x + 3 x = 12
TEST(MaxMinShare, ChunksOfEqualAgeProgressEqually) {
  const ShareProblem problem{{12.0}, {{0, {{0, 1.0}}}, {0, {{0, 3.0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(3.0), close_to(3.0)));
}

TEST(MaxMinShare, OneFoldedUserBehavesAsItsMembers) {
  // Four members of one issuer on one link of capacity 8 beside a kernel: 4 for the issuer, 1 each.
  const ShareProblem folded{{8.0}, {{0, {{0, 1.0, 4.0}}}, {1, {{0}}}}, {}};
  const ShareProblem unfolded{
      {8.0}, {{0, {{0}}}, {0, {{0}}}, {0, {{0}}}, {0, {{0}}}, {1, {{0}}}}, {}};

  EXPECT_THAT(solve(folded), ElementsAre(close_to(1.0), close_to(4.0)));
  EXPECT_THAT(
      solve(unfolded),
      ElementsAre(close_to(1.0), close_to(1.0), close_to(1.0), close_to(1.0), close_to(4.0)));
}

TEST(MaxMinShare, FoldedUsersOfEqualAgeShareByMembers) {
  // Classes of 1 and 3 members of one issuer: 8 / 4 for each member.
  const ShareProblem problem{{8.0}, {{0, {{0, 1.0, 1.0}}}, {0, {{0, 1.0, 3.0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(2.0), close_to(2.0)));
}

TEST(MaxMinShare, AnIssuerPerMemberHasAShareForEachMember) {
  // Four DMA queues and a kernel are five issuers.
  const ShareProblem problem{
      {10.0}, {{0, {{0, 1.0, 4.0}}}, {1, {{0}}}}, {{1.0, true}, {1.0, false}}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(10.0 / 5), close_to(10.0 / 5)));
}

TEST(MaxMinShare, TheWeightOfAnIssuerPerMemberAppliesToEachMember) {
  // Four queues of weight 2 and a kernel of weight 1: 9 parts.
  const ShareProblem problem{
      {18.0}, {{0, {{0, 1.0, 4.0}}}, {1, {{0}}}}, {{2.0, true}, {1.0, false}}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(18.0 * 2 / 9), close_to(18.0 * 1 / 9)));
}

// User 0 is limited by resource 0, user 1 by resource 1, and both use both:
//   2 x + 1 y = 1,  1 x + 2 y = 1.
TEST(MaxMinShare, UsersThatLimitEachOtherInACycleSolveCoupledEquations) {
  const ShareProblem problem{
      {1.0, 1.0}, {{0, {{0, 2.0}, {1, 1.0}}}, {1, {{0, 1.0}, {1, 2.0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(1.0 / 3), close_to(1.0 / 3)));
}

//   3 x + 1 y = 1,  1 x + 2 y = 1   gives x = 1/5, y = 2/5; x has the larger share (3/5) of
// resource 0, y (4/5) of resource 1.
TEST(MaxMinShare, AnUnevenCycleSolvesItsEquations) {
  const ShareProblem problem{
      {1.0, 1.0}, {{0, {{0, 3.0}, {1, 1.0}}}, {1, {{0, 1.0}, {1, 2.0}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(1.0 / 5), close_to(2.0 / 5)));
}

// More for user 0 on resource 3 leaves less of resource 1 to user 2, which leaves more of resource
// 0 to the younger user 4, which takes it from user 0 on resource 3: a change returns eight
// times as large and reversed. With user 3 at its limit of 1, and nothing left for user 1,
//   1 x3 + 8 x0 + 1 x2 = 16,  2 x2 + 1 x4 = 20,  1 x3 + 8 x0 + 4 x4 = 8.
TEST(MaxMinShare, ACycleThatAmplifiesChangesIsSolved) {
  const ShareProblem problem{{20.0, 16.0, 8.0, 8.0},
                             {{0, {{1, 8.0}, {2, 8.0}, {3, 8.0}}},
                              {2, {{0, 4.0}, {1, 1.0}, {2, 32.0}}, kUnlimited, 1},
                              {2, {{0, 2.0}, {1, 1.0}}},
                              {1, {{1, 1.0}, {3, 1.0}}, 1.0},
                              {2, {{0, 1.0}, {3, 4.0}}, 1.0, 3}},
                             {{2.0}, {1.0}, {1.0}}};

  const double x0 = (7.0 - 4.0 * (20.0 - 2.0 * 15.0)) / (8.0 + 4.0 * 16.0);
  const double x2 = 15.0 - 8.0 * x0;
  // The solver stops when nothing changes by more than 1e-12 of itself; x2 is about 10, and the
  // cycle amplifies an error by eight.
  EXPECT_THAT(solve(problem), Pointwise(DoubleNear(1e-10), {x0, 0.0, x2, 1.0, 20.0 - 2.0 * x2}));
}

// Two collectives of three ranks each around six memories, whose messages pass through a memory of
// the other one: 4 x for each pair of ranks at their own memories and where they pass. Full
// memories (4 + 4 + 4) x = 60 are also possible with more for one pair and less for others, and
// equally fair.
TEST(MaxMinShare, EquivalentUsersGetEqualRatesWhenSharesAreNotUnique) {
  ShareProblem problem{std::vector<double>(6, 60.0), {}, {}};
  for (std::uint32_t rank = 0; rank < 6; ++rank) {
    const std::uint32_t between = (rank + 1) % 6;
    const std::uint32_t other = (rank + 2) % 6;
    const std::uint32_t collective = rank % 2;
    problem.users.push_back({collective, {{rank, 1.0}, {other, 3.0}, {between, 2.0}}});
    problem.users.push_back({collective, {{other, 1.0}, {rank, 3.0}, {between, 2.0}}});
  }

  std::vector<std::uint32_t> order(6);
  std::iota(order.begin(), order.end(), 0U);
  do {
    MaxMinShare sharing;
    EXPECT_THAT(solve(sharing, problem, order),
                Pointwise(DoubleNear(1e-10), std::vector<double>(12, 5.0)));
  } while (std::ranges::next_permutation(order).found);
}

// The younger chunk of issuer 1 is first on link 0 but behind on link 1, where the older one takes
// all of the issuer's half: 5. So it gets nothing, and what it cannot use of link 0 goes to the two
// users of issuer 0: 5 for the one that is limited to its half of link 1, and 5 for the other.
TEST(MaxMinShare, AChunkStalledOnOneLinkTakesNoShareOfAnother) {
  const ShareProblem problem{
      {10.0, 10.0},
      {{0, {{0}}}, {0, {{0}, {1}}}, {1, {{1}}, kUnlimited, 0}, {1, {{0}, {1}}, kUnlimited, 1}},
      {}};

  EXPECT_THAT(solve(problem),
              ElementsAre(close_to(5.0), close_to(5.0), close_to(5.0), close_to(0.0)));
}

TEST(MaxMinShare, AUserThatDrawsOnNothingRunsAtItsLimit) {
  const ShareProblem problem{{10.0}, {{0, {}, 3.0}, {1, {{0}}}, {2, {}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(3.0, close_to(10.0), kUnlimited));
}

TEST(MaxMinShare, AProblemWithoutUsersHasNoRates) {
  EXPECT_TRUE(solve(ShareProblem{{10.0}, {}, {}}).empty());
  EXPECT_TRUE(solve(ShareProblem{}).empty());
}

TEST(MaxMinShare, AnUnusedResourceDoesNotMatter) {
  const ShareProblem problem{{3.0, 10.0, 5.0}, {{0, {{1}}}, {1, {{1}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(5.0), close_to(5.0)));
}

TEST(MaxMinShare, AVerySmallResourceLimitsOnlyItsOwnFlow) {
  // 1 B/s and 1 PB/s: the flow through both leaves all but 1 B/s to the other.
  const ShareProblem problem{{1.0, 1e15}, {{0, {{0}, {1}}}, {1, {{1}}}}, {}};

  EXPECT_THAT(solve(problem), ElementsAre(close_to(1.0), DoubleNear(1e15 - 1.0, 1.0)));
}

TEST(MaxMinShare, ASolverForgetsThePreviousProblem) {
  const ShareProblem first{{1.0, 1.0}, {{0, {{0, 2.0}, {1, 1.0}}}, {1, {{0, 1.0}, {1, 2.0}}}}, {}};
  const ShareProblem second{{10.0}, {{0, {{0}}, 2.0}, {1, {{0}}}}, {}};
  MaxMinShare sharing;

  solve(sharing, first, {0, 1});
  const std::vector<double> again = solve(sharing, second, {0});

  EXPECT_EQ(again, solve(second));
}

// Two users cross all resources; the last one examined is the narrowest and limits both.
std::uint64_t effort_of_crossing(std::uint32_t resources) {
  ShareProblem problem{std::vector<double>(resources, 2.0), {{0, {}}, {1, {}}}, {}};
  problem.capacities.back() = 1.0;
  for (ShareUser& user : problem.users) {
    for (std::uint32_t r = 0; r < resources; ++r) {
      user.draws.push_back({r});
    }
  }
  std::vector<std::uint32_t> order(resources);
  std::iota(order.begin(), order.end(), 0U);
  MaxMinShare sharing;
  EXPECT_THAT(solve(sharing, problem, order), ElementsAre(close_to(0.5), close_to(0.5)));
  return sharing.effort();
}

TEST(MaxMinShare, EffortGrowsWithTheUsesOfAUserNotWithTheirSquare) {
  // Twice as many uses: twice the effort if linear, four times if each use is compared with all.
  EXPECT_LT(effort_of_crossing(200), 3 * effort_of_crossing(100));
}

}  // namespace
}  // namespace cairn::sim
