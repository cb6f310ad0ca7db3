// Folding simulates one of many identical members; it must not change the result.
#include "cairn/sim/fold.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <optional>

#include "cairn/base/must_have.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/simulate.hpp"
#include "tests/physics/random_case.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

struct Outcome {
  Seconds time;
  Bytes traffic;  // over links and injection limits, every hop counted
};

Outcome outcome_of(const explain::CollectiveResult& result) {
  Outcome outcome{.time = result.time, .traffic = {}};
  for (const explain::LinkLoad& load : result.links) {
    outcome.traffic += load.traffic * static_cast<double>(load.members);
  }
  return outcome;
}

// Folds by refinement even where the platform declares its classes; nullopt if there is little to
// fold.
std::optional<Outcome> run_refined(const platform::Platform& platform,
                                   const comm::Collective& collective,
                                   const CollectiveOptions& options) {
  const comm::GroupLayout layout = comm::make_group_layout(platform, collective.group);
  const comm::Algorithm& algorithm = *comm::find_algorithm(options.algorithm);
  platform::Router router(platform);
  comm::ProgramBuilder builder(router, comm::View::kEveryMember, options.endpoint);
  builder.add(collective,
              layout,
              algorithm.schedule(collective, layout),
              {.chunks = must_have(options.chunks, "run_refined() is told how many chunks"),
               .window = must_have(options.window, "run_refined() is told a window"),
               .through_engines = true});
  sim::Program program = builder.take().program;
  if (!options.steps) {
    sim::collapse_steps(program);
  }
  const auto folded = sim::fold(program);
  if (!folded) {
    return std::nullopt;
  }
  const sim::Timeline timeline = sim::simulate(folded->program);
  Outcome outcome{.time = timeline.end.since(SimTime{}), .traffic = {}};
  for (std::size_t r = 0; r < timeline.use.size(); ++r) {
    outcome.traffic += Bytes(timeline.use[r].drawn * folded->resource_members[r]);
  }
  return outcome;
}

void expect_agreement(const char* how,
                      const Outcome& folded,
                      const explain::CollectiveResult& unfolded,
                      const std::string& what) {
  const Outcome expected = outcome_of(unfolded);
  const double picoseconds = std::abs((folded.time - expected.time).si()) * 1e12;
  if (picoseconds > static_cast<double>(unfolded.events) + 0.5) {
    RC_FAIL(fmt::format("{} {:.17g} s, unfolded {:.17g} s ({} events): {}",
                        how,
                        folded.time.si(),
                        expected.time.si(),
                        unfolded.events,
                        what));
  }
  if (std::abs((folded.traffic - expected.traffic).si()) > 1e-9 * expected.traffic.si()) {
    RC_FAIL(fmt::format("{} carries {:.17g} B, unfolded {:.17g} B: {}",
                        how,
                        folded.traffic.si(),
                        expected.traffic.si(),
                        what));
  }
}

// Even where a link and an injection limit have equal utilization.
bool busiest_is_a_link(const explain::CollectiveResult& result) {
  return !result.links.empty() && result.links.front().kind == explain::ResourceKind::kLink;
}

class FoldingOn : public testing::TestWithParam<random_case::Family> {};

TEST_P(FoldingOn, ChangesNeitherTimeNorTraffic) {
  int folded_cases = 0;
  int refined_cases = 0;
  EXPECT_TRUE(rc::check(GetParam().name, [&] {
    const std::string yaml = GetParam().yaml();
    const platform::Platform platform = platform_of_yaml(yaml);
    const comm::Collective collective = random_case::collective(platform);
    CollectiveOptions options = random_case::options(platform, collective);
    const std::string what = random_case::to_text(collective, options) + " on\n" + yaml;

    const auto folded = run(platform, collective, options);
    options.fold = false;
    const auto unfolded = run(platform, collective, options);

    RC_LOG() << what << '\n';
    expect_agreement("folded", outcome_of(folded), unfolded, what);
    RC_ASSERT(unfolded.time >= unfolded.lower_bound * (1.0 - 1e-9));
    RC_ASSERT(busiest_is_a_link(folded) == busiest_is_a_link(unfolded));
    folded_cases += folded.simulated_ranks < unfolded.simulated_ranks ? 1 : 0;
    if (unfolded.events > 0) {
      if (const auto outcome = run_refined(platform, collective, options)) {
        expect_agreement("refined", *outcome, unfolded, what);
        ++refined_cases;
      }
    }
  }));
  RecordProperty("folded", folded_cases);
  RecordProperty("refined", refined_cases);
  if (std::string_view(GetParam().name) != "any_graph") {  // which has hardly any symmetry
    EXPECT_GT(folded_cases, 0) << "nothing was folded, so nothing was compared";
  }
}

// Messages split over several paths draw on them in different proportions. Fair shares need not be
// unique then; all members of a class must still get the same.
TEST(Folding, HoldsForMessagesSplitUnevenlyOverPaths) {
  const auto platform = platform_of_yaml(
      "topology: islands\nisland: \"rings:3x2@25GB/s,100ns\"\nbetween: \"ring:4@37GB/s,500ns\"\n");
  const comm::Collective collective{.size = Bytes(65537.0), .group = {}, .weights = {}};
  CollectiveOptions options{.algorithm = "direct", .chunks = 2, .window = 1};
  const auto folded = run(platform, collective, options);
  options.fold = false;
  const auto unfolded = run(platform, collective, options);

  EXPECT_NEAR(folded.time.si(), unfolded.time.si(), 1e-12 * static_cast<double>(unfolded.events));
}

INSTANTIATE_TEST_SUITE_P(RandomPlatforms,
                         FoldingOn,
                         testing::ValuesIn(random_case::families()),
                         [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace cairn
