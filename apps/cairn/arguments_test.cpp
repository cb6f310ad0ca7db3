#include "apps/cairn/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn::app {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

template <class F>
std::string complaint(F&& parse) {
  try {
    parse();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(ParseSizes, ReadsListsAndDoublingRanges) {
  EXPECT_THAT(parse_sizes({"1 MB, 2kB", "3 B"}, "--size"),
              ElementsAre(Bytes(1e6), Bytes(2e3), Bytes(3)));
  EXPECT_THAT(parse_sizes({"1 KiB..5 KiB"}, "--size"),
              ElementsAre(Bytes(1024), Bytes(2048), Bytes(4096)));
  EXPECT_THAT(parse_sizes({"1 MB .. 1 MB"}, "--size"), ElementsAre(Bytes(1e6)));
  EXPECT_THAT(parse_sizes({"0 B"}, "--size"), ElementsAre(Bytes(0)));
  EXPECT_THAT(parse_sizes({"1 B", "0.001 kB"}, "--size"), ElementsAre(Bytes(1), Bytes(1)));
}

TEST(ParseSizes, RejectsInvalidSizes) {
  for (const char* text : {"",
                           "5",
                           "5 parsecs",
                           "nan",
                           "nan B",
                           "inf B",
                           "1e999 B",
                           "-5MB",
                           "5 GB/s",
                           "1 MB,",
                           "1 MB..",
                           "..1 MB",
                           "2 MB..1 MB",
                           "0 B..1 MB",
                           "0.5 B",
                           "0.0009 kB",
                           "0.5 B..4 B",
                           "1 B..2 B..3 B",
                           "1e-300 B..1e300 B"}) {
    EXPECT_THAT(complaint([&] { parse_sizes({text}, "--size"); }), StartsWith("--size: ")) << text;
  }
}

TEST(ParseGroup, ReadsDevicesAndRangesInOrder) {
  EXPECT_THAT(parse_group("5, 0-2,7", "--group", 8), ElementsAre(5, 0, 1, 2, 7));
  EXPECT_THAT(parse_group("3-3", "--group", 8), ElementsAre(3));
}

TEST(ParseGroup, RejectsInvalidGroups) {
  for (const char* text : {"",
                           ",",
                           "a",
                           "-1",
                           "1-",
                           "5-2",
                           "0,0",
                           "0-2,1",
                           "8",
                           "0-8",
                           "0-99999999999999999999999",
                           "1.5",
                           "0x1",
                           "1-2-3"}) {
    EXPECT_THAT(complaint([&] { parse_group(text, "--group", 8); }), StartsWith("--group: "))
        << text;
  }
}

TEST(ParseCount, IsAnIntegerWithinBounds) {
  EXPECT_EQ(parse_count("7", "--chunks", 1, 10), 7U);
  for (const char* text :
       {"", "0", "-1", "11", "1.5", "1e3", "4294967297", "x", "99999999999999999999"}) {
    EXPECT_THAT(complaint([&] { parse_count(text, "--chunks", 1, 10); }), StartsWith("--chunks: "))
        << text;
  }
}

TEST(ParseName, SuggestsTheNearest) {
  EXPECT_EQ(parse_name("ring", "--algorithm", "an algorithm", {"auto", "ring"}), 1U);
  EXPECT_EQ(complaint([] { parse_name("rng", "--algorithm", "an algorithm", {"auto", "ring"}); }),
            "--algorithm: \"rng\" is not an algorithm (did you mean \"ring\"?)");
}

TEST(ParseChunkSize, RoundsUp) {
  EXPECT_EQ(parse_chunk_size("64 KiB", "--chunk-size", Bytes(1e9)), 15259U);
  EXPECT_EQ(parse_chunk_size("1 GB", "--chunk-size", Bytes(1.0)), 1U);
  EXPECT_EQ(parse_chunk_size("1 GB", "--chunk-size", Bytes(0.0)), 1U);
}

TEST(ParseChunkSize, RejectsZeroAndTooManyChunks) {
  for (const char* text : {"0 B", "-1 B", "1 B", "64", "1 s"}) {
    EXPECT_THAT(complaint([&] { parse_chunk_size(text, "--chunk-size", Bytes(1e9)); }),
                StartsWith("--chunk-size: "))
        << text;
  }
}

}  // namespace
}  // namespace cairn::app
