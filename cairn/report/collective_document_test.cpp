#include "cairn/report/collective_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"

namespace cairn::report {
namespace {

using explain::CollectiveResult;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

CollectiveResult ring_result() {
  CollectiveResult result{.platform = "ring:8@25GB/s,500ns",
                          .op = comm::Op::kAllReduce,
                          .size = Bytes(100e6),
                          .devices = 8,
                          .algorithm = "ring",
                          .chunks = 1,
                          .time = Seconds(8e-3),
                          .lower_bound = Seconds(4e-3),
                          .algorithm_bandwidth = BytesPerSecond(12.5e9),
                          .bus_bandwidth = BytesPerSecond(21.875e9),
                          .sent_per_device = Bytes(175e6),
                          .driven_bandwidth = BytesPerSecond(21.875e9),
                          .bound = {explain::BoundKind::kLink, "link bandwidth: up", "up"},
                          .events = 14,
                          .simulated_ranks = 1};
  result.links.push_back({.name = "up",
                          .members = 8,
                          .bandwidth = BytesPerSecond(25e9),
                          .traffic = Bytes(175e6),
                          .utilization = 0.875});
  result.links.push_back({.name = "down", .members = 8, .bandwidth = BytesPerSecond(25e9)});
  return result;
}

std::string collective_text(const CollectiveResult& result) {
  return text_of(document_of(result));
}

std::string collective_table(const std::vector<CollectiveResult>& results) {
  return text_of(document_of(results));
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, text_width(line));
  }
  return longest;
}

TEST(CollectiveText, ShowsTimeBandwidthBoundAndBusiestLinks) {
  const std::string text = collective_text(ring_result());

  EXPECT_THAT(text, HasSubstr("all_reduce of 100 MB among 8 devices on ring:8@25GB/s,500ns\n"));
  EXPECT_THAT(text, HasSubstr("time                 8 ms\n"));
  EXPECT_THAT(text, HasSubstr("bus bandwidth        21.88 GB/s    1.75 x size / time"));
  EXPECT_THAT(text,
              HasSubstr("lower bound          4 ms          the time is 2 times this bound\n"));
  EXPECT_THAT(text, HasSubstr("bound by             link bandwidth: up\n"));
  EXPECT_THAT(text, HasSubstr("simulated            1 class for 8 devices, 14 events\n"));
  EXPECT_THAT(text, HasSubstr("#########.   87.5 %"));
}

TEST(CollectiveText, NamesTheProtocolIfThereIsOne) {
  CollectiveResult result = ring_result();
  EXPECT_THAT(collective_text(result), Not(HasSubstr("protocol")));
  result.protocol = "LL128";

  EXPECT_THAT(collective_text(result), HasSubstr("protocol             LL128\n"));
  EXPECT_THAT(collective_table({result, result}), HasSubstr("ring, LL128"));
}

TEST(CollectiveText, OmitsLinksWithoutTraffic) {
  EXPECT_THAT(collective_text(ring_result()), Not(HasSubstr("down")));
}

TEST(CollectiveText, SaysThatTheLowerBoundIsReached) {
  CollectiveResult result = ring_result();
  result.lower_bound = result.time;

  EXPECT_THAT(collective_text(result), HasSubstr("reached"));
}

TEST(CollectiveText, CountsLinksThatAreNotShown) {
  CollectiveResult result = ring_result();
  result.links.resize(1);
  result.links.resize(8, result.links.front());

  EXPECT_THAT(collective_text(result), HasSubstr("3 more in --json"));
}

TEST(CollectiveText, KeepsLinesShortWhateverTheNames) {
  CollectiveResult result = ring_result();
  result.platform = std::string(300, 'p');
  result.algorithm = std::string(200, 'a');
  result.bound.resource = std::string(200, 'l');
  result.bound.text = "link bandwidth: " + result.bound.resource;
  result.chosen_because = "fastest of: " + std::string(150, 'r') + " 8 ms, tree 9 ms";
  result.links.front().name = std::string(200, 'n');

  EXPECT_LE(longest_line(collective_text(result)), kLineWidth);
  EXPECT_LE(longest_line(collective_table({result, result})), kLineWidth);
}

