#include "cairn/study/study.hpp"

#include <gtest/gtest.h>

#include "cairn/study/mc_dla.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

// The tests of the other studies check theirs.
TEST(Studies, StateTheirNumberOfEvaluations) {
  EXPECT_FALSE(run_shipped("mc-dla", {}).claims.empty());
}

}  // namespace
}  // namespace cairn::study
