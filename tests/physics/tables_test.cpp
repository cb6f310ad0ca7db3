// Embedding tables whose lookups and updates run in turn with other kernels, or in the background.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/model/networks/networks.hpp"
#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Op;
using memory::ExchangeOrder;
using model::Pass;
using model::Tables;
using model::Updates;

constexpr double kDevices = 4.0;
constexpr double kSamples = 16.0;  // per device
constexpr double kTables = 12.0;
constexpr double kDim = 8.0;
constexpr double kKernel = 1e-3;
constexpr double kFast = 1e15;  // bytes/s: exchanges take less than a picosecond each

struct Case {
  Tables tables = Tables::kBackground;
  double look_up = 0.0;  // kernel time
  double update = 0.0;   // kernel time
  double bandwidth = kFast;
  memory::Sequence sequence{};
  double kernel = kKernel;  // time of any other kernel
  double weights = 0.0;     // update time of one weight
  Seconds issue{0.0};       // host time per kernel
};

Step run(const Case& given) {
  const model::Dlrm dlrm{.tables = kTables,
                         .rows = 1000,
                         .dim = kDim,
                         .lookups = 3,
                         .dense = 16,
                         .bottom = {32, 32},
                         .top = {64, 64}};
  const plan::Strategy strategy{.parallelism = plan::Parallelism::kHybrid};
  const auto time_of = [&](const model::Operator& op) {
    if (op.lookups) {
      return Seconds(op.pass == Pass::kForward ? given.look_up : given.update);
    }
    return Seconds(op.kind == model::OperatorKind::kUpdate ? given.weights : given.kernel);
  };
  return run_step(
      with_backward_pass(build(dlrm, kSamples * kDevices, {}), {.tables = given.tables}),
      strategy,
      platform_of(fmt::format("switch:4@{}B/s", given.bandwidth)),
      time_of,
      {},
      {.issue = given.issue, .sequence = given.sequence});
}

// Total time of kernels other than tables'.
double foreground(const Step& step) {
  double sum = 0.0;
  for (const model::Operator& op : step.plan.graph.operators) {
    sum += op.lookups || op.kind == model::OperatorKind::kUpdate ? 0.0 : kKernel;
  }
  return sum;
}

// Each device sends (n-1)/n of its lookup results for all samples.
double all_to_all(double bandwidth) {
  return kSamples * kTables * kDim * kElement.si() * (kDevices - 1.0) / kDevices / bandwidth;
}

// Begin and end of the exchanges of an operation, in order.
struct Span {
  double begin = 0.0;
  double end = 0.0;
};

std::vector<Span> exchanges(const Step& step, Op op, bool backward) {
  std::vector<Span> spans;
  for (std::size_t a = 0; a < step.schedule.actions.size(); ++a) {
    const memory::Action& action = step.schedule.actions[a];
    if (action.kind != memory::ActionKind::kExchange ||
        step.plan.exchanges[action.subject].op != op ||
        step.plan.exchanges[action.subject].backward != backward) {
      continue;
    }
    Span span{.begin = step.time()};
    for (std::uint32_t t = step.program.first_task[a]; t < step.program.end_task[a]; ++t) {
      span.begin = std::min(span.begin, step.timeline.tasks[t].started.since(SimTime{}).si());
      span.end = std::max(span.end, step.timeline.tasks[t].finished.since(SimTime{}).si());
    }
    spans.push_back(span);
  }
  return spans;
}

std::vector<Span> kernels(const Step& step, const std::string& name, Pass pass) {
  std::vector<Span> spans;
  for (std::size_t t = 0; t < step.timeline.tasks.size(); ++t) {
    const auto& action = step.schedule.actions[step.program.origin[t].action.index()];
    if (action.runs_operator() && step.plan.graph.operators[action.subject].name == name &&
        step.plan.graph.operators[action.subject].pass == pass) {
      spans.push_back({step.timeline.tasks[t].started.since(SimTime{}).si(),
                       step.timeline.tasks[t].finished.since(SimTime{}).si()});
    }
  }
  return spans;
}

// All-to-alls have the full links from their start, whatever all-reduce is in progress.
TEST(TablesInTurn, AllToAllsDoNotWaitForGradientAllReduces) {
  constexpr double kSlow = 1e6;  // all-reduces take longer than all kernels
  for (const ExchangeOrder order :
       {ExchangeOrder::kSequential, ExchangeOrder::kFirstIn, ExchangeOrder::kLastIn}) {
    const Step step = run({.tables = Tables::kSequential,
                           .look_up = kKernel,
                           .update = kKernel,
                           .bandwidth = kSlow,
                           .sequence = {.exchanges = order}});
    const Span back = exchanges(step, Op::kAllToAll, true).front();
    const std::vector<Span> sums = exchanges(step, Op::kAllReduce, true);

    ASSERT_TRUE(std::ranges::any_of(
        sums, [&](const Span& sum) { return sum.begin < back.begin && back.end < sum.end; }));
    EXPECT_NEAR(back.begin, kernels(step, "vectors", Pass::kDataGradient).back().end, 1e-11);
    EXPECT_NEAR(back.end - back.begin, all_to_all(kSlow), step.rounding());
  }
}

