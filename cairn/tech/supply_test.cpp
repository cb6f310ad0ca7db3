#include "cairn/tech/supply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cairn::tech {
namespace {

std::string complaint(const std::string& text) {
  const Config config = parse_config(text, "f.yaml");
  try {
    check(read_config<Supply>(config), config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Supply, OrderedVoltagesAreAccepted) {
  EXPECT_EQ(complaint("{nominal: 0.8 V, threshold: 0.2 V, minimum: 0.55 V, maximum: 1.1 V}"), "");
  // Scaling may take the nominal voltage below the minimum: the component then runs at its
  // minimum.
  EXPECT_EQ(complaint("{nominal: 0.5 V, threshold: 0.2 V, minimum: 0.55 V, maximum: 1.1 V}"), "");
}

TEST(Supply, VoltageBelowThresholdNamesItsLineAndKey) {
  EXPECT_THAT(complaint("nominal: 0.8 V\nthreshold: 0.2 V\nminimum: 0.2 V\nmaximum: 1 V\n"),
              testing::AllOf(testing::HasSubstr("f.yaml:3: minimum"),
                             testing::HasSubstr("threshold"),
                             testing::HasSubstr("200 mV")));
  EXPECT_THAT(complaint("nominal: 0.1 V\nthreshold: 0.2 V\nminimum: 0.3 V\nmaximum: 1 V\n"),
              testing::HasSubstr("f.yaml:1: nominal"));
}

TEST(Supply, VoltageAboveMaximumNamesItsLineAndKey) {
  EXPECT_THAT(complaint("nominal: 0.8 V\nthreshold: 0.2 V\nminimum: 0.9 V\nmaximum: 0.85 V\n"),
              testing::HasSubstr("f.yaml:3: minimum"));
  EXPECT_THAT(complaint("nominal: 0.8 V\nthreshold: 0.2 V\nminimum: 0.3 V\nmaximum: 0.7 V\n"),
              testing::HasSubstr("f.yaml:1: nominal"));
}

}  // namespace
}  // namespace cairn::tech
