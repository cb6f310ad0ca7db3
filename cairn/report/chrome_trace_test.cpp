#include "cairn/report/chrome_trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::report {
namespace {

using nlohmann::json;

json trace_of(const explain::CollectiveResult& result) {
  std::ostringstream out;
  write_chrome_trace(result, out);
  return json::parse(out.str());
}

explain::CollectiveSpan span_of(const char* track, std::uint32_t part, double begin, double end) {
  return {.track = track,
          .name = "send \"all\"",
          .part = part,
          .chunk = 7,
          .begin = Seconds(begin),
          .end = Seconds(end)};
}

TEST(ChromeTrace, NamesProcessesAndThreadsAndCountsMicroseconds) {
  explain::CollectiveResult result;
  result.spans = {span_of("device 0", 0, 1e-6, 3.000001e-6), span_of("device 1", 2, 0.0, 1e-6)};

  const json trace = trace_of(result);

  std::map<std::string, int> phases;
  for (const json& event : trace["traceEvents"]) {
    ++phases[event["ph"].get<std::string>() + event["name"].get<std::string>()];
    if (event["ph"] == "X" && event["pid"] == 0) {
      EXPECT_EQ(event["ts"], 1.0);
      EXPECT_EQ(event["dur"], 2.000001);
      EXPECT_EQ(event["args"]["chunk"], 7);
    }
  }
  EXPECT_EQ(phases["Mprocess_name"], 2);
  EXPECT_EQ(phases["Mthread_name"], 2);
  EXPECT_EQ(phases["Xsend \"all\""], 2);
}

TEST(ChromeTrace, SpansOfOneThreadNeverOverlap) {
  explain::CollectiveResult result;
  for (int i = 0; i < 50; ++i) {
    const double begin = i * 1e-6;
    result.spans.push_back(span_of("device 0", 0, begin, begin + (i % 7) * 1e-6));
  }

  const json trace = trace_of(result);

  std::map<int, double> end_of_thread;
  std::size_t spans = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      double& end = end_of_thread[event["tid"].get<int>()];
      EXPECT_GE(event["ts"].get<double>(), end - 1e-6);
      end = event["ts"].get<double>() + event["dur"].get<double>();
      ++spans;
    }
  }
  EXPECT_EQ(spans, 50U);
  EXPECT_LE(end_of_thread.size(), 7U);  // no more than overlap at once
}

// Two overlapping messages on a link are one busy interval; the third comes later.
TEST(ChromeTrace, LinksHaveRowsOfBusyIntervals) {
  explain::CollectiveResult result;
  result.recorded_links = {"memory", "up"};
  result.links = {{.name = "up"}, {.name = "down"}};
  result.spans = {span_of("device 0", 0, 0.0, 2e-6),
                  span_of("device 1", 0, 1e-6, 3e-6),
                  span_of("device 0", 0, 5e-6, 6e-6)};
  for (explain::CollectiveSpan& span : result.spans) {
    span.links = {1};
  }
  result.spans[2].phase = 1;

  std::vector<std::tuple<std::string, double, double>> busy;
  std::vector<std::string> rows;
  const json trace = trace_of(result);
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == 2) {
      busy.emplace_back(event["name"], event["ts"], event["dur"]);
    }
    if (event["name"] == "thread_name") {
      rows.push_back(event["args"]["name"]);
    }
  }

  EXPECT_EQ(busy,
            (std::vector<std::tuple<std::string, double, double>>{{"2 messages", 0.0, 3.0},
                                                                  {"1 message", 5.0, 1.0}}));
  EXPECT_EQ(rows,
            (std::vector<std::string>{
                "phase 1 of 2, over up", "phase 2 of 2, over up", "phase 1 of 2, over up", "up"}));
}

TEST(ChromeTrace, AnEmptyResultIsAValidTrace) {
  EXPECT_EQ(trace_of({})["traceEvents"].size(), 0U);
}

}  // namespace
}  // namespace cairn::report