// The host issues the updates of all weights together, and those of tables, kernels of the model,
// separately.
TEST(TablesInTurn, AreIssuedSeparatelyFromWeightUpdates) {
  for (const Tables tables : {Tables::kSequential, Tables::kBackground}) {
    const Step step = run({.tables = tables,
                           .look_up = kKernel,
                           .update = kKernel,
                           .weights = kKernel,
                           .issue = Seconds(1e-6)});
    int of_tables = 0;
    int of_weights = 0;
    for (const lower::Origin& origin : step.program.origin) {
      const memory::Action& action = step.schedule.actions[origin.action.index()];
      if (origin.issue && origin.device_class == 0 && action.runs_operator()) {
        const model::Operator& op = step.plan.graph.operators[action.subject];
        of_tables += op.lookups ? 1 : 0;
        of_weights += op.kind == model::OperatorKind::kUpdate ? 1 : 0;
      }
    }
    EXPECT_EQ(of_tables, 2);
    EXPECT_EQ(of_weights, 1);
  }
}

// With other kernels of time F, a lookup of L and an update of U: in turn L + F + U, in the
// background max(F, L + U), per step of many.
TEST(TablesInTheBackground, TakeTimeOnlyWhereOtherKernelsAreShorter) {
  for (const std::uint32_t steps : {1U, 2U, 5U}) {
    for (const double part : {0.0, 0.1, 0.5, 0.9, 1.1, 3.0}) {
      Case given{.sequence = {.steps = steps}};
      const double f = foreground(run(given));
      given.look_up = 0.3 * part * f;
      given.update = 0.7 * part * f;

      const Step background = run(given);
      EXPECT_NEAR(background.time(), steps * f * std::max(1.0, part), background.rounding())
          << steps << " steps, " << part;

      given.tables = Tables::kSequential;
      const Step in_turn = run(given);
      EXPECT_NEAR(in_turn.time(), steps * f * (1.0 + part), in_turn.rounding())
          << steps << " steps, " << part;
    }
  }
}

// The exchange of a step begins after its lookup, concurrently with the kernels of the previous
// step: the layer that reads it does not wait if L + A is less than the time of these kernels.
TEST(TablesInTheBackground, ArriveBeforeTheNextStepBegins) {
  Case given{.sequence = {.steps = 3, .updates = Updates::kBeforeUse}};
  const double f = foreground(run(given));
  given.look_up = 0.2 * f;
  given.bandwidth = all_to_all(1.0) / (0.2 * f);

  const Step step = run(given);
  const std::vector<Span> there = exchanges(step, Op::kAllToAll, false);
  const std::vector<Span> look_up = kernels(step, "tables", Pass::kForward);
  const std::vector<Span> reader = kernels(step, "vectors", Pass::kForward);
  const std::vector<Span> before = kernels(step, "bottom2.activation", Pass::kForward);
  ASSERT_EQ(there.size(), 3U);
  EXPECT_NEAR(there[0].begin, look_up[0].end, 1e-11);
  EXPECT_NEAR(there[0].end - there[0].begin, all_to_all(given.bandwidth), step.rounding());
  for (std::size_t s = 0; s < there.size(); ++s) {
    EXPECT_GE(there[s].begin, look_up[s].end) << s;
    EXPECT_EQ(reader[s].begin, before[s].end) << s;
  }
}

// A step reads the lookups of the previous step, and its gradients update the tables in the next.
TEST(TablesInTheBackground, LookUpOneStepAheadAndUpdateOneStepBehind) {
  for (const double part : {0.1, 1.0, 4.0}) {
    Case given{.sequence = {.steps = 4}};
    const double f = foreground(run(given));
    given.look_up = given.update = part * f;
    given.bandwidth = all_to_all(1.0) / (0.1 * f);

    const Step step = run(given);
    const std::vector<Span> there = exchanges(step, Op::kAllToAll, false);
    const std::vector<Span> back = exchanges(step, Op::kAllToAll, true);
    const std::vector<Span> reader = kernels(step, "vectors", Pass::kForward);
    const std::vector<Span> update = kernels(step, "tables", Pass::kUpdate);
    EXPECT_EQ(update[0].begin, kernels(step, "tables", Pass::kForward)[0].end);
    for (std::size_t s = 1; s < 4; ++s) {
      EXPECT_GE(reader[s].begin, there[s - 1].end) << s;
      EXPECT_GE(update[s].begin, back[s - 1].end) << s;
    }
  }
}

