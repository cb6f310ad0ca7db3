#include "cairn/tech/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace cairn::tech {
namespace {

const Folders kLibrary{std::filesystem::path(CAIRN_DATA_FOLDER) / "tech"};

Config named(const std::string& text) {
  return parse_config("technology: " + text + "\n", "t.yaml").items.front();
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Reads any component of a kind as a program would.
void read_any(const std::string& kind, const Config& config) {
  if (kind == "compute") {
    read_compute_unit(config, kLibrary);
  } else if (kind == "on-chip-memory") {
    read_on_chip_memory(config, kLibrary);
  } else if (kind == "off-chip-memory") {
    read_off_chip_memory(config, kLibrary);
  } else if (kind == "links") {
    read_link(config, kLibrary);
  } else if (kind == "packages") {
    read_package(config, kLibrary);
  } else {
    read_scaling_law(config, kLibrary);
  }
}

TEST(Library, EveryBundledComponentIsReadAndHasADescription) {
  std::size_t components = 0;
  for (const Kind& kind : kinds()) {
    for (const NamedEntry& entry : list_named(folders_of(kind.folder, kLibrary))) {
      EXPECT_EQ(complaint([&] { read_any(std::string(kind.folder), named(entry.name)); }), "");
      EXPECT_NE(entry.description, "") << entry.file;
      ++components;
    }
  }
  EXPECT_GE(components, 30U);
}

TEST(Library, UnknownNameSuggestsTheNearestOfItsKind) {
  EXPECT_THAT(complaint([] { read_off_chip_memory(named("hbm22"), kLibrary); }),
              testing::AllOf(testing::HasSubstr("t.yaml:1: technology"),
                             testing::HasSubstr("\"hbm22\" is not an off-chip memory"),
                             testing::HasSubstr("hbm2")));
  EXPECT_THAT(complaint([] { read_link(named("hbm2"), kLibrary); }),
              testing::HasSubstr("\"hbm2\" is not a link"));
}

TEST(Library, AnInlineComponentIsCheckedLikeOneFromAFile) {
  const std::string link =
      "{source: a test, rate: 8 Gb/s, energy: 1 pJ/bit, area: 1 mm2, links_per_length: 2 /mm, "
      "latency: 1 us, voltage: {nominal: 1 V, threshold: 0.3 V, minimum: MINIMUM, maximum: 1 V}}";
  const auto with = [&](const std::string& minimum) {
    std::string text = link;
    return named(text.replace(text.find("MINIMUM"), 7, minimum));
  };

  EXPECT_DOUBLE_EQ(read_link(with("0.5 V"), kLibrary).rate.si(), 1e9);
  EXPECT_THAT(complaint([&] { read_link(with("0.2 V"), kLibrary); }),
              testing::HasSubstr("t.yaml:1: technology.voltage.minimum"));
}

// DeepFlow, section 9: area and power scale by 1.8 and 1.3 from one node to the next.
TEST(Library, ScalingOfThePaperHasSevenNodesFrom12To1Nanometre) {
  const ScalingLaw law = read_scaling_law(named("crossflow"), kLibrary);

  EXPECT_EQ(steps_between(law, Metres(12e-9), Metres(1e-9)), 6);
  EXPECT_EQ(law.area, 1.8);
  EXPECT_EQ(law.power, 1.3);
}

}  // namespace
}  // namespace cairn::tech
