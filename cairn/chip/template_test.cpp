#include "cairn/chip/template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/chip/test_support/known_chips.hpp"

namespace cairn::chip {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kText =
    "chip_area: 100 mm2\n"
    "package_area: 300 mm2\n"
    "power: 100 W\n"
    "core: {technology: scalar-n12, mcus_per_bundle: 4, area: 0.4, power: 0.4}\n"
    "levels:\n"
    "  - {name: sram, technology: sram-l2-n12, area: 0.2, power: 0.2}\n"
    "main_memory: {technology: hbm2, area: 0.1, power: 0.3, perimeter: 0.4}\n"
    "network:\n"
    "  inter_package: {technology: nvlink-2, topology: ring, area: 0.3, power: 0.1, perimeter: "
    "0.6}\n";

std::string complaint(const std::string& from, const std::string& to) {
  std::string text = kText;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  try {
    read_template(parse_config(text.replace(at, from.size(), to), "t.yaml"), data_folders());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Template, IsReadWithItsTechnologies) {
  const Template design = read_template(parse_config(kText, "t.yaml"), data_folders());

  EXPECT_EQ(design.core.mcus_per_bundle, 4.0);
  EXPECT_DOUBLE_EQ(design.core.unit.area.si(), 0.012e-6);
  EXPECT_EQ(design.levels.front().name, "sram");
  EXPECT_DOUBLE_EQ(design.main_memory.memory.rate.si(), 2e9 / 8.0);
  EXPECT_EQ(design.inter_package->topology, NetworkShape::kRing);
  EXPECT_FALSE(design.intra_package);
  EXPECT_EQ(design.inter_package->shares.perimeter, 0.6);
}

TEST(Template, UnknownTechnologyNamesFileLineAndKey) {
  EXPECT_THAT(complaint("scalar-n12", "scalar-n13"),
              AllOf(HasSubstr("t.yaml:4: core.technology"), HasSubstr("scalar-n12")));
  EXPECT_THAT(complaint("hbm2", "hbm9"), HasSubstr("t.yaml:7: main_memory.technology"));
  EXPECT_THAT(complaint("nvlink-2", "nvlnk-2"),
              HasSubstr("t.yaml:9: network.inter_package.technology"));
}

TEST(Template, SharesAboveOneNameTheShareThatExceeds) {
  EXPECT_EQ(complaint("area: 0.2", "area: 0.2"), "");  // exactly 1 in total
  EXPECT_THAT(complaint("area: 0.2", "area: 0.3"),
              AllOf(HasSubstr("t.yaml:9: network.inter_package.area"),
                    HasSubstr("\"0.3\" brings the shares of area to 1.1")));
  EXPECT_THAT(complaint("power: 0.2", "power: 0.5"), HasSubstr("t.yaml:7: main_memory.power"));
  EXPECT_THAT(complaint("perimeter: 0.6", "perimeter: 0.7"), HasSubstr("perimeter"));
  EXPECT_THAT(complaint("area: 0.2", "area: -0.1"), HasSubstr("t.yaml:6: levels[0].area"));
}

TEST(Template, DuplicateComponentNamesAreRejected) {
  EXPECT_THAT(complaint("name: sram", "name: core"), HasSubstr("t.yaml:6: levels[0].name"));
}

TEST(Template, NodeScalesLogicAndMemoryByTheDefaultLaw) {
  const Template v100 = known_chip("v100");
  const Template scaled = known_chip("v100", {"node=5 nm"});

  EXPECT_DOUBLE_EQ(v100.core.unit.area / scaled.core.unit.area, 1.8 * 1.8);
  EXPECT_DOUBLE_EQ(v100.levels[2].memory.energy / scaled.levels[2].memory.energy, 1.3 * 1.3);
}

TEST(Template, NodeScalesByTheGivenLaw) {
  const Template v100 = known_chip("v100");
  const Template scaled = known_chip("v100", {"node=10 nm", "scaling=crossflow-sweeps"});

  EXPECT_NEAR(scaled.core.unit.area / v100.core.unit.area, 0.67, 1e-9);
  EXPECT_NEAR(scaled.core.unit.voltage.nominal.si(), 0.8 * 0.9, 1e-9);
  EXPECT_NEAR(scaled.main_memory.memory.controller_area / v100.main_memory.memory.controller_area,
              0.9,
              1e-9);
}

TEST(Template, NodeUnknownToTheLawIsRejected) {
  EXPECT_THROW(known_chip("v100", {"node=6 nm"}), ConfigError);
  EXPECT_THROW(known_chip("p4", {"node=7 nm"}), ConfigError);  // no path from 16 nm
}

TEST(Template, ValueOfANamedTechnologyCanBeSet) {
  const Template design = known_chip("v100",
                                     {"core.technology.frequency=2 GHz",
                                      "levels[1].technology.energy=1 fJ/bit",
                                      "network.inter_package.technology.rate=8 Gb/s"});

  EXPECT_EQ(design.core.unit.frequency, Hertz(2e9));
  EXPECT_EQ(design.core.unit.area, known_chip("v100").core.unit.area);
  EXPECT_DOUBLE_EQ(design.levels[1].memory.energy.si(), 8e-15);
  EXPECT_DOUBLE_EQ(design.inter_package->link.rate.si(), 1e9);
}

TEST(Template, VoltageBelowTheThresholdIsRejected) {
  EXPECT_THROW(known_chip("v100", {"core.technology.voltage.minimum=0.1 V"}), ConfigError);
}

}  // namespace
}  // namespace cairn::chip
