#include "cairn/report/step_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

using nlohmann::json;

json events_of(const explain::StepResult& result) {
  std::ostringstream out;
  write_step_trace(result, out);
  return json::parse(out.str())["traceEvents"];
}

TEST(StepTrace, EveryEventHasTheFieldsThatViewersNeed) {
  for (const json& event : events_of(small_step())) {
    for (const char* key : {"ph", "name", "pid", "tid", "args"}) {
      EXPECT_TRUE(event.contains(key)) << event;
    }
    if (event["ph"] != "M") {
      EXPECT_GE(event["ts"].get<double>(), 0.0);
    }
    if (event["ph"] == "X") {
      EXPECT_GE(event["dur"].get<double>(), 0.0);
    }
  }
}

TEST(StepTrace, ADeviceClassHasFourNamedRows) {
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> rows;
  for (const json& event : events_of(small_step())) {
    if (event["name"] == "process_name") {
      processes[event["pid"]] = event["args"]["name"];
    }
    if (event["name"] == "thread_name") {
      rows[{event["pid"], event["tid"]}] = event["args"]["name"];
    }
  }
  EXPECT_EQ(processes,
            (std::map<int, std::string>{{0, "device class 0 (6 devices)"},
                                        {1, "device class 1 (2 devices)"},
                                        {2, "resources, busiest first"}}));
  for (const int c : {0, 1}) {
    EXPECT_EQ((rows[{c, 0}]), "compute");
    EXPECT_EQ((rows[{c, 1}]), "copy out");
    EXPECT_EQ((rows[{c, 2}]), "copy in");
    EXPECT_EQ((rows[{c, 3}]), "collectives");
  }
  EXPECT_EQ((rows[{2, 0}]), "up, copy out");  // busiest first
  EXPECT_EQ((rows[{2, 1}]), "up, collectives");
  EXPECT_EQ((rows[{2, 2}]), "memory of device 0, compute");
}

// A pipeline: each stage has rows of its own channels; memory is that of the stage with the highest
// peak.
TEST(StepTrace, AStageHasARowForEachOfItsChannels) {
  explain::StepResult result = small_step();
  result.class_stage = {0, 1};
  result.memory_class = 1;
  result.record.channels = {{.name = "collectives in stage 0"},
                            {.name = "from stage 0 to 1", .stage = 0, .to_stage = 1},
                            {.name = "collectives in stage 1", .stage = 1, .to_stage = 1}};
  std::map<int, std::vector<std::string>> channels;
  std::map<int, std::string> processes;
  for (const json& event : events_of(result)) {
    if (event["name"] == "process_name") {
      processes[event["pid"]] = event["args"]["name"];
    }
    if (event["name"] == "thread_name" && event["pid"] < 2 && event["tid"] >= 3) {
      channels[event["pid"]].push_back(event["args"]["name"]);
    }
    if (event["ph"] == "C" && event["name"] == "memory in use") {
      EXPECT_EQ(event["pid"], 1);
    }
  }

  EXPECT_EQ(processes[1], "device class 1 (2 devices of stage 1)");
  EXPECT_EQ(channels[0], (std::vector<std::string>{"collectives in stage 0", "from stage 0 to 1"}));
  EXPECT_EQ(channels[1], (std::vector<std::string>{"from stage 0 to 1", "collectives in stage 1"}));
}

TEST(StepTrace, SpansOfARowDoNotOverlapAndAreComplete) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
  for (const json& event : events_of(small_step())) {
    if (event["ph"] == "X") {
      const double begin = event["ts"].get<double>();
      rows[{event["pid"], event["tid"]}].emplace_back(begin, begin + event["dur"].get<double>());
    }
  }
  std::size_t of_devices = 0;
  for (auto& [row, spans] : rows) {
    std::ranges::sort(spans);
    for (std::size_t s = 1; s < spans.size(); ++s) {
      EXPECT_GE(spans[s].first, spans[s - 1].second - 1e-6) << row.first << ", " << row.second;
    }
    of_devices += row.first < 2 ? spans.size() : 0;
  }
  // Ten spans on devices of one class, and the collective on both.
  EXPECT_EQ(of_devices, 12U);
}

