// Invariants of a step's record, on any system.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

struct Case {
  const char* model;
  const char* platform;
  const char* parallelism;
};

constexpr std::array kCases{Case{"alexnet", "dc-dla", "data"},
                            Case{"alexnet", "hc-dla", "model"},
                            Case{"alexnet", "mc-dla-star-a", "one_weird_trick"},
                            Case{"resnet-34", "mc-dla-ring", "data"},
                            Case{"rnn-gru", "mc-dla-ring", "model"}};

explain::StepResult run(const Case& what, bool record, bool fold = true, bool locate = false) {
  const std::filesystem::path data = CAIRN_DATA_FOLDER;
  const std::string text =
      std::string("model: ") + what.model + "\nplatform: " + what.platform +
      "\ndevice: mc-dla\nstrategy: {batch: 256, parallelism: " + what.parallelism +
      "}\ncollectives: {algorithm: {all_reduce: rings}}\nmemory: {offload: everything}\n";
  Design design = read_design(parse_config(text, "design"), DataFolders::in({data})).value();
  design.machine.fold = fold;
  design.machine.locate_links = locate;
  return evaluate(design, record ? Detail::kRecord : Detail::kResult).value();
}

TEST(StepRecord, IsEmptyUnlessRequested) {
  const auto result = run(kCases[0], false);

  EXPECT_TRUE(result.record.spans.empty());
  EXPECT_TRUE(result.record.draws.empty());
  EXPECT_TRUE(result.record.operators.empty());
  EXPECT_EQ(result.step_time, run(kCases[0], true).step_time);
}

TEST(StepRecord, SpansBeginAfterTheirDependenciesEnd) {
  for (const Case& what : kCases) {
    const auto result = run(what, true);
    EXPECT_FALSE(result.record.flows.empty());
    for (const auto& [from, to] : result.record.flows) {
      EXPECT_GE(result.record.spans[to].begin, result.record.spans[from].end)
          << what.platform << ": " << result.record.spans[to].name;
    }
  }
}

// Folded and unfolded runs have the same traffic per link, and the total matches.
TEST(StepRecord, LinkTrafficIsTheSameFoldedOrNot) {
  for (const Case& what : kCases) {
    const auto folded = run(what, true, true, true);
    const auto every = run(what, true, false, true);
    const std::vector<Bytes>& traffic = folded.record.traffic_by_link;
    ASSERT_FALSE(traffic.empty());
    ASSERT_EQ(traffic.size(), every.record.traffic_by_link.size());
    Bytes sum(0.0);
    for (std::size_t link = 0; link < traffic.size(); ++link) {
      sum += traffic[link];
      EXPECT_NEAR(
          traffic[link].si(), every.record.traffic_by_link[link].si(), 1e-9 * folded.traffic.si())
          << what.platform << ": link " << link;
    }
    EXPECT_NEAR(sum / folded.traffic, 1.0, 1e-9) << what.platform;
    EXPECT_TRUE(run(what, true).record.traffic_by_link.empty());
  }
}

TEST(StepRecord, SpansOfAKindAndClassDoNotOverlap) {
  for (const Case& what : kCases) {
    const auto result = run(what, true);
    std::map<std::pair<std::uint32_t, memory::ActionKind>, Seconds> end;
    for (const explain::NamedSpan& span : result.record.spans) {
      Seconds& before = end[{span.device_class, span.kind}];
      EXPECT_GE(span.begin, before) << what.platform << ": " << span.name;
      EXPECT_GE(span.begin, span.submitted);
      EXPECT_GE(span.end, span.begin);
      before = span.end;
    }
    for (const auto& [row, last] : end) {
      EXPECT_LE(last, result.step_time);
    }
  }
}

