#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cairn/report/document_text.hpp"
#include "cairn/report/step_document.hpp"
#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string step_text(const explain::StepResult& result) {
  return text_of(document_of(result));
}

TEST(StepText, ShowsStepTimeBottleneckAndMemory) {
  const std::string text = step_text(small_step());

  EXPECT_THAT(text, HasSubstr("tiny by one weird trick parallelism, 64 samples on 8 devices"));
  EXPECT_THAT(text, ContainsRegex("step time +10 ms\n"));
  EXPECT_THAT(text, ContainsRegex("throughput +6400 samples/s\n"));  // 64 / 10 ms
  EXPECT_THAT(text, ContainsRegex("bound by +compute\n"));
  EXPECT_THAT(text, ContainsRegex("utilization +25.0 %"));
  EXPECT_THAT(text, HasSubstr("18.8 % of 16 GB per device, at conv1 (forward)"));  // 3 / 16
  EXPECT_THAT(text, ContainsRegex("offloaded +2 GB"));
  EXPECT_THAT(text, ContainsRegex("recomputed +100 MB"));
  EXPECT_THAT(text, HasSubstr("2 classes for 8 devices, 42 events"));
}

TEST(StepText, ExplainsWhyActivationsAreRecomputed) {
  explain::StepResult result = small_step();
  EXPECT_THAT(step_text(result),
              ContainsRegex("recomputed +100 MB +per device, instead of offloading"));

  result.from_checkpoints = result.recomputed;
  EXPECT_THAT(step_text(result),
              ContainsRegex("recomputed +100 MB +per device, from activation checkpoints\n"));

  result.from_checkpoints = Bytes(6e7);
  const std::string both = step_text(result);
  EXPECT_THAT(both, ContainsRegex("recomputed +100 MB +per device, 60 MB from activation"));
  EXPECT_THAT(both, ContainsRegex("the[ \n]+rest[ \n]+instead[ \n]+of[ \n]+offloading"));
}

TEST(StepText, BreakdownHasTimeAloneAndExposed) {
  const std::string text = step_text(small_step());

  EXPECT_THAT(text, ContainsRegex("compute +5 ms +5 ms +#####..... +50.0 %"));
  EXPECT_THAT(text, ContainsRegex("communication +4 ms +1 ms +#......... +10.0 %"));
  EXPECT_THAT(text, ContainsRegex("memory +6 ms +3 ms +###....... +30.0 %"));
  EXPECT_THAT(text, ContainsRegex("idle +1 ms +#......... +10.0 %"));
}

TEST(StepText, OmitsOffloadRecomputeAndLinksIfUnused) {
  explain::StepResult result = small_step();
  result.moved = result.offloaded = result.recomputed = Bytes(0.0);
  result.resources.clear();

  const std::string text = step_text(result);

  EXPECT_THAT(text, Not(HasSubstr("offloaded")));
  EXPECT_THAT(text, Not(HasSubstr("recomputed")));
  EXPECT_THAT(text, Not(HasSubstr("busiest")));
}

TEST(StepText, ShowsMemoryOverflow) {
  explain::StepResult result = small_step();
  EXPECT_THAT(step_text(result), Not(HasSubstr("overflow")));

  result.capacity = Bytes(1e9);

  EXPECT_THAT(step_text(result), ContainsRegex("overflow +2 GB +exceeds capacity and is ignored"));
}

TEST(StepText, ShowsPowerAndPerformancePerWattIfKnown) {
  explain::StepResult result = small_step();
  result.power = Watts(0.0);
  EXPECT_THAT(step_text(result), Not(HasSubstr("power")));

  result.power = Watts(3200.0);

  EXPECT_THAT(step_text(result), ContainsRegex("power +3.2 kW +of the whole platform, 2 samples"));
}

TEST(StepText, ShowsEnergyBreakdown) {
  explain::StepResult result = small_step();
  result.power = Watts(3200.0);
  EXPECT_THAT(step_text(result), ContainsRegex("energy +32 J +assuming design power throughout"));

  result.work_energy = small_energy();
  const std::string text = step_text(result);

  EXPECT_THAT(text, ContainsRegex("power +2 kW +of the whole platform on average, 3.2 kW desi"));
  EXPECT_THAT(text, ContainsRegex("energy +20 J +compute 40.0 %, levels 20.0 %, memory 15.0 %"));
  EXPECT_THAT(text, HasSubstr("rest of the platform 10.0 %"));
  result.work_energy->devices.network.reset();
  EXPECT_THAT(step_text(result), HasSubstr("network unknown"));
}

TEST(StepText, ShowsCostAndUnknownPrices) {
  explain::StepResult result = small_step();
  EXPECT_THAT(step_text(result), Not(HasSubstr("cost")));

  result.cost = {.items = {{"silicon", Dollars(120.0)}}, .unknown = {"links", "package"}};

  EXPECT_THAT(step_text(result),
              ContainsRegex("cost +120 USD +of all devices; price unknown: links, package"));
  result.cost->items.clear();
  EXPECT_THAT(step_text(result), ContainsRegex("cost +unknown +of all devices"));
}

TEST(StepText, ShowsCompressionOfOffloadedBytes) {
  explain::StepResult result = small_step();
  result.moved = Bytes(1e9);

  EXPECT_THAT(step_text(result), HasSubstr("compressed from 2 GB"));
}

TEST(StepText, FitsATerminal) {
  explain::StepResult result = small_step();
  result.platform = std::string(150, 'p') + " " + std::string(90, 'q');
  result.resources.front().name = std::string(150, 'r');
  result.peak_at = std::string(70, 'k');

  std::istringstream lines(step_text(result));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(text_width(line), kLineWidth) << line;
  }
}

TEST(StepText, ShowsTheDescriptionOfADesign) {
  Document document = document_of(small_step());
  document.description = "a chip that is not there yet";

  const std::string text = text_of(document);

  EXPECT_THAT(text, HasSubstr("\n\na chip that is not there yet\n\nstep time"));
}

}  // namespace
}  // namespace cairn::report
