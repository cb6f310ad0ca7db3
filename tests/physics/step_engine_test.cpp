// Collectives of a step use the partitions and state machines of the devices' engines, as a single
// collective does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/comm/groups.hpp"
#include "cairn/evaluate.hpp"
#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Endpoint;
using comm::Executor;

constexpr const char* kTorus = "torus:4x2x2@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns";
constexpr Bytes kChunk{65536.0};

Endpoint engine_of(double sram_mib, double fsms, chip::EngineSplit split) {
  Endpoint endpoint{.executor = Executor::kEngine,
                    .accounting = comm::Accounting::kPaper,
                    .memory = BytesPerSecond(128e9)};
  endpoint.sharing = comm::Sharing::kReserved;
  endpoint.engine.sram = Bytes(sram_mib * 1048576.0);
  endpoint.engine.fsms = fsms;
  endpoint.engine.chunk = kChunk;
  endpoint.engine.split = split;
  return endpoint;
}

// One layer whose kernels take no time: the step is its gradient all-reduce.
Step sum_of(double width,
            const platform::Platform& platform,
            const lower::MachineOptions& options) {
  return run_step(
      chain_of(1, platform.device_count(), width),
      {},
      platform,
      [](const model::Operator&) { return Seconds(0.0); },
      options);
}

// A step with one collective takes the time that `cairn collective` reports.
TEST(StepEngine, TakesTheTimeOfTheSingleCollective) {
  for (const char* text : {kTorus, "torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns"}) {
    const auto platform = platform_of(text);
    for (const double width : {64.0, 700.0, 2048.0}) {
      for (const double sram : {0.5, 1.0, 4.0}) {
        for (const double fsms : {4.0, 8.0, 16.0, 20.0}) {
          for (const auto split : {chip::EngineSplit::kTime,
                                   chip::EngineSplit::kEqual,
                                   chip::EngineSplit::kHeuristic}) {
            CollectiveOptions options{.algorithm = "hierarchical"};
            options.endpoint = engine_of(sram, fsms, split);
            const auto alone = run(platform, {.size = kElement * (width * width)}, options);
            const Step step = sum_of(
                width, platform, {.collectives = by("hierarchical"), .endpoint = options.endpoint});

            EXPECT_NEAR(step.time(), alone.time.si(), step.rounding())
                << text << ' ' << width << ' ' << sram << ' ' << fsms;
          }
        }
      }
    }
  }
}

// Ample state machines, memory and DMA: as with the ideal endpoint.
TEST(StepEngine, WithAmpleResourcesIsIdeal) {
  for (const char* text : {kTorus, "torus:4x4@200GB/s,25GB/s,72ns,402ns"}) {
    const auto platform = platform_of(text);
    for (const auto order : {memory::ExchangeOrder::kSequential,
                             memory::ExchangeOrder::kFirstIn,
                             memory::ExchangeOrder::kLastIn}) {
      Endpoint plenty = engine_of(1e6, 65536.0, chip::EngineSplit::kEqual);
      plenty.memory = BytesPerSecond(1e24);
      comm::CollectivePolicy in_chunks = by("hierarchical");
      in_chunks.chunk_size = kChunk;
      const auto time_with = [&](const Endpoint& endpoint) {
        return run_step(chain_of(3, platform.device_count(), 1500.0),
                        {},
                        platform,
                        [](const model::Operator&) { return Seconds(10e-6); },
                        {.collectives = in_chunks, .endpoint = endpoint},
                        {.sequence = {.exchanges = order}});
      };
      const Step ideal = time_with({});
      const Step engine = time_with(plenty);

      EXPECT_NEAR(engine.time(), ideal.time(), engine.rounding()) << text;
    }
  }
}

