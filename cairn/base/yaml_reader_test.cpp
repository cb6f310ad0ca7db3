#include "cairn/base/yaml_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>

namespace cairn {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_config(text, "f.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += part;
  }
  return text;
}

TEST(YamlReader, NamesBothLinesOfADuplicateKey) {
  EXPECT_EQ(error_of("link:\n  bandwidth: 1 GB/s\n  latency: 1 ns\n  bandwidth: 2 GB/s\n"),
            "f.yaml:4: link.bandwidth: duplicate key (first on line 2)");
  EXPECT_EQ(error_of("a: {b: 1, 'b': 2}"), "f.yaml:1: a.b: duplicate key (first on line 1)");
}

TEST(YamlReader, EmptyTextIsRefused) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n", "~\n"}) {
    EXPECT_EQ(error_of(text), "f.yaml: empty (expected YAML keys and values)") << text;
  }
}

TEST(YamlReader, SyntaxErrorsNameTheLine) {
  EXPECT_EQ(error_of("a: 1\n  b: 2\n"),
            "f.yaml:2: not YAML: illegal map value (expected \"key: value\"; keys of one map are "
            "indented alike, with spaces)");
  EXPECT_EQ(error_of("a: 1\n]"), "f.yaml:2: not YAML: illegal flow end");
  EXPECT_EQ(error_of("a: [1, 2\n"),
            "f.yaml:2: not YAML: end of sequence flow not found (a \"]\" is missing)");
}

TEST(YamlReader, AQuoteMustEndOnItsLine) {
  const std::string expected = "f.yaml:1: a: quote without an end (expected one on the same line)";

  EXPECT_EQ(error_of("a: \"x\nbc: 2\n"), expected);
  EXPECT_EQ(error_of("a: &k 'x\n"), expected);
  EXPECT_EQ(error_of("a: 'it''s'\nb: \"\\\"\"\r\nc: &k \"x\"\n"), "");
}

TEST(YamlReader, OneDocumentOnly) {
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n"),
            "f.yaml:2: text after the end of the value (expected one document)");
  EXPECT_EQ(error_of("{a: 1} x\n"),
            "f.yaml:1: text after the end of the value (expected one document)");
  EXPECT_EQ(error_of("---\na: 1\n...\n# end\n"), "");
}

TEST(YamlReader, TagsAndMergeKeysAreRefused) {
  EXPECT_EQ(error_of("a: !foo 1\n"), R"(f.yaml:1: a: tag "!foo" (expected a value without a tag))");
  EXPECT_EQ(error_of("x: &x {a: 1}\ny:\n  <<: *x\n"),
            "f.yaml:3: y.<<: merge keys are not supported (expected the keys themselves)");
}

TEST(YamlReader, KeysArePlainWords) {
  const std::string expected =
      "f.yaml:1: key that is not a plain word, or a bracket that is not closed (expected \"key: "
      "value\")";

  for (const char* text : {"[1]: 2\n", ": 2\n", "? {a: 1}\n: 2\n", "[[1, 2\n"}) {
    EXPECT_EQ(error_of(text), expected) << text;
  }
  EXPECT_EQ(error_of("\"a\\nb\": 1\n"), R"(f.yaml:1: key "a\nb" (expected one short word))");
}

TEST(YamlReader, AliasesRepeatTheirValueUnderTheNewKey) {
  const Config config = parse_config("fast: &f\n  latency: 1 ns\nslow: *f\n", "f.yaml");

  const Config& latency = *config.find("slow")->find("latency");

  EXPECT_EQ(latency.text, "1 ns");
  EXPECT_EQ(to_text(latency.where), "f.yaml:2: slow.latency");
}

TEST(YamlReader, AnAliasCannotContainItself) {
  EXPECT_EQ(error_of("x: &x [*x]\n"),
            "f.yaml:1: x[0]: alias inside its own anchor (expected a finite value)");
}

TEST(YamlReader, ExplodingAnchorsFailFast) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += fmt::format("a{}: &a{} [{}{}]\n", i, i, repeated(alias + ", ", 8), alias);
  }
  const auto start = std::chrono::steady_clock::now();

  const std::string error = error_of(text);

  EXPECT_NE(error.find("with all anchors expanded"), std::string::npos) << error;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(YamlReader, LongTextRepeatedByAliasesFails) {
  const std::string text =
      "a: &a " + repeated("y", 4'000'000) + "\nb: [" + repeated("*a, ", 1000) + "1]\n";

  EXPECT_NE(error_of(text).find("with all anchors expanded"), std::string::npos);
}

TEST(YamlReader, NestingIsBounded) {
  EXPECT_EQ(error_of(repeated("[", 64) + repeated("]", 64)), "");
  EXPECT_EQ(error_of(repeated("[", 65) + repeated("]", 65)),
            "f.yaml:1: nested deeper than 64 levels");
  EXPECT_EQ(error_of(repeated("- ", 100'000)), "f.yaml:1: nested deeper than 64 levels");
  for (const char* part : {"[", "{", "[{", "? ", "{a: ", "[a: ", "&a [", "- [", "a:\n "}) {
    EXPECT_NE(error_of(repeated(part, 100'000)), "") << part;
  }
}

TEST(YamlReader, AliasesDoNotNestBeyondTheBound) {
  const std::string text = "a: &a " + repeated("[", 40) + repeated("]", 40) + "\n" +
                           "b: " + repeated("[", 40) + "*a" + repeated("]", 40) + "\n";

  EXPECT_EQ(error_of(text), "f.yaml:2: nested deeper than 64 levels");
}

TEST(YamlReader, BinaryContentIsRefused) {
  EXPECT_EQ(error_of(std::string_view("a: 1\n\0", 6)), "f.yaml:2: byte 0x00 (expected UTF-8 text)");
  EXPECT_EQ(error_of("a: \xE9\n"), "f.yaml:1: byte 0xe9 (expected UTF-8 text)");
  EXPECT_EQ(error_of("\xFF\xFE"
                     "a"),
            "f.yaml:1: byte 0xff (expected UTF-8 text)");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"
                     "a: µ \"€\" \U0001F600\n"),
            "");
}

// Whatever the bytes, the outcome is a value or a ConfigError; other exceptions end the test.
RC_GTEST_PROP(YamlReaderProperty, RandomBytesAreReadOrRefused, ()) {
  const auto bytes = *rc::gen::arbitrary<std::string>();

  static_cast<void>(error_of(bytes));
}

RC_GTEST_PROP(YamlReaderProperty, RandomYamlIsReadOrRefused, ()) {
  const auto parts =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "a",  "b",  ": ", ":",  "- ",  "\n", "\n  ", "\n    ", "[",  "]",
          "{",  "}",  ", ", "? ", "&a ", "*a", "\"",   "'",      "|",  ">",
          "!x", "# ", "%",  "\t", "---", "<<", "\\",   "1",      "\r", "..."}));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }

  static_cast<void>(error_of(text));
}

}  // namespace
}  // namespace cairn
