#include "cairn/explore/explore.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "cairn/explore/effort.hpp"

namespace cairn::explore {
namespace {

const DataFolders& folders() {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  return kFolders;
}

Request request_of(const std::string& text) {
  return read_request(parse_config(text, "search.yaml"), folders(), {});
}

constexpr const char* kDesign =
    "design: {model: alexnet, device: mc-dla, platform: mc-dla-ring, strategy: {batch: 256}}\n";

TEST(Explore, FindsTheOptimumOfAnExhaustiveLoop) {
  const Request request = request_of(std::string(kDesign) +
                                     "vary:\n"
                                     "  strategy.spread: {spread: [data, model], stages: [1]}\n"
                                     "  memory.offload: [none, everything]\n");

  const Exploration result = explore(request, folders());

  // Each design evaluated individually, without a search.
  double best = std::numeric_limits<double>::infinity();
  for (const search::Point& point : request.designs.space.all_points()) {
    const auto design =
        read_design(request.designs.config(request.designs.settings(point), folders()), folders());
    ASSERT_TRUE(design);
    if (const auto step = evaluate(*design)) {
      best = std::min(best, step->step_time.si());
    }
  }
  ASSERT_EQ(result.trials.size() + result.pruned, 8U);
  ASSERT_EQ(result.front.size(), 1U);
  EXPECT_EQ(result.trials[result.front[0]].finding.figure(metrics()[0]), best);
}

// Caches shared between trials must not mix designs: every varied key matters.
TEST(Explore, GivesEveryDesignTheResultOfAnIndividualRun) {
  for (const char* vary : {"training.updates: [before_use], steps: [1, 3]",
                           "collectives.order: [in_turn, lifo]",
                           "collectives.algorithm: [rings, ring]",
                           "collectives.chunk: [1 MB, 4 MB]",
                           "training.updates: [at_end, before_use]",
                           "launch.order: [program, ready]",
                           "memory.tables: [device, store]",
                           "memory.offload: [none, everything]",
                           "strategy.batch: [256, 512]",
                           "endpoint: [ideal, comp-opt]",
                           "page_placement: [local, bandwidth_aware]",
                           "platform: [mc-dla-ring, mc-dla-star-a]",
                           "device.cores.count: [512, 1024]"}) {
    SCOPED_TRACE(vary);
    const Request request =
        request_of(std::string(kDesign) + "vary: {device.memory.bandwidth: [300 GB/s, 900 GB/s], " +
                   vary + "}\nalgorithm: {prune: false}\n");

    const Exploration result = explore(request, folders(), {.threads = 1});

    ASSERT_EQ(result.trials.size(), 4U);
    for (const DesignTrial& trial : result.trials) {
      const auto settings = request.designs.settings(trial.point);
      Config config = request.designs.config(settings, folders());
      allow_unused(config);  // as updates before use are with one step
      const auto design = read_design(config, folders());
      ASSERT_TRUE(design);
      const auto step = evaluate(*design);
      ASSERT_EQ(bool(step), !trial.finding.figures.empty());
      if (step) {
        EXPECT_EQ(trial.finding.figure(metrics()[0]), step->step_time.si());
      }
    }
  }
}

// D descents of S steps over N numbers evaluate the point and N neighbours before the first step
// and after each: D (S + 1) (N + 1) designs unless a descent converges.
TEST(Effort, OfDescentsIsAnUpperBound) {
  const Request request =
      request_of(std::string(kDesign) +
                 "vary:\n"
                 "  memory.offload: [none, everything]\n"
                 "  device.memory.bandwidth: {from: 200 GB/s, to: 2000 GB/s}\n"
                 "  device.memory.latency: {from: 1 ns, to: 900 ns}\n"
                 "algorithm: {method: gradient_descent, starts: 3, steps: 4}\n");

  const Exploration result = explore(request, folders());

  EXPECT_EQ(max_trials(request), 2U * 3U * (4U + 1U) * (2U + 1U));
  EXPECT_LE(result.trials.size(), max_trials(request));
  EXPECT_EQ(result.asked, max_trials(request));
}

TEST(Explore, ResultDoesNotDependOnThreads) {
  const Request request = request_of(std::string(kDesign) +
                                     "vary:\n"
                                     "  device.memory.bandwidth: {from: 200 GB/s, to: 2000 GB/s}\n"
                                     "algorithm: {method: random, trials: 40}\n");
  std::vector<std::vector<double>> figures;
  for (const std::size_t threads : {1U, 2U, 4U}) {
    std::vector<double> all;
    for (const DesignTrial& trial : explore(request, folders(), {.threads = threads}).trials) {
      all.insert(all.end(), trial.finding.figures.begin(), trial.finding.figures.end());
    }
    figures.push_back(std::move(all));
  }
  EXPECT_EQ(figures[0], figures[1]);
  EXPECT_EQ(figures[0], figures[2]);
}

TEST(Explore, SatisfiesLimits) {
  const std::string vary =
      "vary: {device.memory.bandwidth: [300 GB/s, 600 GB/s, 900 GB/s], strategy.batch: [128, "
      "256]}\nobjectives: [time_per_sample]\nalgorithm: {prune: false}\n";
  const Metric& memory = metric_named(parse_config("memory", "test"));
  const Request free = request_of(std::string(kDesign) + vary);
  const Exploration all = explore(free, folders());
  ASSERT_EQ(all.front.size(), 1U);
  const double needed = all.trials[all.front[0]].finding.figure(memory);
  // Slightly below the best design's value, and above that of some other.
  const Request limited = request_of(std::string(kDesign) + vary +
                                     fmt::format("limits: {{memory: {} B}}\n", 0.99 * needed));

  const Exploration kept = explore(limited, folders());

  ASSERT_EQ(kept.front.size(), 1U);
  EXPECT_LE(kept.trials[kept.front[0]].finding.figure(memory), 0.99 * needed);
}

TEST(Explore, StopsWhenAsked) {
  const Request request = request_of(std::string(kDesign) +
                                     "vary: {strategy.batch: [8, 16, 24, 32, 40, 48, 56, 64]}\n");
  std::atomic<int> done = 0;

  const Exploration result = explore(request,
                                     folders(),
                                     {.threads = 1,
                                      .on_done = [&](const DesignTrial&) { ++done; },
                                      .stop = [&] { return done >= 3; }});

  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.trials.size(), 3U);
  EXPECT_EQ(result.front.size(), 1U);
}

// The second design is cancelled during its evaluation: `stop` is true only when polled there.
TEST(Explore, CancelsEvaluationsInProgress) {
  const Request request = request_of(std::string(kDesign) +
                                     "vary: {strategy.batch: [8, 16]}\n"
                                     "objectives: [step_time, memory]\n");
  std::atomic<int> asked_since = 0;
  std::atomic<bool> first_done = false;

  const Exploration result = explore(request,
                                     folders(),
                                     {.threads = 1,
                                      .on_done = [&](const DesignTrial&) { first_done = true; },
                                      .stop = [&] { return first_done && ++asked_since > 3; }});

  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.trials.size(), 1U);
}

}  // namespace
}  // namespace cairn::explore
