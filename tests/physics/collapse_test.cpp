// Collapsed steps against steps one by one: the same alone, close to it in company.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cairn/comm/algorithm.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

constexpr const char* kSymmetric[] = {"ring:9@25GB/s,500ns",
                                      "rings:8x3@25GB/s,333ns",
                                      "torus:4x4@50GB/s,25GB/s,100ns,500ns",
                                      "torus:2x3x4@200GB/s,25GB/s,37GB/s,72ns,402ns,100ns",
                                      "switch:12@25GB/s,500ns",
                                      "fully_connected:7@25GB/s,500ns",
                                      "fat_tree:4x4@25GB/s,500ns",
                                      "mc_dla_ring:8x3@25GB/s,200ns"};

std::uint32_t steps_of(const comm::Schedule& schedule) {
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

// Calls check(platform, collective, algorithm) for all that have several steps.
template <class Check>
void for_all_symmetric(Check check) {
  for (const char* text : kSymmetric) {
    const auto platform = platform_of(text);
    const comm::Layout layout = comm::make_layout(platform, {});
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

TEST(CollapsedSteps, TakeAsLongAsTheStepsWhenAlone) {
  for_all_symmetric([](const comm::Layout& layout,
                       const comm::Collective& collective,
                       const comm::Algorithm& algorithm) {
    CollectiveOptions options{.algorithm = std::string(algorithm.name), .chunks = 1};
    const auto collapsed = run(*layout.platform, collective, options);
    options.steps = true;
    const auto expanded = run(*layout.platform, collective, options);

    // Each step by itself is rounded up to a picosecond, and so is each phase.
    const double picoseconds = std::abs((collapsed.time - expanded.time).si()) * 1e12;
    EXPECT_LE(picoseconds, steps_of(algorithm.schedule(collective, layout)) + 0.5)
        << layout.platform->name << " " << algorithm.name << " " << comm::info(collective.op).name;
  });
}

// In company, chunks of the same collective: collapsed steps leave gaps of latency that others
// fill evenly, expanded ones in turns. They differ by less than 3 %.
TEST(CollapsedSteps, AreCloseToTheStepsWhenChunksOverlap) {
  double largest = 0.0;
  for_all_symmetric([&](const comm::Layout& layout,
                        const comm::Collective& collective,
                        const comm::Algorithm& algorithm) {
    CollectiveOptions options{.algorithm = std::string(algorithm.name), .chunks = 8};
    const auto collapsed = run(*layout.platform, collective, options);
    options.steps = true;
    const auto expanded = run(*layout.platform, collective, options);

    const double difference = relative_error(collapsed.time, expanded.time);
    largest = std::max(largest, difference);
    EXPECT_LT(difference, 0.03) << layout.platform->name << " " << algorithm.name << " "
                                << comm::info(collective.op).name << ": " << collapsed.time.si()
                                << " s collapsed, " << expanded.time.si() << " s step by step";
  });
  RecordProperty("largest_difference", std::to_string(largest));
}

}  // namespace
}  // namespace cairn