// They run at once, so each has a channel of its own: none is shown to wait for another.
TEST(StepRecord, ContentionFreeExchangesBeginWhenSubmitted) {
  const std::string text =
      "model: alexnet\ndevice: mc-dla\nplatform: mc-dla-ring\n"
      "strategy: {batch: 256, gradient_sync: contention_free}\n";
  const Design design =
      read_design(parse_config(text, "design"), DataFolders::in({CAIRN_DATA_FOLDER})).value();

  const auto result = evaluate(design, Detail::kRecord).value();

  std::set<std::string> rows;
  Seconds overlap(0.0);
  Seconds last(0.0);
  for (const explain::NamedSpan& span : result.record.spans) {
    if (span.kind == memory::ActionKind::kExchange) {
      EXPECT_EQ(span.begin, span.submitted) << span.name;
      EXPECT_TRUE(rows.insert(result.record.channels[span.channel].name).second) << span.name;
      overlap += std::max(last - span.begin, Seconds(0.0));
      last = std::max(last, span.end);
    }
  }
  EXPECT_EQ(rows.size(), 8U);  // weights
  EXPECT_TRUE(rows.contains("collectives") && rows.contains("collectives (8)"));
  EXPECT_GT(overlap, Seconds(0.0));
}

TEST(StepRecord, DrawsAddUpToResourceTraffic) {
  for (const Case& what : kCases) {
    const auto result = run(what, true);
    std::map<std::string, double> drawn;
    for (const explain::SpanDraw& draw : result.record.draws) {
      drawn[result.record.resources[draw.resource]] += draw.drawn;
    }
    std::map<std::string, double> traffic;
    for (const explain::ResourceUse& use : result.resources) {
      traffic[use.name] += use.traffic.si();
    }
    ASSERT_EQ(drawn.size(), traffic.size()) << what.platform;
    for (const auto& [name, bytes] : traffic) {
      EXPECT_NEAR(drawn[name], bytes, 1e-6 * bytes) << what.platform << ": " << name;
    }
  }
}

TEST(StepRecord, TheBreakdownAddsUpToTheStep) {
  for (const Case& what : kCases) {
    const auto result = run(what, false);
    const explain::Breakdown& b = result.breakdown;

    const Seconds sum = b.compute + b.communication_exposed + b.memory_exposed + b.idle;

    EXPECT_NEAR(sum / result.step_time, 1.0, 1e-9) << what.platform;
  }
}

// Kernels take their own time, and longer only where they share memory with transfers.
TEST(StepRecord, ActivitiesCountTheWork) {
  for (const Case& what : kCases) {
    const auto result = run(what, true);
    const auto total = [&](memory::ActionKind kind) {
      return result.activities[static_cast<std::size_t>(kind)];
    };
    std::uint64_t spans_of_first_class = 0;
    std::uint64_t count = 0;
    for (const explain::NamedSpan& span : result.record.spans) {
      spans_of_first_class += span.device_class == 0 ? 1U : 0U;
    }
    for (const explain::ActivityTotal& activity : result.activities) {
      count += activity.count();
      EXPECT_LE(activity.time, result.step_time);
    }
    const Seconds of_transfers =
        total(memory::ActionKind::kOffload).time + total(memory::ActionKind::kPrefetch).time;

    EXPECT_EQ(count, spans_of_first_class);
    EXPECT_EQ(total(memory::ActionKind::kOffload).count(),
              total(memory::ActionKind::kPrefetch).count());
    EXPECT_GE(total(memory::ActionKind::kKernel).time + total(memory::ActionKind::kRecompute).time,
              result.breakdown.compute * (1.0 - 1e-9));
    // No device here has more than six links of 25 GB/s.
    EXPECT_GE(of_transfers, result.moved * 2.0 / BytesPerSecond(150e9)) << what.platform;
  }
}

TEST(StepRecord, FoldedActivitiesMatchEveryDevice) {
  const auto folded = run(kCases[0], false);
  const auto unfolded = run(kCases[0], false, false);

  EXPECT_LT(folded.class_members.size(), unfolded.class_members.size());
  EXPECT_EQ(unfolded.class_members.size(), unfolded.devices);
  for (std::size_t k = 0; k < explain::kActionKinds; ++k) {
    EXPECT_EQ(folded.activities[k].count(), unfolded.activities[k].count());
    EXPECT_NEAR(folded.activities[k].time.si(),
                unfolded.activities[k].time.si(),
                1e-12 * static_cast<double>(unfolded.events));
  }
}

TEST(StepRecord, ThePeakIsReachedAtAKernelOfTheModel) {
  const auto result = run(kCases[0], true);

  bool found = false;
  for (const explain::NamedSpan& span : result.record.spans) {
    found = found || span.name == result.peak_at;
  }
  EXPECT_TRUE(found) << result.peak_at;
}

}  // namespace
}  // namespace cairn