std::string design(const std::string& engine, const std::string& more = "") {
  return fmt::format(
      "model: {{network: gpt, layers: 2, hidden: 256, heads: 4, vocab: 2000, seq: 64}}\n"
      "device: ace-npu\nplatform: ace-4x2x2\n"
      "strategy: {{batch: 4, batch_per: device}}\n"
      "endpoint: {{executor: engine, accounting: paper, sharing: reserved, memory: 128 GB/s,\n"
      "           engine: {{{}}}}}\n{}",
      engine,
      more);
}

Feasible<explain::StepResult> evaluated(const std::string& text) {
  return evaluate(
      read_design(parse_config(text, "d.yaml"), DataFolders::in({CAIRN_DATA_FOLDER})).value());
}

TEST(StepEngine, WithFewerResourcesIsNeverFaster) {
  for (const char* order : {"in_turn", "fifo", "lifo"}) {
    for (const char* split : {"time", "equal"}) {
      const auto time = [&](double sram, double fsms) {
        return evaluated(design(fmt::format("sram: {} KiB, fsms: {}, split: {}", sram, fsms, split),
                                fmt::format("collectives: {{algorithm: hierarchical, order: {}}}\n"
                                            "steps: 2\n",
                                            order)))
            .value()
            .step_time.si();
      };
      for (const double fsms : {4.0, 8.0, 16.0}) {
        for (const double sram : {512.0, 1024.0, 4096.0}) {
          EXPECT_LE(time(2.0 * sram, fsms), time(sram, fsms)) << order << split << sram << fsms;
          EXPECT_LE(time(sram, 2.0 * fsms), time(sram, fsms)) << order << split << sram << fsms;
        }
      }
    }
  }
}

// At each of 16 devices, one chunk is in the slowest phase at a time.
TEST(StepEngine, WithOneStateMachinePerPhaseIsMuchSlowerWithoutOtherWork) {
  const auto platform = platform_of(kTorus);
  const auto time = [&](double fsms) {
    return sum_of(2048.0,
                  platform,
                  {.collectives = by("hierarchical"),
                   .endpoint = engine_of(4.0, fsms, chip::EngineSplit::kTime)})
        .time();
  };
  // Between packages a chunk of a quarter takes two steps of half of it, one way.
  const double slowest = 2.0 * (402e-9 + 65536.0 / 4.0 / 2.0 / 25e9);
  const double chunks = 2.0 * 2048.0 * 2048.0 / 65536.0;

  EXPECT_GE(time(4.0), chunks * slowest);
  EXPECT_LE(time(16.0), 0.6 * time(4.0));
}

// Traffic per payload byte of a collective in its reserved memories, by device.
std::vector<double> moved_by_device(const lower::Machine& machine,
                                    const lower::CollectiveTemplate& collective,
                                    std::uint32_t devices) {
  std::vector<double> moved(devices, 0.0);
  for (const sim::PhaseProgram& part : collective.parts) {
    for (const sim::Phase& phase : part.phases) {
      for (std::uint32_t l = phase.first_lane; l < phase.end_lane; ++l) {
        const sim::Lane& lane = part.lanes[l];
        for (const sim::Draw& draw : machine.program.demands[lane.demand.index()].draws) {
          for (std::uint32_t d = 0; d < devices; ++d) {
            if (machine.traffic[draw.resource.index()].name ==
                fmt::format("reserved memory of device {}", d)) {
              moved[d] += part.payload * lane.work * phase.steps * draw.amount;
            }
          }
        }
      }
    }
  }
  return moved;
}

