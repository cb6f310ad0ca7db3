#include "cairn/chip/level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn::chip {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& text) {
  const Config config = parse_config("levels:\n" + text, "d.yaml");
  try {
    check_levels(read_config<std::vector<Level>>(*config.find("levels")), config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(Level, InnermostIsFirst) {
  EXPECT_EQ(complaint("  - {name: l1, scope: bundle, capacity: 1 MB}\n"
                      "  - {name: l2, scope: global, capacity: 1 MB}\n"),
            "none");
  EXPECT_THAT(complaint("  - {name: l2, scope: global, capacity: 1 MB}\n"
                        "  - {name: l1, scope: bundle, capacity: 1 MB}\n"),
              HasSubstr("d.yaml:3: levels[1]: a map has scope bundle after"));
}

TEST(Level, HasOneBandwidth) {
  EXPECT_THAT(complaint("  - {name: l2, scope: global, capacity: 1 MB, per_cycle: 1 B, "
                        "bandwidth: 1 GB/s}\n"),
              HasSubstr("levels[0]: a map has both bandwidth and per_cycle"));
}

TEST(Level, HasAUniqueNameOfLimitedLength) {
  EXPECT_THAT(complaint("  - {name: l2, scope: global, capacity: 1 MB}\n"
                        "  - {name: l2, scope: global, capacity: 2 MB}\n"),
              HasSubstr("levels[1]: a map has the name \"l2\""));
  EXPECT_THAT(complaint("  - {name: memory, scope: global, capacity: 1 MB}\n"),
              HasSubstr("has the name \"memory\", which is in use"));
  EXPECT_THAT(complaint("  - {name: sixteen-letters1, scope: global, capacity: 1 MB}\n"),
              HasSubstr("(expected 1 to 15 characters)"));
}

TEST(Level, AreAtMostSix) {
  std::string text;
  for (std::size_t i = 0; i <= kMaxLevels; ++i) {
    text += "  - {name: l" + std::to_string(i) + ", scope: global, capacity: 1 MB}\n";
  }

  EXPECT_THAT(complaint(text), HasSubstr("has 7 levels (expected at most 6)"));
}

}  // namespace
}  // namespace cairn::chip
