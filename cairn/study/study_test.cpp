#include "cairn/study/study.hpp"

#include <gtest/gtest.h>

#include "cairn/study/mc_dla.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

// Other studies are counted where their tests run them as they are shipped.
TEST(Studies, SayAboutHowManyEvaluationsTheyTake) {
  EXPECT_FALSE(run_shipped(run_mc_dla, "mc-dla", {}).claims.empty());
}

}  // namespace
}  // namespace cairn::study
