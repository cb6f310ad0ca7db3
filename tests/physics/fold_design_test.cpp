// Folding must not change the time of a training step.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>

#include "cairn/evaluate.hpp"
#include "tests/physics/random_design.hpp"

namespace cairn {
namespace {

class FoldingDesignsOf : public testing::TestWithParam<random_case::Network> {};

TEST_P(FoldingDesignsOf, ChangesNeitherTimeNorTraffic) {
  int folded_cases = 0;
  int infeasible = 0;
  EXPECT_TRUE(rc::check(GetParam().name, [&] {
    const std::string text = random_case::design(GetParam());
    RC_LOG() << text << '\n';
    Design design = random_case::read(text);
    const auto folded = evaluate(design);
    design.machine.fold = false;
    const auto unfolded = evaluate(design);

    RC_ASSERT(static_cast<bool>(folded) == static_cast<bool>(unfolded));
    if (!folded) {
      ++infeasible;
      RC_ASSERT(folded.reason().limit() == unfolded.reason().limit());
      return;
    }
    const double picoseconds =
        std::abs((folded->step_time - unfolded->step_time).si()) * unfolded->steps * 1e12;
    if (picoseconds > static_cast<double>(unfolded->events) + 0.5) {
      RC_FAIL(fmt::format("folded {:.17g} s, unfolded {:.17g} s ({} events)",
                          folded->step_time.si(),
                          unfolded->step_time.si(),
                          unfolded->events));
    }
    if (std::abs((folded->traffic - unfolded->traffic).si()) > 1e-9 * unfolded->traffic.si()) {
      RC_FAIL(fmt::format("folded carries {:.17g} B, unfolded {:.17g} B",
                          folded->traffic.si(),
                          unfolded->traffic.si()));
    }
    folded_cases += folded->class_members.size() < unfolded->class_members.size() ? 1 : 0;
  }));
  RecordProperty("folded", folded_cases);
  RecordProperty("infeasible", infeasible);
  EXPECT_GT(folded_cases, 0) << "nothing was folded, so nothing was compared";
}

// In a gradient all-reduce ranks read and write most in different phases. Eight in a ring could
// overlap both, were they not in lockstep; folded to one they cannot.
TEST(FoldingDesigns, HoldsForCoresThatShareMemoryWithKernels) {
  Design design = random_case::read(
      "{model: {network: dlrm}, device: a100, platform: \"ring:8@300GB/s,100ns\", "
      "endpoint: cores}");
  const explain::StepResult folded = evaluate(design).value();
  design.machine.fold = false;
  const explain::StepResult unfolded = evaluate(design).value();

  EXPECT_EQ(unfolded.events, 8 * folded.events);
  EXPECT_NEAR(
      folded.step_time.si(), unfolded.step_time.si(), 1e-12 * static_cast<double>(unfolded.events));
}

INSTANTIATE_TEST_SUITE_P(RandomDesigns,
                         FoldingDesignsOf,
                         testing::ValuesIn(random_case::networks()),
                         [](const auto& network) { return std::string(network.param.name); });

}  // namespace
}  // namespace cairn
