#include "cairn/report/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"
#include "cairn/report/step_document.hpp"
#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kVersion = "1.2.3";

// A temporary file.
class Written {
 public:
  explicit Written(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("cairn-compare-" + std::to_string(::getpid()) + "-" + std::to_string(count_++))) {
    std::ofstream(path_) << text;
  }

  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  ~Written() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

ordered_json step(double compute = 5e-3, double idle = 1e-3) {
  explain::StepResult result = small_step();
  result.breakdown.compute = Seconds(compute);
  result.breakdown.idle = Seconds(idle);
  result.step_time = result.breakdown.compute + result.breakdown.communication_exposed +
                     result.breakdown.memory_exposed + result.breakdown.idle;
  ordered_json json = json_tree(document_of(result));
  json["verb"] = "run";
  json["cairn_version"] = kVersion;
  return json;
}

ordered_json op(const char* kind, double time, int stage = 0) {
  return {{"kind", kind}, {"stage", stage}, {"time_s", time}};
}

ReadResult read(const ordered_json& json) {
  const Written file(json.dump());
  return read_result(file.path(), kVersion);
}

std::string refused(const std::string& text) {
  const Written file(text);
  try {
    read_result(file.path(), kVersion);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string compared_text(const Compared& compared) {
  return text_of(document_of(std::array{compared}));
}

Seconds sum_of(const std::vector<Difference>& parts) {
  Seconds sum(0.0);
  for (const Difference& part : parts) {
    sum += part.difference();
  }
  return sum;
}

// T = compute + exposed + idle in both results, so the differences of the parts add up.
TEST(Compare, PartsAddUpToTheDifference) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> seconds(0.0, 1e-2);
  for (int i = 0; i < 50; ++i) {
    const Compared compared = compare(read(step(seconds(random), seconds(random))),
                                      read(step(seconds(random), seconds(random))));

    EXPECT_EQ(compared.parts.size(), 4U);
    EXPECT_NEAR(sum_of(compared.parts).si(), compared.difference().si(), 1e-17);
  }
}

TEST(Compare, AResultEqualsItself) {
  const Compared compared = compare(read(step()), read(step()));

  EXPECT_EQ(compared.difference(), Seconds(0.0));
  for (const Difference& part : compared.parts) {
    EXPECT_EQ(part.difference(), Seconds(0.0)) << part.part;
  }
  EXPECT_TRUE(compared.settings.empty());
  EXPECT_TRUE(compared.links.empty());
  EXPECT_THAT(compared_text(compared), HasSubstr("the same"));
}

// Events are rounded to picoseconds: a difference below 1e-6 of the step is not shown, also in a
// short part.
TEST(Compare, RoundingIsNotShownAsADifference) {
  ordered_json a = step();
  ordered_json b = step();
  const double whole = a["step_time_s"];
  a["operators"] = ordered_json::array({op("softmax", 1e-6)});
  b["operators"] = ordered_json::array({op("softmax", 1e-6 + 5e-7 * whole)});
  b["breakdown"]["idle_s"] = b["breakdown"]["idle_s"].get<double>() + 5e-7 * whole;
  b["step_time_s"] = whole * (1.0 + 5e-7);

  const std::string same = compared_text(compare(read(a), read(b)));
  EXPECT_THAT(same, Not(HasSubstr("+")));
  EXPECT_THAT(same, Not(HasSubstr("#")));
  EXPECT_THAT(same, HasSubstr("the same"));

  b["step_time_s"] = whole * (1.0 + 5e-6);
  b["breakdown"]["idle_s"] = a["breakdown"]["idle_s"].get<double>() + 5e-6 * whole;
  const std::string text = compared_text(compare(read(a), read(b)));
  EXPECT_THAT(text, HasSubstr("+" + to_text(Seconds(5e-6 * whole))));
  EXPECT_THAT(text, HasSubstr("0.0005 % longer"));
}

TEST(Compare, LargeRatiosHaveNoExponent) {
  const std::string text = compared_text(compare(read(step(5e-3)), read(step(5e2))));

  EXPECT_THAT(text, HasSubstr(" times as long"));
  EXPECT_THAT(text, Not(HasSubstr("e+")));
}

TEST(Compare, EscapesControlCharacters) {
  ordered_json a = step();
  a["operators"] = ordered_json::array({op("gemm", 1e-3)});
  ordered_json b = a;
  const std::string evil = "x\x1b[31m\ny";
  for (const char* key : {"name", "bound_by", "platform"}) {
    b[key] = evil;
  }
  b["operators"][0]["kind"] = evil;
  b["links"][0]["name"] = evil;

  const std::string text = compared_text(compare(read(a), read(b)));

  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("x\\x1b[31m\\ny"));
}

TEST(Compare, SwappingResultsNegatesDifferences) {
  const ReadResult a = read(step(5e-3, 1e-3));
  const ReadResult b = read(step(2e-3, 3e-3));
  const Compared forth = compare(a, b);
  const Compared back = compare(b, a);

  for (std::size_t p = 0; p < forth.parts.size(); ++p) {
    EXPECT_EQ(forth.parts[p].part, back.parts[p].part);
    EXPECT_EQ(forth.parts[p].difference(), -back.parts[p].difference());
  }
  EXPECT_EQ(forth.difference(), -back.difference());
}

// 5 ms of compute, with kernels of 2 ms and 1 ms; the other result has another kind.
TEST(Compare, KernelsAddUpToCompute) {
  ordered_json a = step(5e-3);
  ordered_json b = step(4e-3);
  a["operators"] = ordered_json::array({op("convolution", 2e-3), op("convolution", 1e-3)});
  b["operators"] = ordered_json::array({op("gemm", 4e-3)});

  const Compared compared = compare(read(a), read(b));

  ASSERT_EQ(compared.compute.size(), 3U);
  EXPECT_EQ(compared.compute[0].part, "convolution");
  EXPECT_EQ(compared.compute[0].difference(), Seconds(-3e-3));
  EXPECT_EQ(compared.compute[1].part, "gemm");
  EXPECT_EQ(compared.compute[2].part, "other");
  EXPECT_NEAR(sum_of(compared.compute).si(), -1e-3, 1e-17);
}

// A pipeline lists operators of all stages; compute is that of one stage.
TEST(Compare, ComputeOfAPipelineIsThatOfItsStage) {
  ordered_json a = step(5e-3);
  a["breakdown_stage"] = 1;
  a["operators"] =
      ordered_json::array({op("gemm", 9e-3), op("gemm", 4e-3, 1), op("copy", 1e-3, 1)});
  ordered_json b = step(4e-3);
  b["operators"] = ordered_json::array({op("gemm", 4e-3), op("softmax", 7e-3, 1)});

  const Compared compared = compare(read(a), read(b));

  ASSERT_EQ(compared.compute.size(), 2U);
  EXPECT_EQ(compared.compute[0].part, "gemm");
  EXPECT_EQ(compared.compute[0].difference(), Seconds(0.0));
  EXPECT_EQ(compared.compute[1].part, "copy");
  EXPECT_EQ(compared.compute[1].difference(), Seconds(-1e-3));
}

// Background kernels take longer than compute.
TEST(Compare, ComputeIsNotSplitWithBackgroundKernels) {
  ordered_json a = step(5e-3);
  ordered_json b = step(4e-3);
  a["operators"] = ordered_json::array({op("gemm", 5e-3), op("copy", 1e-3)});
  b["operators"] = ordered_json::array({op("gemm", 3e-3)});

  EXPECT_TRUE(compare(read(a), read(b)).compute.empty());
  EXPECT_TRUE(compare(read(b), read(a)).compute.empty());
}

TEST(Compare, ListsSettingsThatDiffer) {
  ordered_json b = step();
  b["platform"] = "torus";
  b["links"][0]["utilization"] = 0.5;
  const Compared compared = compare(read(step()), read(b));

  ASSERT_EQ(compared.settings.size(), 1U);
  EXPECT_EQ(compared.settings[0].key, "platform");
  EXPECT_EQ(compared.settings[0].b, "torus");
  ASSERT_EQ(compared.links.size(), 1U);
  EXPECT_DOUBLE_EQ(*compared.links[0].b - *compared.links[0].a, -0.3);
}

TEST(Compare, ListsEveryValueOfTheDesignsThatDiffers) {
  ordered_json a = step();
  a["batch"] = 64;
  a["design"] = {{"strategy.batch", "64"},
                 {"device.memory.bandwidth", "900 GB/s"},
                 {"device.launch", "5 us"},
                 {"memory.offload", "everything"}};
  ordered_json b = a;
  b["batch"] = 128;
  b["design"]["strategy.batch"] = "128";
  b["design"]["device.memory.bandwidth"] = "2 TB/s";
  b["design"].erase("memory.offload");
  b["design"]["steps"] = "2";

  std::vector<std::string> settings;
  for (const auto& [key, before, after] : compare(read(a), read(b)).settings) {
    settings.push_back(key + ": " + before + " -> " + after);
  }

  EXPECT_EQ(settings,
            (std::vector<std::string>{"batch: 64 -> 128",
                                      "device.memory.bandwidth: 900 GB/s -> 2 TB/s",
                                      "memory.offload: everything -> ",
                                      "steps:  -> 2"}));
}

TEST(Compare, RejectsAnInvalidDesign) {
  for (const ordered_json& design : {ordered_json(3), ordered_json{{"device.launch", 5}}}) {
    ordered_json a = step();
    a["design"] = design;
    EXPECT_THROW(read(a), ConfigError);
  }
}

TEST(Compare, ParallelLinksAreMatchedByRank) {
  ordered_json a = step();
  a["links"].push_back(a["links"][0]);
  ordered_json b = a;
  b["links"][2]["utilization"] = 0.7;

  EXPECT_TRUE(compare(read(a), read(a)).links.empty());
  const Compared compared = compare(read(a), read(b));
  ASSERT_EQ(compared.links.size(), 1U);
  EXPECT_DOUBLE_EQ(*compared.links[0].a, 0.8);
  EXPECT_DOUBLE_EQ(*compared.links[0].b, 0.7);
}

// The link may be absent or folded into another one: its utilization is unknown, not 0.
TEST(Compare, ALinkMissingInOneResultHasUnknownUtilization) {
  ordered_json b = step();
  b["links"].push_back({{"name", "only here"}, {"utilization", 0.5}});

  const Compared compared = compare(read(step()), read(b));

  ASSERT_EQ(compared.links.size(), 1U);
  EXPECT_FALSE(compared.links[0].a);
  EXPECT_EQ(compared.links[0].b, 0.5);
  EXPECT_TRUE(json_tree(document_of(std::array{compared}))["links"][0]["a_utilization"].is_null());
}

TEST(Compare, JsonHasTheParts) {
  const auto json = json_tree(document_of(std::array{compare(read(step()), read(step(9e-3)))}));

  EXPECT_EQ(json["differences"][0]["part"], "compute");
  EXPECT_EQ(json["differences"][0]["a_s"], 5e-3);
  EXPECT_EQ(json["differences"][0]["b_s"], 9e-3);
  EXPECT_DOUBLE_EQ(json["differences"][0]["difference_s"], 4e-3);
}

// 5, 9 and 2 ms of compute, and 5 ms of everything else.
TEST(Compare, ThreeResultsAreEachComparedWithTheFirst) {
  ordered_json c = step(2e-3);
  c["platform"] = "torus";
  const ReadResult a = read(step());
  const std::array pairs{compare(a, read(step(9e-3))), compare(a, read(c))};

  const ordered_json json = json_tree(document_of(pairs));
  const ordered_json compute = json["differences"][0];
  EXPECT_EQ(compute["a_s"], 5e-3);
  EXPECT_EQ(compute["b_s"], 9e-3);
  EXPECT_EQ(compute["c_s"], 2e-3);
  EXPECT_DOUBLE_EQ(compute["difference_s"], 4e-3);
  EXPECT_DOUBLE_EQ(compute["c_difference_s"], -3e-3);
  EXPECT_DOUBLE_EQ(json["c"]["step_time_s"], 7e-3);
  EXPECT_EQ(
      json["settings"],
      (ordered_json::array(
          {{{"key", "platform"}, {"a", "ring \"a\""}, {"b", "ring \"a\""}, {"c", "torus"}}})));
  const std::string text = text_of(document_of(pairs));
  EXPECT_THAT(text, testing::ContainsRegex("step time +10 ms +a, bound by compute\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n +14 ms +b, 40 % longer, bound by compute\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n +7 ms +c, 30 % shorter, bound by compute\n"));
  EXPECT_THAT(text, testing::ContainsRegex("compute +5 ms +9 ms +2 ms\n"));
  EXPECT_THAT(text, testing::ContainsRegex("total +10 ms +14 ms +7 ms\n"));
}

TEST(Compare, ReadsDocumentsLikeFiles) {
  Document document = document_of(small_step());
  document.version = kVersion;
  document.name = "mine";

  const ReadResult result = read_result(document, "mine.yaml");

  EXPECT_EQ(result.name, "mine");
  EXPECT_EQ(result.file, "mine.yaml");
  EXPECT_EQ(result.time, Seconds(10e-3));
  EXPECT_EQ(result.links.size(), 2U);
}

TEST(Compare, ACollectiveSplitsIntoLowerBoundAndRest) {
  ordered_json a{{"verb", "collective"},
                 {"cairn_version", kVersion},
                 {"bound_by", "latency"},
                 {"time_s", 3e-3},
                 {"lower_bound_s", 1e-3},
                 {"links", ordered_json::array()}};
  ordered_json b = a;
  b["time_s"] = 5e-3;

  const Compared compared = compare(read(a), read(b));

  ASSERT_EQ(compared.parts.size(), 2U);
  EXPECT_EQ(compared.parts[0].difference(), Seconds(0.0));
  EXPECT_DOUBLE_EQ(compared.parts[1].difference().si(), 2e-3);
  EXPECT_THROW(compare(read(a), read(step())), ConfigError);
}

TEST(ReadResult, RejectsOtherFilesWithAReason) {
  EXPECT_THAT(refused("{\n\"a\": 1,\n"), HasSubstr(":3: is not JSON"));
  EXPECT_THAT(refused("[1, 2]"), HasSubstr("is not a result"));
  EXPECT_THAT(refused("{\"items\": []}"), HasSubstr("verb: is missing"));
  EXPECT_THROW(read_result("/nowhere/a.json", kVersion), ConfigError);
  EXPECT_THROW(read_result("/", kVersion), ConfigError);
}

TEST(ReadResult, RejectsOtherVersions) {
  ordered_json older = step();
  older["cairn_version"] = "0.9";
  EXPECT_THAT(refused(older.dump()), HasSubstr("from cairn 0.9, this is cairn 1.2.3"));
  older.erase("cairn_version");
  EXPECT_THAT(refused(older.dump()), HasSubstr("without version"));
}

TEST(ReadResult, RejectsNonFiniteNumbers) {
  for (const char* number : {"NaN", "Infinity", "-Infinity"}) {
    ordered_json result = step();
    result["step_time_s"] = number;
    EXPECT_THAT(refused(result.dump()), HasSubstr(std::string("step_time_s: is ") + number));
  }
  ordered_json result = step();
  result["breakdown"]["idle_s"] = nullptr;
  EXPECT_THAT(refused(result.dump()), HasSubstr("breakdown.idle_s: is null"));
}

TEST(ReadResult, RejectsABreakdownThatDoesNotAddUp) {
  ordered_json result = step();
  result["breakdown"]["idle_s"] = 1.0;
  EXPECT_THAT(refused(result.dump()), HasSubstr("breakdown: "));
}

TEST(ReadResult, RejectsNegativeParts) {
  ordered_json result = step();
  const double idle = result["breakdown"]["idle_s"];
  result["breakdown"]["idle_s"] = -idle;
  result["breakdown"]["compute_s"] = result["breakdown"]["compute_s"].get<double>() + 2.0 * idle;
  EXPECT_THAT(refused(result.dump()), HasSubstr("breakdown.idle_s: is -"));

  result = step();
  result["links"][0]["utilization"] = -0.5;
  EXPECT_THAT(refused(result.dump()), HasSubstr("links[0].utilization: is -0.5"));

  result = step();
  result["operators"] = ordered_json::array({op("gemm", -1.0)});
  EXPECT_THAT(refused(result.dump()), HasSubstr("operators[0].time_s: is -1"));

  // Rounding may leave down to -1e-6 of the step.
  result = step();
  result["breakdown"]["idle_s"] = -1e-9 * result["step_time_s"].get<double>();
  result["breakdown"]["compute_s"] = result["breakdown"]["compute_s"].get<double>() + idle;
  EXPECT_EQ(refused(result.dump()), "");
}

TEST(ReadResult, RejectsACollectiveBelowItsLowerBound) {
  const ordered_json result{{"verb", "collective"},
                            {"cairn_version", kVersion},
                            {"bound_by", "latency"},
                            {"time_s", 1e-3},
                            {"lower_bound_s", 2e-3}};
  EXPECT_THAT(refused(result.dump()), HasSubstr("lower_bound_s: is 0.002 (expected at most"));
}

TEST(ReadResult, RejectsWrongTypesByKey) {
  const auto with = [](const char* key, const ordered_json& value) {
    ordered_json result = step();
    result[key] = value;
    return refused(result.dump());
  };
  EXPECT_THAT(with("links", "x"), HasSubstr("links: is \"x\" (expected a list)"));
  EXPECT_THAT(with("links", {{"x", 1}}), HasSubstr("links: is {\"x\":1} (expected a list)"));
  EXPECT_THAT(with("operators", 3), HasSubstr("operators: is 3 (expected a list)"));
  EXPECT_THAT(with("batch", "Infinity"), HasSubstr("batch: is Infinity (expected a number)"));
  EXPECT_THAT(with("batch", -1.0), HasSubstr("batch: is -1 (expected at least 0)"));
  EXPECT_THAT(with("devices", "8"), HasSubstr("devices: is \"8\" (expected a number)"));
  EXPECT_THAT(with("model", 8), HasSubstr("model: is 8 (expected text)"));
  EXPECT_THAT(with("breakdown", "x"), HasSubstr("breakdown: is \"x\" (expected an object)"));
}

TEST(ReadResult, RejectsResultsWithoutASingleTime) {
  ordered_json result = step();
  result["verb"] = "compare";
  EXPECT_THAT(refused(result.dump()), HasSubstr("\"compare\""));
  EXPECT_THAT(refused(R"({"verb": "collective", "cairn_version": "1.2.3", "results": []})"),
              HasSubstr("several sizes"));
}

}  // namespace
}  // namespace cairn::report
