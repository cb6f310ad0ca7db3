// Collapsed steps against individual steps. Collapsed steps take as long as individual ones; steps
// that would not are not collapsed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "cairn/base/must_have.hpp"
#include "cairn/comm/algorithm.hpp"
#include "tests/physics/random_case.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

constexpr std::array kSymmetric{"ring:9@25GB/s,500ns",
                                "rings:8x3@25GB/s,333ns",
                                "torus:4x4@50GB/s,25GB/s,100ns,500ns",
                                "torus:2x3x4@200GB/s,25GB/s,37GB/s,72ns,402ns,100ns",
                                "switch:12@25GB/s,500ns",
                                "fully_connected:7@25GB/s,500ns",
                                "fat_tree:4x4@25GB/s,500ns",
                                "mc_dla_ring:8x3@25GB/s,200ns"};

std::uint32_t steps_of(const comm::CollectiveSchedule& schedule) {
  std::uint32_t most = 0;
  for (const comm::Part& part : schedule.parts) {
    std::uint32_t steps = 0;
    for (const comm::Phase& phase : part.phases) {
      steps += phase.steps;
    }
    most = std::max(most, steps);
  }
  return most;
}

// Calls check(platform, collective, algorithm) for all collectives with several steps.
template <class Check>
void for_all_symmetric(Check check) {
  for (const char* text : kSymmetric) {
    const auto platform = platform_of(text);
    const comm::GroupLayout layout = comm::make_group_layout(platform, {});
    for (const comm::Algorithm* algorithm : comm::algorithms()) {
      for (const comm::OpInfo& op : comm::ops()) {
        if (algorithm->supports(op.op, layout)) {
          check(layout,
                comm::Collective{.op = op.op, .size = Bytes(1e7), .group = {}, .weights = {}},
                *algorithm);
        }
      }
    }
  }
}

struct Comparison {
  explain::CollectiveResult collapsed;
  explain::CollectiveResult stepped;
  double picoseconds;  // difference of their times
  double rounding;     // maximum explained by rounding

  [[nodiscard]] bool agree() const { return picoseconds <= rounding; }

  [[nodiscard]] bool saved_events() const { return collapsed.events < stepped.events; }
};

// Events are rounded up to a picosecond: one for the latency and one for the transfer of each step
// of each chunk.
Comparison compare(const platform::Platform& platform,
                   const comm::Collective& collective,
                   CollectiveOptions options) {
  const comm::GroupLayout layout = comm::make_group_layout(platform, collective.group);
  const comm::Algorithm* algorithm = comm::find_algorithm(options.algorithm);
  options.steps = false;
  auto collapsed = run(platform, collective, options);
  options.steps = true;
  auto stepped = run(platform, collective, options);
  const double steps = algorithm == nullptr || layout.positions < 2
                           ? 0.0
                           : steps_of(algorithm->schedule(collective, layout));
  return {.collapsed = collapsed,
          .stepped = stepped,
          .picoseconds = std::abs((collapsed.time - stepped.time).si()) * 1e12,
          .rounding =
              2.0 * steps * must_have(options.chunks, "compare() is told how many chunks") + 0.5};
}

TEST(CollapsedSteps, TakeAsLongAsTheStepsOnRegularPlatforms) {
  for_all_symmetric([](const comm::GroupLayout& layout,
                       const comm::Collective& collective,
                       const comm::Algorithm& algorithm) {
    const std::string what = fmt::format(
        "{} {} {}", layout.platform->name, algorithm.name, comm::info(collective.op).name);
    for (const std::uint32_t chunks : {1U, 8U}) {
      const auto found = compare(*layout.platform,
                                 collective,
                                 {.algorithm = std::string(algorithm.name), .chunks = chunks});

      EXPECT_LE(found.picoseconds, found.rounding) << what << ", chunks " << chunks;
      if (chunks == 1 && steps_of(algorithm.schedule(collective, layout)) >
                             algorithm.schedule(collective, layout).parts.front().phases.size()) {
        EXPECT_TRUE(found.saved_events()) << what << " was not collapsed";
      }
    }
  });
}

// Four devices around a switch, the first with a higher latency; all share the link to the next
// switch, where lanes of unequal latency overlap only in part.
TEST(CollapsedSteps, AreNotUsedWhereLanesOfUnequalLatencyShareALink) {
  const auto platform = platform_of_yaml(
      "topology: graph\n"
      "nodes: [{name: d, count: 4}, {name: s, kind: switch}, {name: t, kind: switch}]\n"
      "links:\n"
      "  - {from: d0, to: s, bandwidth: 40 GB/s, latency: 3 us}\n"
      "  - {from: d1, to: t, bandwidth: 40 GB/s, latency: 100 ns}\n"
      "  - {from: d2, to: s, bandwidth: 40 GB/s, latency: 200 ns}\n"
      "  - {from: d3, to: t, bandwidth: 40 GB/s, latency: 300 ns}\n"
      "  - {from: s, to: t, bandwidth: 10 GB/s, latency: 1 us}\n");
  const auto found =
      compare(platform, {.size = Bytes(65536.0)}, {.algorithm = "ring", .chunks = 1});

  EXPECT_LE(found.picoseconds, found.rounding);
}

// Chunks fill the latency gaps of others, and a step waits for a gap.
TEST(CollapsedSteps, AreNotUsedForChunksThatOverlap) {
  const auto platform = platform_of("dgx2@25GB/s,500ns");
  const auto found =
      compare(platform, {.size = Bytes(12345677.0)}, {.algorithm = "ring", .chunks = 7});

  EXPECT_LE(found.picoseconds, found.rounding);
}

// Islands with fast links inside and slow ones between: a slow link limits every step.
TEST(CollapsedSteps, AreUsedWhereOneLinkIsAlwaysTheBottleneck) {
  const auto platform = platform_of_yaml(
      "topology: islands\nisland: \"switch:4@50GB/s,100ns\"\nbetween: \"ring:3@25GB/s,500ns\"\n");
  const auto found =
      compare(platform, {.size = Bytes(1e6)}, {.algorithm = "ring", .chunks = 1, .fold = false});

  EXPECT_LE(found.picoseconds, found.rounding);
  EXPECT_TRUE(found.saved_events());
}

class CollapsingOn : public testing::TestWithParam<random_case::Family> {};

TEST_P(CollapsingOn, ChangesNoTime) {
  int collapsed_cases = 0;
  EXPECT_TRUE(rc::check(GetParam().name, [&] {
    const std::string yaml = GetParam().yaml();
    const platform::Platform platform = platform_of_yaml(yaml);
    const comm::Collective collective = random_case::collective(platform);
    const CollectiveOptions options = random_case::options(platform, collective);

    const auto found = compare(platform, collective, options);

    collapsed_cases += found.saved_events() ? 1 : 0;
    if (!found.agree()) {
      RC_FAIL(fmt::format("collapsed {:.17g} s, step by step {:.17g} s: {} on\n{}",
                          found.collapsed.time.si(),
                          found.stepped.time.si(),
                          random_case::to_text(collective, options),
                          yaml));
    }
  }));
  RecordProperty("collapsed", collapsed_cases);
  EXPECT_GT(collapsed_cases, 0) << "nothing was collapsed, so nothing was compared";
}

INSTANTIATE_TEST_SUITE_P(RandomPlatforms,
                         CollapsingOn,
                         testing::ValuesIn(random_case::families()),
                         [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace cairn
