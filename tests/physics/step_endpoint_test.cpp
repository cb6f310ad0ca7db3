// Endpoints that execute collectives take resources of the device that kernels run on.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

Design design_of(const std::string& text) {
  return read_design(parse_config(text, "design"), DataFolders::in({CAIRN_DATA_FOLDER})).value();
}

std::string text_of(const std::string& endpoint, const std::string& more = "") {
  return fmt::format(
      "model: {{network: gpt, layers: 2, hidden: 256, heads: 4, vocab: 2000, seq: 64}}\n"
      "device: ace-npu\nplatform: ace-4x2x2\n"
      "strategy: {{batch: 4, batch_per: device}}\nendpoint: {}\n{}",
      endpoint,
      more);
}

explain::StepResult run(const std::string& endpoint, const std::string& more = "") {
  return evaluate(design_of(text_of(endpoint, more))).value();
}

TEST(StepEndpoint, ReservedLeavesKernelsTheRestOfTheDevice) {
  const std::string alone =
      "model: alexnet\ndevice: ace-npu\nplatform: \"ring:2@1GB/s\"\n"
      "strategy: {batch: 64, devices: 1}\n";
  Design reserved = design_of(
      alone + "endpoint: {executor: cores, sharing: reserved, sms: 6, memory: 450 GB/s}\n");
  Design smaller = design_of(alone);
  smaller.device.cores.count = 74.0;
  smaller.device.memory.bandwidth = BytesPerSecond(450e9);

  EXPECT_EQ(evaluate(reserved).value().step_time, evaluate(smaller).value().step_time);
  EXPECT_GT(evaluate(reserved).value().step_time, evaluate(design_of(alone)).value().step_time);
}

TEST(StepEndpoint, SharedTakesNothingWithoutExchanges) {
  const std::string alone =
      "model: alexnet\ndevice: ace-npu\nplatform: \"ring:2@1GB/s\"\n"
      "strategy: {batch: 64, devices: 1}\n";
  const auto ideal = evaluate(design_of(alone)).value();
  for (const char* endpoint : {"cores", "engine"}) {
    EXPECT_EQ(evaluate(design_of(alone + "endpoint: " + endpoint + "\n")).value().step_time,
              ideal.step_time);
  }
}

// Rounding of events to picoseconds is not exposed memory time.
TEST(StepEndpoint, IdealExposesNoMemoryTimeWithoutTransfers) {
  const auto result = run("ideal", "collectives: {algorithm: hierarchical}\nsteps: 2\n");
  EXPECT_EQ(result.breakdown.memory_exposed, Seconds(0.0));
}

TEST(StepEndpoint, IsFoldedExactly) {
  for (const char* endpoint : {"ideal", "cores", "engine", "comm-opt", "comp-opt", "ace"}) {
    for (const char* algorithm : {"hierarchical", "ring"}) {
      for (const char* order : {"in_turn", "fifo", "lifo"}) {
        Design design = design_of(text_of(
            endpoint,
            fmt::format(
                "collectives: {{algorithm: {}, order: {}}}\nsteps: 2\n", algorithm, order)));
        const auto folded = evaluate(design).value();
        design.machine.fold = false;
        const auto unfolded = evaluate(design).value();
        EXPECT_NEAR(folded.step_time.si(),
                    unfolded.step_time.si(),
                    1e-12 * static_cast<double>(unfolded.events))
            << endpoint << ' ' << algorithm << ' ' << order;
      }
    }
  }
}

// With the same cores and memory bandwidth for communication, an engine uses none of the cores and
// less of the bandwidth; the ideal endpoint uses nothing.
RC_GTEST_PROP(StepEndpoint, OfAnEngineIsBetweenIdealAndCores, ()) {
  const auto sms = *rc::gen::inRange(1, 40);
  const auto memory = *rc::gen::inRange(20, 700);
  const std::string accounting = *rc::gen::element<std::string>("paper", "exact");
  const std::string sharing = *rc::gen::element<std::string>("shared", "reserved");
  const std::string order = *rc::gen::element<std::string>("in_turn", "fifo", "lifo");
  const std::string updates = *rc::gen::element<std::string>("at_end", "before_use");
  const int steps = *rc::gen::inRange(1, 4);
  const std::string more = fmt::format(
      "collectives: {{algorithm: hierarchical, order: {}, chunk: 64 KiB}}\nsteps: {}\n{}",
      order,
      steps,
      steps > 1 ? fmt::format("training: {{updates: {}}}\n", updates) : std::string());
  const auto written = [&](const std::string& executor) {
    return fmt::format("{{executor: {}, accounting: {}, sharing: {}, memory: {} GB/s{}}}",
                       executor,
                       accounting,
                       sharing,
                       memory,
                       executor == "cores" ? fmt::format(", sms: {}", sms) : std::string());
  };
  const Seconds ideal = run("ideal", more).step_time;
  const Seconds engine = run(written("engine"), more).step_time;
  const Seconds cores = run(written("cores"), more).step_time;
  RC_ASSERT(ideal <= engine);
  RC_ASSERT(engine <= cores);
}

}  // namespace
}  // namespace cairn