// Groups of k devices have the traffic of one collective of k devices, whatever else is on the
// platform; devices of other stages have none.
TEST(StepGroups, HaveTheTrafficOfASingleGroup) {
  using plan::Parallelism;

  struct Case {
    plan::Strategy strategy{};
    const char* what = "";
  };

  const std::vector<Case> cases{
      {{.parallelism = Parallelism::kData, .data = 4, .stages = 2}, "stages"},
      {{.parallelism = Parallelism::kModel, .tensor_rows = 4, .data = 2}, "groups of 4 and of 2"},
      {{.parallelism = Parallelism::kTensor, .tensor_rows = 2, .data = 2, .stages = 2}, "both"}};
  for (const Executor executor : {Executor::kCores, Executor::kEngine}) {
    for (const auto accounting : {comm::Accounting::kExact, comm::Accounting::kPaper}) {
      for (const Case& each : cases) {
        Endpoint endpoint = engine_of(4.0, 64.0, chip::EngineSplit::kEqual);
        endpoint.executor = executor;
        endpoint.accounting = accounting;
        const Step step =
            run_step(chain_of(4, 16.0, 512.0),
                     each.strategy,
                     platform_of("switch:8@25GB/s,500ns"),
                     [](const model::Operator&) { return Seconds(1e-6); },
                     {.collectives = by("ring"), .fold = false, .endpoint = endpoint});

        for (const lower::CollectiveTemplate& collective : step.machine.collectives) {
          const lower::ExchangeKind& kind = collective.kind;
          const std::vector<double> moved = moved_by_device(step.machine, collective, 8);
          if (kind.op == comm::Op::kSendReceive) {
            continue;  // below
          }
          const std::vector<comm::Group> groups = step.plan.mesh.groups(kind.axes, kind.stage);
          const auto size = static_cast<std::uint32_t>(groups.front().size());
          CollectiveOptions options{.algorithm = "ring"};
          options.endpoint = endpoint;
          const Bytes payload(1048576.0);
          const auto alone = run(platform_of(fmt::format("switch:{}@25GB/s,500ns", size)),
                                 {.op = kind.op, .size = payload},
                                 options);
          const double expected = (alone.read_per_device + alone.written_per_device) / payload;
          std::vector<double> of_group(8, 0.0);
          for (const comm::Group& group : groups) {
            for (const std::uint32_t shard : group) {
              of_group[step.placement[shard]] = expected;
            }
          }
          for (std::uint32_t d = 0; d < 8; ++d) {
            EXPECT_NEAR(moved[d], of_group[d], 1e-9)
                << each.what << ", device " << d << ", " << comm::info(kind.op).name;
          }
        }
      }
    }
  }
}

// The sending stage reads the data, the receiving stage writes it.
TEST(StepGroups, ChargeATransferBetweenStagesToItsTwoEnds) {
  const Step step = run_step(chain_of(4, 16.0, 512.0),
                             {.data = 2, .stages = 4},
                             platform_of("switch:8@25GB/s,500ns"),
                             [](const model::Operator&) { return Seconds(1e-6); },
                             {.collectives = by("ring"),
                              .fold = false,
                              .endpoint = engine_of(4.0, 64.0, chip::EngineSplit::kEqual)});
  std::uint32_t transfers = 0;
  for (const lower::CollectiveTemplate& collective : step.machine.collectives) {
    const lower::ExchangeKind& kind = collective.kind;
    if (kind.op == comm::Op::kSendReceive) {
      ++transfers;
      const std::vector<double> moved = moved_by_device(step.machine, collective, 8);
      for (std::uint32_t shard = 0; shard < 8; ++shard) {
        // Reads count, as in the paper: the sender reads.
        EXPECT_NEAR(moved[step.placement[shard]], shard / 2 == kind.stage ? 1.0 : 0.0, 1e-9);
      }
    }
  }
  EXPECT_EQ(transfers, 6U);  // forward and backward between four stages
}

TEST(StepEngine, WithoutMemoryOrStateMachinesIsInfeasible) {
  for (const auto& [engine, limit] : {std::pair{"sram: 64 KiB", "fabric.engine.sram"},
                                      std::pair{"fsms: 2", "fabric.engine.fsms"},
                                      std::pair{"chunk: 1 B", "fabric.engine.chunk"}}) {
    const auto result = evaluated(design(engine, "collectives: hierarchical\n"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.reason().limit(), limit);
  }
}

}  // namespace
}  // namespace cairn