TEST(CollectiveText, KeepsANumberAndItsUnitTogether) {
  CollectiveResult result = ring_result();
  result.chosen_because = "fastest of: a 1 ms";
  for (int i = 0; i < 40; ++i) {
    result.chosen_because += ", b 2 ms";
  }

  std::istringstream lines(collective_text(result));
  int wrapped = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("b 2") != std::string::npos) {
      EXPECT_THAT(line, testing::AnyOf(testing::EndsWith("ms,"), testing::EndsWith("ms")));
      ++wrapped;
    }
  }
  EXPECT_GT(wrapped, 2);
}

TEST(CollectiveText, NoBandwidthWithoutTime) {
  const CollectiveResult nothing{.platform = "ring:8@25GB/s",
                                 .devices = 1,
                                 .algorithm = "none",
                                 .bound = {explain::BoundKind::kNothing, "nothing"}};

  const std::string text = collective_text(nothing);

  EXPECT_THAT(text, HasSubstr("time                 0 s\n"));
  EXPECT_THAT(text, HasSubstr("among 1 device on"));
  EXPECT_THAT(text, Not(HasSubstr("bandwidth  ")));
}

TEST(CollectiveTable, HasALinePerSizeInTheUnitsOfItsHeader) {
  CollectiveResult small = ring_result();
  small.size = Bytes(0.0);
  small.time = Seconds(0.0);

  const std::string text = collective_table({small, ring_result()});

  EXPECT_THAT(text, HasSubstr("all_reduce among 8 devices on ring:8@25GB/s,500ns\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n +0 +ring +0.00 +- +- "));
  EXPECT_THAT(
      text,
      testing::ContainsRegex("\n100000000 +ring +8000.00 +12.50 +21.88 +4000.00 +50.0 +up\n"));
}

TEST(CollectiveTable, NoResultsIsABug) {
  EXPECT_THROW(collective_table({}), Bug);
}

CollectiveResult result_of(Seconds time) {
  CollectiveResult result{.platform = "p", .size = Bytes(1e6), .devices = 4, .time = time};
  result.bus_bandwidth = BytesPerSecond(1e9);
  result.links.push_back({.name = "up", .members = 4, .bandwidth = BytesPerSecond(25e9)});
  return result;
}

TEST(CollectiveJson, HasDocumentedKeys) {
  const json parsed = json_tree(document_of(result_of(Seconds(1e-3))));

  for (const char* key : {"time_s",
                          "lower_bound_s",
                          "bus_bandwidth_Bps",
                          "algorithm",
                          "bound_by",
                          "bound_by_kind",
                          "bound_by_resource",
                          "events",
                          "links",
                          "platform",
                          "op",
                          "size_B",
                          "devices",
                          "chunks",
                          "algorithm_bandwidth_Bps",
                          "sent_per_device_B",
                          "driven_bandwidth_Bps",
                          "simulated_ranks"}) {
    EXPECT_TRUE(parsed.contains(key)) << key;
  }
  for (const char* key : {"name", "members", "bandwidth_Bps", "carried_B", "utilization"}) {
    EXPECT_TRUE(parsed["links"][0].contains(key)) << key;
  }
  EXPECT_FALSE(parsed.contains("chosen_because"));
  EXPECT_EQ(parsed["time_s"], 1e-3);
  EXPECT_EQ(parsed["op"], "all_reduce");
}

TEST(CollectiveJson, UnknownIsNullAndNonFiniteIsText) {
  CollectiveResult result = result_of(Seconds(0.0));
  result.links.front().bandwidth = BytesPerSecond::infinity();
  result.lower_bound = Seconds(std::numeric_limits<double>::quiet_NaN());

  const json parsed = json_tree(document_of(result));

  EXPECT_TRUE(parsed["bus_bandwidth_Bps"].is_null());
  EXPECT_EQ(parsed["lower_bound_s"], "NaN");
  EXPECT_EQ(parsed["links"][0]["bandwidth_Bps"], "Infinity");
  EXPECT_EQ(parsed["time_s"], 0.0);
}

TEST(CollectiveJson, SurvivesNamesThatAreNotUtf8) {
  CollectiveResult result = result_of(Seconds(1e-3));
  result.platform = "\xff\"\n";

  EXPECT_TRUE(json::accept(json_of(document_of(result))));
}

TEST(CollectivesJson, HasOneObjectPerResult) {
  const std::vector results{result_of(Seconds(1e-3)), result_of(Seconds(2e-3))};

  const json parsed = json_tree(document_of(results));

  ASSERT_EQ(parsed["results"].size(), 2U);
  EXPECT_EQ(parsed["results"][1]["time_s"], 2e-3);
}

}  // namespace
}  // namespace cairn::report
