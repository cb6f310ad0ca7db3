#include "cairn/base/config.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cairn {
namespace {

std::string set_error(Config& config, const std::string& assignment) {
  try {
    set_value(config, assignment);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Config, ValuesRememberWhereTheyWereWritten) {
  const Config config =
      parse_config("device:\n  memory:\n    - {size: 1 GB}\n    - size: 2 GB\n", "h100.yaml");

  const Config& size = *config.find("device")->find("memory")->items[1].find("size");

  EXPECT_EQ(size.text, "2 GB");
  EXPECT_EQ(to_text(size.where), "h100.yaml:4: device.memory[1].size");
}

TEST(Config, ANestedValueIsOnTheLineOfItsKey) {
  const Config config = parse_config("device:\n  memory: 1\n", "f.yaml");

  EXPECT_EQ(config.find("device")->where.line, 1);
}

TEST(Config, FindReturnsNullForAMissingKey) {
  const Config config = parse_config("a: 1\nb:\n", "f.yaml");

  EXPECT_EQ(config.find("c"), nullptr);
  EXPECT_EQ(config.find("b")->kind, Config::Kind::kNull);
}

TEST(Config, RejectQuotesTheValueFound) {
  const Config config = parse_config("topology: rign\nsizes: [1]\n", "p.yaml");

  EXPECT_THROW(
      {
        try {
          reject(*config.find("topology"), "is not a topology");
        } catch (const ConfigError& error) {
          EXPECT_STREQ(error.what(), R"(p.yaml:1: topology: "rign" is not a topology)");
          throw;
        }
      },
      ConfigError);
  EXPECT_EQ(found_text(*config.find("sizes")), "a list");
  EXPECT_EQ(found_text(config), "a map");
  EXPECT_EQ(found_text(Config{}), "no value");
}

TEST(ConfigToText, ReadsBackTheSame) {
  const std::string text = R"({a: 25 GB/s, b: ["1: 2", "", null, "null"], "c d": {e: "x\ny"}})";

  const Config config = parse_config(text, "f.yaml");

  EXPECT_EQ(to_text(config),
            "{a: 25 GB/s, b: [\"1: 2\", \"\", null, \"null\"], c d: {e: \"x\\ny\"}}");
  EXPECT_EQ(to_text(parse_config(to_text(config), "f.yaml")), to_text(config));
}

RC_GTEST_PROP(ConfigProperty, AnyScalarSurvivesPrinting, ()) {
  Config config;
  config.kind = Config::Kind::kList;
  config.items.resize(1);
  config.items[0].kind = Config::Kind::kScalar;
  config.items[0].text = *rc::gen::container<std::string>(rc::gen::inRange(' ', '~'));

  const Config back = parse_config(to_text(config), "f.yaml");

  RC_ASSERT(back.items.at(0).kind == Config::Kind::kScalar);
  RC_ASSERT(back.items.at(0).text == config.items[0].text);
}

TEST(SetValue, ReplacesAndAdds) {
  Config config = parse_config("device:\n  memory: [{size: 1 GB}, {size: 2 GB}]\n", "f.yaml");

  set_value(config, "device.memory[1].size=3 GB");
  set_value(config, "device.memory[2]={size: 4 GB}");
  set_value(config, "device.name=a=b");
  set_value(config, "new.list[0].x=1");

  EXPECT_EQ(to_text(config),
            "{device: {memory: [{size: 1 GB}, {size: 3 GB}, {size: 4 GB}], name: a=b}, "
            "new: {list: [{x: 1}]}}");
}

TEST(SetValue, NewValuesKnowTheirKeyAndTheFlag) {
  Config config = parse_config("device: {memory: 1}\n", "f.yaml");

  set_value(config, "device.memory={sizes: [1, 2]}");

  const Config& size = config.find("device")->find("memory")->find("sizes")->items[1];
  EXPECT_EQ(to_text(size.where), "--set: device.memory.sizes[1]");
}

TEST(SetValue, AllowsUnusedKeysOfTheFileButNotOfTheFlag) {
  Config config = parse_config("{memory: {offload: all, window: 2}, steps: 1}", "d.yaml");
  set_value(config, "memory.recompute=true");
  set_value(config, "memory.offload=none");

  const Config& memory = *config.find("memory");
  EXPECT_TRUE(config.find("steps")->may_be_unused);
  EXPECT_TRUE(memory.find("window")->may_be_unused);
  EXPECT_FALSE(memory.find("recompute")->may_be_unused);
  EXPECT_FALSE(memory.find("offload")->may_be_unused);
}

TEST(SetValue, RejectsAPathThatCannotBeReached) {
  Config config = parse_config("a: 5\nb: [1]\n", "f.yaml");

  EXPECT_EQ(set_error(config, "a.b=1"), R"(--set: a.b: cannot be set inside "5" (expected a map))");
  EXPECT_EQ(set_error(config, "b.c=1"), "--set: b.c: cannot be set inside a list (expected a map)");
  EXPECT_EQ(set_error(config, "b[9]=1"), "--set: b[9]: is beyond the end of a list of 1");
}

TEST(SetValue, RejectsTextThatIsNotAnAssignment) {
  Config config;

  EXPECT_EQ(set_error(config, "a"), R"(--set: "a" has no "=" (expected e.g. "bandwidth=25 GB/s"))");
  for (const char* path : {"",
                           ".a",
                           "a.",
                           "a..b",
                           "a[",
                           "a[]",
                           "a[x]",
                           "a[-1]",
                           "a[1",
                           "a]",
                           "a[1]b",
                           "a[99999999999999999999]"}) {
    EXPECT_NE(set_error(config, std::string(path) + "=1"), "") << path;
  }
  EXPECT_NE(set_error(config, "a=[1"), "");
}

}  // namespace
}  // namespace cairn
