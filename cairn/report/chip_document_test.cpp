#include "cairn/report/chip_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/report/document_text.hpp"

namespace cairn::report {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Ten MCUs and main memory; the level between them is absent.
chip::Generated some_chip() {
  return {.name = "mine",
          .core = {.bundles = 5.0,
                   .mcus = 10.0,
                   .mcus_per_bundle = 2.0,
                   .voltage = Volts(0.75),
                   .frequency = Hertz(1e9),
                   .work_per_cycle = Flops(100.0),
                   .precision = "fp16",
                   .utilization = 0.5},
          .main_memory = {.devices = 2.0,
                          .voltage = Volts(1.25),
                          .capacity = Bytes(8e9),
                          .bandwidth = BytesPerSecond(3e11)},
          .budgets = {.area = {.given = SquareMetres(100e-6), .used = SquareMetres(45e-6)},
                      .power = {.given = Watts(50.0), .used = Watts(30.0)},
                      .perimeter = {.given = Metres(0.04), .used = Metres(0.01)}},
          .uses = {{.component = "core",
                    .area = {.given = SquareMetres(50e-6), .used = SquareMetres(40e-6)},
                    .power = {.given = Watts(20.0), .used = Watts(20.0)},
                    .size_limited_by = chip::Limit::kArea,
                    .speed_limited_by = chip::Limit::kPower},
                   {.component = "cache", .absent = true},
                   {.component = "main_memory",
                    .area = {.given = SquareMetres(5e-6), .used = SquareMetres(5e-6)},
                    .power = {.given = Watts(20.0), .used = Watts(10.0)},
                    .perimeter = {.given = Metres(0.02), .used = Metres(0.01)},
                    .size_limited_by = chip::Limit::kPackageArea,
                    .speed_limited_by = chip::Limit::kMaximumVoltage}}};
}

TEST(ChipText, RowsShowUnitsPerformanceAndBudgets) {
  const std::string text = text_of(document_of(some_chip(), {}));

  EXPECT_THAT(text, HasSubstr("throughput           1 Tflop/s"));
  EXPECT_THAT(text, HasSubstr("45 mm2 of 100 mm2"));
  EXPECT_THAT(text, ContainsRegex("core +10 MCUs +1 Tflop/s +750 mV +40.0 +40.0 +area, power\n"));
  EXPECT_THAT(text, ContainsRegex("cache +absent\n"));
  EXPECT_THAT(text,
              ContainsRegex("main_memory +2 devices +8 GB, 300 GB/s +1.25 V +5.0 +20.0 +25.0 "
                            "+package, maximum voltage\n"));
}

TEST(ChipText, CostListsUnknownParts) {
  const chip::Cost cost{.items = {{"silicon", Dollars(40.0)}, {"package", Dollars(2.0)}},
                        .unknown = {"main memory"}};

  EXPECT_THAT(text_of(document_of(some_chip(), cost)),
              ContainsRegex("42 USD +silicon 40, package 2, main memory unknown"));
}

}  // namespace
}  // namespace cairn::report
