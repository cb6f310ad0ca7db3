// The energy of a training step: the sum of its parts, each proportional to its own figure, counted
// once per device, and within the power budget of the chip.
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

constexpr double kRounding = 1e-12;  // relative rounding of sums in double precision

// Links of a ring with the total bandwidth of a generated v100, 51.6 GB/s.
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

// The step time is rounded up by at most a picosecond per event.
void expect_same_energy(const StepResult& one, const StepResult& other) {
  const StepEnergy& a = one.work_energy.value();
  const StepEnergy& b = other.work_energy.value();
  expect_equal(a.devices.compute.si(), b.devices.compute.si(), "compute");
  expect_equal(a.devices.levels.si(), b.devices.levels.si(), "levels");
  expect_equal(a.devices.memory.si(), b.devices.memory.si(), "memory");
  EXPECT_NEAR(a.devices.network->si() / b.devices.network->si(), 1.0, 1e-9);
  const double time = 1e-12 * static_cast<double>(one.events + other.events);
  EXPECT_NEAR(a.devices.idle.si() / b.devices.idle.si(), 1.0, time / one.step_time.si());
}

TEST(StepEnergy, IsTheSumOfItsPartsAndEachFigureScalesOnlyItsOwnPart) {
  const Design plain = trained();
  const StepEnergy one = result_of(plain).work_energy.value();
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

    const std::vector<double> after = parts(*result.work_energy);
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
  EXPECT_GE(result.work_energy->devices.compute, products);
  // Element-wise operations of this model are few compared with its GEMMs.
  EXPECT_LT(result.work_energy->devices.compute, products * 1.1);
}

// Each component stays within its power, as long as the platform's links are no faster than the
// chip's.
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

// A ring all-reduce sends 2 (n - 1) times the gradient, 1/n of it per device and step.
TEST(StepEnergy, RingTrafficMatchesItsClosedForm) {
  const Design design = design_of(
      fmt::format("model: {{input: {{channels: 1000}}, layers: [{{type: fully_connected, features: "
                  "500}}]}}\ndevice: chip:v100\nplatform: {}\nstrategy: {{batch: 64}}\n",
                  kRing));

  const StepResult result = result_of(design);

  const Bytes gradient(2.0 * 1000.0 * 500.0);
  const Joules expected = 2.0 * 7.0 * gradient * design.device.energy->network.value();
  EXPECT_NEAR(result.work_energy->devices.network.value() / expected, 1.0, 1e-9);
}

TEST(StepEnergy, GradientsOnDedicatedLinksAreCounted) {
  const StepResult shared = result_of(trained("{batch: 64}"));
  const StepResult contention_free =
      result_of(trained("{batch: 64, gradient_sync: contention_free}"));

  EXPECT_NEAR(contention_free.traffic / shared.traffic, 1.0, 1e-9);
}

// Offloaded activations are read from main memory and written back to it.
TEST(StepEnergy, OffloadingActivationsTakesMemoryAndNetworkEnergy) {
  constexpr const char* kStrategy = "{batch: 512}";
  const Design design =
      trained(kStrategy, "mc-dla-ring", "{offload: everything, recompute: false}");
  const StepResult kept = result_of(trained(kStrategy, "mc-dla-ring", "{capacity: ignored}"));

  const StepResult moves = result_of(design);

  ASSERT_GT(moves.moved, Bytes(0.0));
  const Joules expected = 8.0 * 2.0 * moves.moved * design.device.energy->memory;
  const Joules more = moves.work_energy->devices.memory - kept.work_energy->devices.memory;
  EXPECT_NEAR(more / expected, 1.0, 1e-9);
  EXPECT_GT(moves.work_energy->devices.network, kept.work_energy->devices.network);
  EXPECT_EQ(moves.work_energy->devices.compute, kept.work_energy->devices.compute);
  // Memory-nodes and the system have only a power.
  EXPECT_EQ(moves.work_energy->rest, power_without_devices(design.platform) * moves.step_time);
}

// Four of eight devices account for half of the shared parts.
TEST(StepEnergy, IdleDevicesAreNotCounted) {
  const Design design = trained("{batch: 64, devices: 4}", "mc-dla-ring", "{offload: everything}");

  const StepResult result = result_of(design);

  const Watts rest = power_without_devices(design.platform) * 0.5;
  ASSERT_GT(rest, Watts(0.0));
  EXPECT_DOUBLE_EQ(result.power.si(), (4.0 * design.device.power + rest).si());
  EXPECT_DOUBLE_EQ(result.work_energy->rest.si(), (rest * result.step_time).si());
  EXPECT_DOUBLE_EQ(result.work_energy->devices.idle.si(),
                   (4.0 * design.device.energy->static_power * result.step_time).si());
  EXPECT_DOUBLE_EQ(result.cost->total().si(), 4.0 * design.device.cost->total().si());
}

TEST(StepEnergy, RecomputationCountsEachRun) {
  const auto run = [](const char* recompute) {
    return result_of(trained("{batch: 512}",
                             "mc-dla-ring",
                             fmt::format("{{offload: everything, recompute: {}}}", recompute)));
  };

  const StepResult again = run("true");

  ASSERT_GT(again.recomputed, Bytes(0.0));
  EXPECT_GT(again.work_energy->devices.compute, run("false").work_energy->devices.compute);
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
           Case{"{batch: 60, devices: 5}", "dc-dla", "{offload: everything}"},
           Case{"{batch: 64}", "mc-dla-star-a", "{offload: everything}"},
       }) {
    SCOPED_TRACE(fmt::format("{} on {}", strategy, platform));
    Design design = trained(strategy, platform, memory);
    const StepResult folded = result_of(design);
    design.machine.fold = false;

    expect_same_energy(folded, result_of(design));
  }
}

// Without contention, transfers still cross the same links.
TEST(StepEnergy, ContentionChangesTimeButNotTraffic) {
  for (const bool fold : {true, false}) {
    Design design = trained("{batch: 64}", "dc-dla", "{offload: everything}");
    design.machine.fold = fold;
    const StepResult shared = result_of(design);
    design.machine.contention = false;
    const StepResult alone = result_of(design);

    EXPECT_NEAR(alone.traffic / shared.traffic, 1.0, 1e-9);
    EXPECT_LE(alone.work_energy->devices.idle, shared.work_energy->devices.idle);
  }
}

TEST(StepEnergy, WithoutFiguresItIsDesignPowerTimesTime) {
  Design design = trained();
  design.device.energy.reset();

  const StepResult result = result_of(design);

  EXPECT_FALSE(result.work_energy);
  EXPECT_EQ(result.energy(), 8.0 * design.device.power * result.step_time);
}

TEST(StepCost, IsTheSumOverAllDevices) {
  const Design design = trained();

  const StepResult result = result_of(design);

  EXPECT_DOUBLE_EQ(result.cost->total().si(), 8.0 * design.device.cost->total().si());
  EXPECT_EQ(result.cost->unknown, std::vector<std::string>{"inter-package links"});
}

}  // namespace
}  // namespace cairn
