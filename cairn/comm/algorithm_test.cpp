#include "cairn/comm/algorithm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cairn/comm/replay_test.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using platform::Platform;
using platform::read_platform;

// Platforms of every topology with about n devices, including odd counts.
std::vector<Platform> platforms(std::uint32_t n) {
  const std::string count = std::to_string(n);
  std::vector<Platform> all;
  for (const std::string& text : {"ring:" + count + "@25GB/s,500ns",
                                  "switch:" + count + "@25GB/s,500ns",
                                  "fully_connected:" + count + "@25GB/s,500ns",
                                  "torus:" + count + "x2@25GB/s,500ns",
                                  "torus:2x3x" + std::to_string(n / 4 + 1) + "@25GB/s,500ns",
                                  "mesh:" + count + "x2@25GB/s,500ns"}) {
    all.push_back(read_platform(text, {}));
  }
  if (n == 8) {
    all.push_back(read_platform("cube_mesh@25GB/s,500ns", {}));
  }
  return all;
}

// Calls check(algorithm, collective, layout) for all algorithms, operations and platforms.
template <class Check>
void for_all(Check check) {
  for (std::uint32_t n = 2; n <= 17; ++n) {
    for (const Platform& platform : platforms(n)) {
      const GroupLayout layout = make_group_layout(platform, {});
      for (const Algorithm* algorithm : algorithms()) {
        for (const OpInfo& op : ops()) {
          if (algorithm->supports(op.op, layout)) {
            SCOPED_TRACE(platform.name + " " + std::string(algorithm->name) + " " +
                         std::string(op.name));
            check(*algorithm,
                  Collective{.op = op.op,
                             .size = Bytes(1e6),
                             .group = {},
                             .root = layout.positions - 1,
                             .weights = {}},
                  layout);
          }
        }
      }
    }
  }
}

// Bytes that all positions send together, per byte of the collective's size.
double expected_share(const Algorithm& algorithm, Op op, const GroupLayout& layout) {
  const double n = layout.positions;
  if (algorithm.name == "hierarchical" && op == Op::kAllReduce && layout.grid.size() > 1) {
    const double first = layout.grid[0].width;
    double sent = 2.0 * (first - 1.0) / first;
    for (std::size_t d = 1; d < layout.grid.size(); ++d) {
      const double width = layout.grid[d].width;
      sent += 2.0 * (width - 1.0) / (width * first);
    }
    return n * sent;
  }
  switch (op) {
    case Op::kAllReduce:
      return 2.0 * (n - 1.0);
    case Op::kGather:
    case Op::kScatter:
      return (n - 1.0) / n;
    case Op::kSendReceive:
      return 1.0;
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kAllToAll:
    case Op::kBroadcast:
    case Op::kReduce:
      break;
  }
  return n - 1.0;
}

TEST(EveryAlgorithm, SendsTheBytesOfItsFormula) {
  for_all([](const Algorithm& algorithm, const Collective& collective, const GroupLayout& layout) {
    EXPECT_NEAR(total_share(algorithm.schedule(collective, layout)),
                expected_share(algorithm, collective.op, layout),
                1e-9);
  });
}

TEST(EveryAlgorithm, DeliversDataFromEveryRequiredSource) {
  for_all([](const Algorithm& algorithm, const Collective& collective, const GroupLayout& layout) {
    double payload = 0.0;
    for (const Part& part : algorithm.schedule(collective, layout).parts) {
      payload += part.share;
      const auto reached = reached_from(part, layout.positions);
      for (std::uint32_t p = 0; p < layout.positions; ++p) {
        const bool is_root = p == collective.root;
        const bool hears_all = !info(collective.op).rooted && collective.op != Op::kSendReceive;
        const bool to_root = collective.op == Op::kReduce || collective.op == Op::kGather;
        if (hears_all || (to_root && is_root)) {
          ASSERT_EQ(reached[p].size(), layout.positions) << "position " << p;
        } else if (info(collective.op).rooted && !to_root) {
          ASSERT_TRUE(reached[p].contains(collective.root)) << "position " << p;
        }
      }
    }
    EXPECT_NEAR(payload, 1.0, 1e-12);
  });
}

TEST(EveryAlgorithm, MessagesAreLargeEnoughForTheirBlocks) {
  for_all([](const Algorithm& algorithm, const Collective& collective, const GroupLayout& layout) {
    for (const Part& part : algorithm.schedule(collective, layout).parts) {
      auto steps = steps_of(part);
      if (collective.op == Op::kAllGather) {
        EXPECT_TRUE(gathers(steps, layout.positions));
      } else if (collective.op == Op::kReduceScatter) {
        EXPECT_TRUE(gathers(backwards(steps), layout.positions));
      } else if (collective.op == Op::kAllReduce && algorithm.name != "double_binary_tree" &&
                 (algorithm.name != "hierarchical" || layout.grid.size() < 3)) {
        // A reduce-scatter, and then an all-gather of the same length.
        const auto middle = static_cast<std::ptrdiff_t>(steps.size() / 2);
        EXPECT_TRUE(gathers({steps.begin() + middle, steps.end()}, layout.positions));
        EXPECT_TRUE(gathers(backwards({steps.begin(), steps.begin() + middle}), layout.positions));
      }
    }
  });
}

TEST(EveryAlgorithm, SendsOnlyBetweenPositionsOfTheGroup) {
  for_all([](const Algorithm& algorithm, const Collective& collective, const GroupLayout& layout) {
    for (const Part& part : algorithm.schedule(collective, layout).parts) {
      for (const Message& message : part.messages) {
        ASSERT_LT(message.from, layout.positions);
        ASSERT_LT(message.to, layout.positions);
        ASSERT_NE(message.from, message.to);
        ASSERT_GE(message.share, 0.0);
      }
    }
  });
}

TEST(ShiftInvariantAlgorithms, FirstPositionMatchesTheFullSchedule) {
  for_all([](const Algorithm& algorithm, const Collective& collective, const GroupLayout& layout) {
    if (!algorithm.shift_invariant(collective.op, layout)) {
      return;
    }
    GroupLayout first = layout;
    first.first_position_only = true;
    EXPECT_NEAR(total_share(algorithm.schedule(collective, first)) * layout.positions,
                total_share(algorithm.schedule(collective, layout)),
                1e-9);
  });
}

TEST(AllToAll, DividesThePayloadByTheWeightOfEachDisplacement) {
  const Platform platform = read_platform("ring:4@25GB/s", {});
  const Collective collective{.op = Op::kAllToAll,
                              .size = Bytes(1e6),
                              .group = {},
                              .root = 0,
                              .weights = {1.0, 2.0, 0.0, 5.0}};

  const CollectiveSchedule schedule = kDirect.schedule(collective, make_group_layout(platform, {}));

  for (const Message& message : schedule.parts.front().messages) {
    const std::uint32_t displacement = (message.to + 4 - message.from) % 4;
    EXPECT_DOUBLE_EQ(message.share, collective.weights[displacement] / 8.0);
  }
}

TEST(Algorithms, AreFoundByName) {
  for (const Algorithm* algorithm : algorithms()) {
    EXPECT_EQ(find_algorithm(algorithm->name), algorithm);
  }
  EXPECT_EQ(find_algorithm("rign"), nullptr);
}

}  // namespace
}  // namespace cairn::comm
