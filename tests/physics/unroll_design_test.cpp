// Simulating one micro-batch for several must not change the result of a training step.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <string_view>

#include "cairn/evaluate.hpp"
#include "tests/physics/random_design.hpp"

namespace cairn {
namespace {

using explain::StepResult;

// Fails unless the values agree: times to 1 ps per event of the unrolled step, others to rounding.
class Comparison {
 public:
  explicit Comparison(const StepResult& unrolled)
      : tolerance_(1e-12 * (static_cast<double>(unrolled.events) + 0.5)) {}

  void times(const std::string& what, Seconds looped, Seconds unrolled) const {
    check(what, looped.si(), unrolled.si(), tolerance_);
  }

  template <class Quantity>
  void values(const std::string& what, Quantity looped, Quantity unrolled) const {
    check(what, looped.si(), unrolled.si(), 1e-9 * std::abs(unrolled.si()));
  }

  static void check(const std::string& what, double looped, double unrolled, double tolerance) {
    if (std::abs(looped - unrolled) > tolerance) {
      RC_FAIL(fmt::format("{}: looped {:.17g}, unrolled {:.17g}", what, looped, unrolled));
    }
  }

 private:
  double tolerance_;
};

void compare(const StepResult& looped, const StepResult& unrolled) {
  const Comparison same(unrolled);
  same.times("step", looped.step_time, unrolled.step_time);
  same.times("compute", looped.breakdown.compute, unrolled.breakdown.compute);
  same.times(
      "communication alone", looped.breakdown.communication, unrolled.breakdown.communication);
  same.times("communication exposed",
             looped.breakdown.communication_exposed,
             unrolled.breakdown.communication_exposed);
  same.times("memory exposed", looped.breakdown.memory_exposed, unrolled.breakdown.memory_exposed);
  same.times("idle", looped.breakdown.idle, unrolled.breakdown.idle);
  same.values("peak memory", looped.peak_memory, unrolled.peak_memory);
  same.values("bound of memory", looped.memory_bound, unrolled.memory_bound);
  same.values("recomputed", looped.recomputed, unrolled.recomputed);
  same.values("traffic", looped.traffic, unrolled.traffic);
  same.values("energy", looped.energy(), unrolled.energy());
  RC_ASSERT(looped.breakdown_stage == unrolled.breakdown_stage);
  RC_ASSERT(looped.bound.kind == unrolled.bound.kind);
  RC_ASSERT(looped.peak_at == unrolled.peak_at);
  RC_ASSERT(looped.resources.size() == unrolled.resources.size());
  RC_ASSERT(looped.collectives.size() == unrolled.collectives.size());
  for (std::size_t i = 0; i < looped.collectives.size(); ++i) {
    RC_ASSERT(looped.collectives[i].times == unrolled.collectives[i].times);
  }
  RC_ASSERT(looped.activities.size() == unrolled.activities.size());
  for (std::size_t i = 0; i < looped.activities.size(); ++i) {
    const double runs = unrolled.activities[i].runs;
    Comparison::check("runs", looped.activities[i].runs, runs, 1e-9 * runs);
    same.times("activities", looped.activities[i].time, unrolled.activities[i].time);
  }
}

class UnrollingDesignsOf : public testing::TestWithParam<random_case::Network> {};

TEST_P(UnrollingDesignsOf, ChangesNothing) {
  int repeated = 0;
  EXPECT_TRUE(rc::check(GetParam().name, [&] {
    const std::string text = random_case::design(GetParam(), random_case::MicroBatches::kMany);
    RC_LOG() << text << '\n';
    Design design = random_case::read(text);
    const auto looped = evaluate(design);
    design.unroll = true;
    const auto unrolled = evaluate(design);

    RC_ASSERT(static_cast<bool>(looped) == static_cast<bool>(unrolled));
    if (!looped) {
      RC_ASSERT(looped.reason().limit() == unrolled.reason().limit());
      RC_ASSERT(looped.reason().detail == unrolled.reason().detail);
      return;
    }
    RC_ASSERT(unrolled->micro_batches.simulated == unrolled->micro_batches.of);
    const bool repeats = looped->micro_batches.simulated < looped->micro_batches.of;
    RC_TAG(!repeats                                ? looped->micro_batches.not_repeated
           : looped->micro_batches.simulated == 3U ? "a loop"
                                                   : "a steady state");
    repeated += repeats ? 1 : 0;
    compare(*looped, *unrolled);
  }));
  RecordProperty("repeated", repeated);
  const bool updates_rows = std::string_view(GetParam().name) == "recommendation";
  EXPECT_TRUE(repeated > 0 || updates_rows) << "no design was a loop, so nothing was compared";
}

INSTANTIATE_TEST_SUITE_P(RandomDesigns,
                         UnrollingDesignsOf,
                         testing::ValuesIn(random_case::networks()),
                         [](const auto& network) { return std::string(network.param.name); });

}  // namespace
}  // namespace cairn