TEST(StepTrace, MemoryInUseIsACounterOfTheClassWithHighestPeak) {
  std::map<int, std::vector<std::pair<double, double>>> counted;
  for (const json& event : events_of(small_step())) {
    if (event["ph"] == "C" && event["name"] == "memory in use") {
      counted[event["pid"]].emplace_back(event["ts"], event["args"]["B"]);
    }
  }
  const std::vector<std::pair<double, double>> expected{{0.0, 1e9}, {2e3, 3e9}, {1e4, 1e9}};
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0], expected);
}

// 60 MB in 3 ms by the offload, then 40 MB in 2 ms by the collective, at 25 GB/s.
TEST(StepTrace, TheRateOfEachResourceIsACounter) {
  explain::StepResult result = small_step();
  result.record.draws[1].drawn = 60e6;
  result.record.draws[2].drawn = 40e6;
  std::map<double, double> rate;
  for (const json& event : events_of(result)) {
    if (event["ph"] == "C" && event["name"] == "up") {
      EXPECT_EQ(event["pid"], 2);
      rate[event["ts"]] = event["args"]["B/s"];
    }
  }
  EXPECT_EQ(rate.size(), 4U);
  EXPECT_DOUBLE_EQ(rate[2e3], 60e6 / 3e-3);
  EXPECT_DOUBLE_EQ(rate[5e3], 0.0);
  EXPECT_DOUBLE_EQ(rate[8e3], 40e6 / 2e-3);
  EXPECT_DOUBLE_EQ(rate[10e3], 0.0);
}

// 100 MB at 25 GB/s take 4 ms, counted from the request; the same holds for the collective.
TEST(StepTrace, RatesStayWithinTheResourceBandwidth) {
  double most = 0.0;
  for (const json& event : events_of(small_step())) {
    if (event["ph"] == "C" && event["name"] == "up") {
      most = std::max(most, event["args"]["B/s"].get<double>());
    }
  }
  EXPECT_DOUBLE_EQ(most, 25e9);
}

// The offload waits for the first kernel, the collective for the prefetch of either class.
TEST(StepTrace, ArrowsLeadFromPredecessorToSuccessor) {
  explain::StepResult result = small_step();
  result.record.flows = {{0, 3}, {4, 10}, {9, 10}};
  std::map<int, json> begins;
  std::size_t ends = 0;
  for (const json& event : events_of(result)) {
    if (event["ph"] == "s") {
      begins[event["id"]] = event;
    }
    if (event["ph"] == "f") {
      const json& begin = begins[event["id"]];
      EXPECT_EQ(event["bp"], "e");
      EXPECT_EQ(event["pid"], begin["pid"]);
      EXPECT_NE(event["tid"], begin["tid"]);
      EXPECT_LE(begin["ts"].get<double>(), event["ts"].get<double>());
      ++ends;
    }
  }
  EXPECT_EQ(begins.size(), 3U);
  EXPECT_EQ(ends, 3U);
}

TEST(StepTrace, NamesComeFirstThenEventsByTime) {
  double last = -1.0;
  for (const json& event : events_of(small_step())) {
    const double at = event["ph"] == "M" ? -1.0 : event["ts"].get<double>();
    EXPECT_GE(at, last);
    last = at;
  }
}

TEST(StepTrace, ExchangesOfAnEngineAreLabelled) {
  explain::StepResult result = small_step();
  result.endpoint.executor = comm::Executor::kEngine;
  bool named = false;
  for (const json& event : events_of(result)) {
    named = named || event["args"].value("name", "") == "engine: collectives";
  }
  EXPECT_TRUE(named);
}

TEST(StepTrace, TransfersHaveTheirQueueingTime) {
  for (const json& event : events_of(small_step())) {
    if (event["ph"] == "X" && event["pid"] == 0 && event["name"] == "offload of x") {
      EXPECT_EQ(event["args"]["waited_in_queue_s"], 1e-3);
      EXPECT_EQ(event["args"]["bytes_B"], 1e6);
    }
  }
}

}  // namespace
}  // namespace cairn::report
