// The energy of a training step: the sum of its parts, each proportional to its own figure, of
// every device once, and never more power than the chip was made for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/chip/generate.hpp"
#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

using explain::StepEnergy;
using explain::StepResult;

constexpr double kRounding = 1e-12;  // relative, of sums in double precision

// Links of a ring that together carry what a generated v100 can send, 51.6 GB/s.
constexpr const char* kRing = "ring:8@25GB/s,500ns";

Design design_of(const std::string& text) {
  return read_design(parse_config(text, "d.yaml"), DataFolders::in({CAIRN_DATA_FOLDER})).value();
}

Design trained(const std::string& strategy = "{batch: 64}",
               const std::string& platform = kRing,
               const std::string& memory = "{}") {
  return design_of(
      fmt::format("model: alexnet\ndevice: chip:v100\nplatform: {}\nstrategy: {}\nmemory: {}\n",
                  platform,
                  strategy,
                  memory));
}

StepResult result_of(const Design& design) {
  return evaluate(design).value();
}

void expect_equal(double one, double other, const char* what) {
  EXPECT_NEAR(one, other, kRounding * std::max(one, other)) << what;
}

// The time of a step is rounded up to a picosecond for each event.
void expect_same_energy(const StepResult& one, const StepResult& other) {
  const StepEnergy& a = one.spent.value();
  const StepEnergy& b = other.spent.value();
  expect_equal(a.devices.compute.si(), b.devices.compute.si(), "compute");
  expect_equal(a.devices.levels.si(), b.devices.levels.si(), "levels");
  expect_equal(a.devices.memory.si(), b.devices.memory.si(), "memory");
  EXPECT_NEAR(a.devices.network->si() / b.devices.network->si(), 1.0, 1e-9);
  const double time = 1e-12 * static_cast<double>(one.events + other.events);
  EXPECT_NEAR(a.devices.idle.si() / b.devices.idle.si(), 1.0, time / one.step_time.si());
}

TEST(StepEnergy, IsTheSumOfItsPartsAndEachFigureScalesOnlyItsOwn) {
  const Design plain = trained();
  const StepEnergy one = result_of(plain).spent.value();
  const auto parts = [](const StepEnergy& of) {
    return std::vector{of.devices.compute.si(),
                       of.devices.levels.si(),
                       of.devices.memory.si(),
                       of.devices.network->si(),
                       of.devices.idle.si()};
  };
  const std::vector<double> before = parts(one);

  for (std::size_t doubled = 0; doubled < before.size(); ++doubled) {
    Design design = plain;
    chip::EnergyFigures& figures = design.device.energy.value();
    figures.flop = figures.flop * (doubled == 0 ? 2.0 : 1.0);
    for (JoulesPerByte& level : figures.levels) {
      level = level * (doubled == 1 ? 2.0 : 1.0);
    }
    figures.memory = figures.memory * (doubled == 2 ? 2.0 : 1.0);
    figures.network = *figures.network * (doubled == 3 ? 2.0 : 1.0);
    figures.static_power = figures.static_power * (doubled == 4 ? 2.0 : 1.0);

    const StepResult result = result_of(design);

    const std::vector<double> after = parts(*result.spent);
    double sum = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_GT(before[i], 0.0) << i;
      EXPECT_DOUBLE_EQ(after[i], before[i] * (i == doubled ? 2.0 : 1.0)) << i;
      sum += after[i];
    }
    expect_equal(result.energy().si(), sum, "sum");
  }
}

TEST(StepEnergy, IsAtLeastThatOfTheModelsFlops) {
  const Design design = trained();

  const StepResult result = result_of(design);

  const Joules products = Flops(2.0 * result.macs) * design.device.energy->flop;
  EXPECT_GE(result.spent->devices.compute, products);
  // Other operations of this model, on single elements, are a few for each of many products.
  EXPECT_LT(result.spent->devices.compute, products * 1.1);
}

// All that a chip does takes at most the power of the component that does it, as long as the
// platform's links carry no more than those of the chip would.
TEST(StepEnergy, AveragePowerIsWithinTheBudget) {
  for (const char* model : {"alexnet", "resnet-50", "lstm-lm", "gemm"}) {
    for (const char* batch : {"8", "512"}) {
      SCOPED_TRACE(fmt::format("{}, {} samples", model, batch));
      const Design design = design_of(
          fmt::format("model: {}\ndevice: chip:v100\nplatform: {}\nstrategy: {{batch: {}}}\n"
                      "memory: {{capacity: ignored}}\n",
                      model,
                      kRing,
                      batch));

      const StepResult result = result_of(design);

      EXPECT_LE(result.average_power(), 8.0 * design.device.power);
      EXPECT_GT(result.average_power(), 8.0 * design.device.energy->static_power);
    }
  }
}

// A ring sends each gradient 2 (n - 1) times, an n-th of it by each device at a time.
TEST(StepEnergy, RingsSendWhatTheirClosedFormSays) {
  const Design design = design_of(
      fmt::format("model: {{input: {{channels: 1000}}, layers: [{{type: fully_connected, features: "
                  "500}}]}}\ndevice: chip:v100\nplatform: {}\nstrategy: {{batch: 64}}\n",
                  kRing));

  const StepResult result = result_of(design);

  const Bytes gradient(2.0 * 1000.0 * 500.0);
  const Joules expected = 2.0 * 7.0 * gradient * design.device.energy->network.value();
  EXPECT_NEAR(result.spent->devices.network.value() / expected, 1.0, 1e-9);
}

