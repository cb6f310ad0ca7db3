#include "cairn/study/ace.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

StudyResult ace(const Settings& settings = {}) {
  return run_shipped(run_ace, "ace", settings);
}

const StudyResult& the_study() {
  static const StudyResult kResult = ace();
  return kResult;
}

double finding(const std::string& name) {
  return the_study().findings.at(name);
}

// On L x V x H, per byte of payload: 2(L-1)/L + 2(V-1)/(V L) + 2(H-1)/(H L) bytes are sent; the
// slowest of 400, 50 and 50 GB/s sets the time; cores read 1.5 per byte sent, the engine 1.
TEST(AceStudy, ReproducesTheTableOfEndpointCosts) {
  for (const auto& [l, v, h] : {std::tuple(4.0, 2.0, 2.0),
                                std::tuple(4.0, 4.0, 2.0),
                                std::tuple(4.0, 4.0, 4.0),
                                std::tuple(4.0, 8.0, 4.0)}) {
    const double local = 2.0 * (l - 1.0) / l;
    const double vertical = 2.0 * (v - 1.0) / (v * l);
    const double horizontal = 2.0 * (h - 1.0) / (h * l);
    const double sent = local + vertical + horizontal;
    const double seconds = std::max({local / 400e9, vertical / 50e9, horizontal / 50e9});
    const std::string of = fmt::format("paper.{}x{}x{}", l, v, h);

    EXPECT_NEAR(finding("sent." + of), sent, 1e-9);
    EXPECT_NEAR(finding("driven." + of) * 1e9 * seconds / sent, 1.0, 0.02);
    EXPECT_NEAR(finding("need.cores." + of) * 1e9 * seconds / (1.5 * sent), 1.0, 0.02);
    EXPECT_NEAR(finding("need.engine." + of) * 1e9 * seconds, 1.0, 0.02);
    EXPECT_NEAR(finding("ratio." + of) / (1.5 * sent), 1.0, 0.02);
  }
}

TEST(AceStudy, CountsEveryAccessBesideThePapersRule) {
  EXPECT_NEAR(finding("read.exact.4x4x4"), 3.75, 1e-9);
  EXPECT_NEAR(finding("written.exact.4x4x4"), 2.625, 1e-9);
}

// Slope 1/1.5 until links are full: 450 GB/s and 6 SMs of 80 GB/s on 64 NPUs, 600 and 8 on 16; the
// engine at 133 and 200.
TEST(AceStudy, FindsWhereEndpointsSaturateTheNetwork) {
  for (const char* npus : {"16", "64"}) {
    EXPECT_NEAR(finding(std::string("slope.") + npus), 1.0 / 1.5, 0.01);
  }
  EXPECT_EQ(finding("saturates.64.memory"), 450.0);
  EXPECT_EQ(finding("saturates.64.sms"), 6.0);
  EXPECT_EQ(finding("saturates.16.memory"), 600.0);
  EXPECT_EQ(finding("saturates.16.sms"), 8.0);
  EXPECT_LE(finding("saturates.64.engine"), 200.0);
}

TEST(AceStudy, DrivesWhatItsReservationsAllow) {
  EXPECT_NEAR(finding("driven.64.comm_opt"), 300.0, 6.0);
  EXPECT_NEAR(finding("driven.64.comp_opt"), 128.0 / 1.5, 2.0);
  EXPECT_NEAR(finding("driven.64.ace"), 128.0 * 2.25, 6.0);
}

TEST(AceStudy, JudgesAllClaims) {
  EXPECT_EQ(the_study().claims.size(), 9U);
  for (const Claim& claim : the_study().claims) {
    EXPECT_EQ(claim.verdict(), Verdict::kHolds) << claim.id << " " << claim.ours.value_or(0.0);
  }
}

TEST(AceStudy, RefusesSizesThatAreNoTorus) {
  EXPECT_THAT(complaint(ace, {"sizes=[[4, 4]]"}), HasSubstr("sizes"));
  EXPECT_THAT(complaint(ace, {"memory=[]"}), HasSubstr("memory"));
  EXPECT_THAT(complaint(ace, {"device=h2000"}), HasSubstr("h200"));
}

}  // namespace
}  // namespace cairn::study
