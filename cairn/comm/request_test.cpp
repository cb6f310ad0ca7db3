#include "cairn/comm/request.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using platform::read_platform;

constexpr const char* kSwitch = "switch:8@25GB/s,500ns";

// Two groups of four devices.
struct TwoGroups {
  TwoGroups(const char* text, Op op) : platform(read_platform(text, {})) {
    request = {.collective = {.op = op}, .all = &all, .groups = {{0, 1, 2, 3}, {4, 5, 6, 7}}};
  }

  platform::Platform platform;
  GroupLayout all = make_group_layout(platform, {});
  Request request{};
};

TEST(SupportedAlgorithms, AllToAllIsDirect) {
  const TwoGroups groups(kSwitch, Op::kAllToAll);

  const auto supported = supported_algorithms(groups.request);

  ASSERT_EQ(supported.size(), 1U);
  EXPECT_EQ(supported[0].algorithm, &kDirect);
}

TEST(CheckAlgorithm, NamesTheAlgorithmsThatSupportTheRequest) {
  const TwoGroups groups(kSwitch, Op::kAllToAll);

  EXPECT_FALSE(check_algorithm(groups.request, {.algorithm = &kDirect}));
  const auto reason = check_algorithm(groups.request, {.algorithm = &kRing});

  ASSERT_TRUE(reason);
  EXPECT_NE(reason->detail.find("(use direct)"), std::string::npos) << reason->detail;
}

// A ring all-reduce has two messages per device: reduce-scatter and all-gather.
TEST(Messages, AreThoseOfAllGroupsOrOfOneDevice) {
  const TwoGroups groups(kSwitch, Op::kAllReduce);

  EXPECT_DOUBLE_EQ(messages(groups.request, {.algorithm = &kRing}, false), 2 * 8);
  EXPECT_DOUBLE_EQ(messages(groups.request, {.algorithm = &kRing}, true), 2);
  EXPECT_FALSE(check_messages(groups.request, {.algorithm = &kRing}, false));
}

TEST(FoldsByStatement, NeedsASymmetricPlatformAndAlgorithm) {
  const TwoGroups symmetric(kSwitch, Op::kAllReduce);
  const TwoGroups mesh("mesh:4x2@25GB/s,500ns", Op::kAllReduce);

  EXPECT_TRUE(folds_by_statement(symmetric.request, {.algorithm = &kDirect}));
  EXPECT_FALSE(folds_by_statement(symmetric.request, {.algorithm = &kDoubleBinaryTree}));
  EXPECT_FALSE(folds_by_statement(mesh.request, {.algorithm = &kDirect}));
}

}  // namespace
}  // namespace cairn::comm