TEST(StepEnergy, GradientsOnLinksOfTheirOwnAreSentToo) {
  const StepResult shared = result_of(trained("{batch: 64}"));
  const StepResult unshared = result_of(trained("{batch: 64, gradient_sync: unshared}"));

  EXPECT_NEAR(unshared.carried / shared.carried, 1.0, 1e-9);
}

// What is moved is read from main memory and written to it again.
TEST(StepEnergy, MovingFeatureMapsTakesMemoryAndNetwork) {
  constexpr const char* kStrategy = "{batch: 512}";
  const Design design =
      trained(kStrategy, "mc-dla-ring", "{overlay: everything, recompute: false}");
  const StepResult stays = result_of(trained(kStrategy, "mc-dla-ring", "{capacity: ignored}"));

  const StepResult moves = result_of(design);

  ASSERT_GT(moves.moved, Bytes(0.0));
  const Joules expected = 8.0 * 2.0 * moves.moved * design.device.energy->memory;
  const Joules more = moves.spent->devices.memory - stays.spent->devices.memory;
  EXPECT_NEAR(more / expected, 1.0, 1e-9);
  EXPECT_GT(moves.spent->devices.network, stays.spent->devices.network);
  EXPECT_EQ(moves.spent->devices.compute, stays.spent->devices.compute);
  // Memory-nodes and the system say only what they draw.
  EXPECT_EQ(moves.spent->rest, power_without_devices(design.platform) * moves.step_time);
}

// Of what all devices share, four of eight have half.
TEST(StepEnergy, DevicesThatTakeNoPartAreNotCounted) {
  const Design design = trained("{batch: 64, devices: 4}", "mc-dla-ring", "{overlay: everything}");

  const StepResult result = result_of(design);

  const Watts rest = power_without_devices(design.platform) * 0.5;
  ASSERT_GT(rest, Watts(0.0));
  EXPECT_DOUBLE_EQ(result.power.si(), (4.0 * design.device.power + rest).si());
  EXPECT_DOUBLE_EQ(result.spent->rest.si(), (rest * result.step_time).si());
  EXPECT_DOUBLE_EQ(result.spent->devices.idle.si(),
                   (4.0 * design.device.energy->static_power * result.step_time).si());
  EXPECT_DOUBLE_EQ(result.cost->total().si(), 4.0 * design.device.cost->total().si());
}

TEST(StepEnergy, RecomputationCountsAsOftenAsItRuns) {
  const auto run = [](const char* recompute) {
    return result_of(trained("{batch: 512}",
                             "mc-dla-ring",
                             fmt::format("{{overlay: everything, recompute: {}}}", recompute)));
  };

  const StepResult again = run("true");

  ASSERT_GT(again.recomputed, Bytes(0.0));
  EXPECT_GT(again.spent->devices.compute, run("false").spent->devices.compute);
}

TEST(StepEnergy, CountsEveryDeviceOnceFoldedOrNot) {
  struct Case {
    const char* strategy;
    const char* platform;
    const char* memory;
  };

  for (const auto& [strategy, platform, memory] : {
           Case{"{batch: 64}", kRing, "{}"},
           Case{"{batch: 64, spread: RC-2-1-d2-p2, micro_batches: 2}", kRing, "{}"},
           Case{"{batch: 64, spread: d2-p4, micro_batches: 4}", kRing, "{}"},
           Case{"{batch: 60, devices: 5}", "dc-dla", "{overlay: everything}"},
           Case{"{batch: 64}", "mc-dla-star-a", "{overlay: everything}"},
       }) {
    SCOPED_TRACE(fmt::format("{} on {}", strategy, platform));
    Design design = trained(strategy, platform, memory);
    const StepResult folded = result_of(design);
    design.machine.fold = false;

    expect_same_energy(folded, result_of(design));
  }
}

// Also where transfers have ways of their own, they cross the same links.
TEST(StepEnergy, ContentionTakesTimeAndNoBytes) {
  for (const bool fold : {true, false}) {
    Design design = trained("{batch: 64}", "dc-dla", "{overlay: everything}");
    design.machine.fold = fold;
    const StepResult shared = result_of(design);
    design.machine.contention = false;
    const StepResult alone = result_of(design);

    EXPECT_NEAR(alone.carried / shared.carried, 1.0, 1e-9);
    EXPECT_LE(alone.spent->devices.idle, shared.spent->devices.idle);
  }
}

TEST(StepEnergy, WithoutFiguresItIsDesignPowerOverTime) {
  Design design = trained();
  design.device.energy.reset();

  const StepResult result = result_of(design);

  EXPECT_FALSE(result.spent);
  EXPECT_EQ(result.energy(), 8.0 * design.device.power * result.step_time);
}

TEST(StepCost, IsThatOfAllDevices) {
  const Design design = trained();

  const StepResult result = result_of(design);

  EXPECT_DOUBLE_EQ(result.cost->total().si(), 8.0 * design.device.cost->total().si());
  EXPECT_EQ(result.cost->unknown, std::vector<std::string>{"inter-package links"});
}

}  // namespace
}  // namespace cairn