// With the same resources for both.
RC_GTEST_PROP(TablesInTheBackground, AreNeverSlowerThanInTurn, ()) {
  Case given{.look_up = 1e-4 * *rc::gen::inRange(0, 200),
             .update = 1e-4 * *rc::gen::inRange(0, 200),
             .bandwidth = *rc::gen::element(1e6, 1e7, 1e8, kFast)};
  given.sequence = {
      .steps = *rc::gen::inRange(1U, 5U),
      .updates = *rc::gen::element(Updates::kAtEnd, Updates::kBeforeUse),
      .exchanges = *rc::gen::element(
          ExchangeOrder::kSequential, ExchangeOrder::kFirstIn, ExchangeOrder::kLastIn)};
  const Step background = run(given);
  given.tables = Tables::kSequential;
  const Step in_turn = run(given);
  RC_ASSERT(background.time() <= in_turn.time() + in_turn.rounding());
}

RC_GTEST_PROP(TablesInTheBackground, SendWhatTheySendInTurn, ()) {
  Case given{.look_up = 1e-4 * *rc::gen::inRange(0, 200),
             .update = 1e-4 * *rc::gen::inRange(0, 200),
             .bandwidth = 1e7,
             .sequence = {.steps = *rc::gen::inRange(1U, 4U)}};
  const Step background = run(given);
  given.tables = Tables::kSequential;
  const Step in_turn = run(given);
  RC_ASSERT(background.schedule.actions.size() == in_turn.schedule.actions.size());
  for (std::size_t r = 0; r < in_turn.machine.traffic.size(); ++r) {
    const double sent = in_turn.timeline.use[r].drawn;
    RC_ASSERT(std::abs(background.timeline.use[r].drawn - sent) <= 1e-9 * sent + 1.0);
  }
}

std::string design_text(const std::string& more) {
  return "model: {network: dlrm, tables: 32, rows: 1000, dim: 64, lookups: 40, dense: 64, "
         "bottom: [128], top: [256]}\n"
         "device: ace-npu\nplatform: ace-4x2x2\n"
         "strategy: {parallelism: hybrid, batch: 64, batch_per: device}\n" +
         more;
}

Design design_of(const std::string& more) {
  return read_design(parse_config(design_text(more), "design"),
                     DataFolders::in({CAIRN_DATA_FOLDER}))
      .value();
}

TEST(TablesInTheBackground, AreFoldedExactly) {
  for (const char* endpoint : {"ideal", "cores", "comp-opt", "ace"}) {
    for (const char* order : {"in_turn", "lifo"}) {
      Design design = design_of(fmt::format(
          "endpoint: {}\ncollectives: {{algorithm: {{all_reduce: hierarchical}}, order: {}}}\n"
          "steps: 3\ntraining: {{tables: background, updates: before_use}}\n",
          endpoint,
          order));
      const auto folded = evaluate(design).value();
      design.machine.fold = false;
      const auto unfolded = evaluate(design).value();
      EXPECT_NEAR(folded.step_time.si(),
                  unfolded.step_time.si(),
                  1e-12 * static_cast<double>(unfolded.events))
          << endpoint << ' ' << order;
      EXPECT_EQ(folded.background->time, unfolded.background->time);
    }
  }
}

// Background kernels have their reserved resources, other kernels the rest.
TEST(TablesInTheBackground, HaveReservedResourcesOfTheDevice) {
  const Design design = design_of("training: {tables: background}\n");
  EXPECT_EQ(design.for_background().cores.count, 1.0);
  EXPECT_EQ(design.for_background().memory.bandwidth, BytesPerSecond(80e9));
  EXPECT_EQ(design.for_kernels().cores.count, design.device.cores.count - 1.0);
  EXPECT_EQ(design.for_kernels().memory.bandwidth,
            design.device.memory.bandwidth - BytesPerSecond(80e9));

  const Design with_endpoint = design_of(
      "training: {tables: background}\nlaunch: {background: {sms: 2, memory: 100 GB/s}}\n"
      "endpoint: {executor: cores, sharing: reserved, sms: 6, memory: 450 GB/s}\n");
  EXPECT_EQ(with_endpoint.for_kernels().cores.count, 72.0);
  EXPECT_EQ(with_endpoint.for_kernels().memory.bandwidth, BytesPerSecond(350e9));

  const auto result = evaluate(design).value();
  ASSERT_TRUE(result.background);
  EXPECT_GE(result.background->time, result.background->memory / BytesPerSecond(80e9));
  EXPECT_NEAR(result.step_time.si(),
              result.background->time.si(),
              1e-12 * static_cast<double>(result.events));
  EXPECT_EQ(result.bound.text, "background kernels");
  const auto more = evaluate(design_of("training: {tables: background}\n"
                                       "launch: {background: {sms: 8, memory: 640 GB/s}}\n"))
                        .value();
  EXPECT_LT(more.background->time, result.background->time);
  EXPECT_EQ(more.background->memory, result.background->memory);
}

}  // namespace
}  // namespace cairn
