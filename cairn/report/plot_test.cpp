#include "cairn/report/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "cairn/report/chart_data.hpp"
#include "cairn/report/child_process.hpp"
#include "cairn/report/gnuplot_script.hpp"
#include "cairn/report/step_charts.hpp"
#include "cairn/report/test_support/step_results.hpp"

namespace cairn::report {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Where kPlot{.file = "", .line = 0, .key = "--plot"};

class PlotTest : public testing::Test {
 public:
  PlotTest(const PlotTest&) = delete;
  PlotTest& operator=(const PlotTest&) = delete;

 protected:
  PlotTest() {
    std::string name = (fs::temp_directory_path() / "cairn-plot-XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }

  ~PlotTest() override { fs::remove_all(folder); }

  [[nodiscard]] std::string content(const std::string& file) const {
    std::ifstream stream(folder / file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  void expect_drawn(const Plotted& plotted, const std::string& stem) const {
    EXPECT_THAT(content(stem + ".dat"), Not(""));
    EXPECT_THAT(content(stem + ".gp"), HasSubstr("plot '" + stem + ".dat'"));
    if (plotted.drawn) {
      EXPECT_THAT(content(stem + ".svg"), EndsWith("</svg>\n\n"));
      EXPECT_THAT(content(stem + ".pdf"), StartsWith("%PDF"));
      EXPECT_EQ(plotted.note, "");
    } else {
      EXPECT_THAT(plotted.note, HasSubstr("gnuplot"));
    }
  }

  fs::path folder;
};

Chart bars(ChartKind kind) {
  return {.name = "bars",
          .title = "speed",
          .kind = kind,
          .y = {.title = "time (s)"},
          .categories = {"a b", "", "c"},
          .series = {{.name = "one", .y = {1.0, std::nan(""), 3.0}},
                     {.name = "two", .y = {2.0, std::nan(""), 1.5}}}};
}

Chart lines() {
  return {.name = "lines",
          .title = "time over size",
          .kind = ChartKind::kLines,
          .x = {.title = "size (B)", .log = true},
          .y = {.title = "time (s)", .log = true},
          .series = {{.name = "ours",
                      .x = {1e3, 1e6, 1e9},
                      .y = {1e-6, 1e-5, 1e-2},
                      .published = {std::nan(""), 2e-5, 1.1e-2}}},
          .levels = {{.name = "bound", .y = 5e-7}}};
}

Chart boxes() {
  const Box box{.least = 1.0, .lower = 2.0, .median = 3.0, .upper = 5.0, .most = 9.0};
  return {.name = "boxes",
          .title = "spread",
          .kind = ChartKind::kBoxes,
          .y = {.title = "intensity (flop/B)"},
          .categories = {"a b", "", "c"},
          .series = {{.name = "one", .boxes = {box, {}, box}}}};
}

TEST_F(PlotTest, DrawsEveryKindOfChart) {
  Chart grouped = bars(ChartKind::kGroupedBars);
  grouped.series[1].published = {2.5, std::nan(""), 1.0};
  Chart stacked = bars(ChartKind::kStackedBars);
  stacked.name = "stacked";
  stacked.published_totals = {3.3, std::nan(""), 4.0};
  Chart points = lines();
  points.name = "points";
  points.kind = ChartKind::kPoints;
  points.band = 0.1;

  for (const Chart& chart : {grouped, stacked, lines(), points, boxes()}) {
    expect_drawn(plot(chart, folder, kPlot), chart.name);
  }
}

TEST_F(PlotTest, ABandSurroundsEquality) {
  Chart chart = lines();
  chart.band = 0.1;
  plot(chart, folder, kPlot);
  EXPECT_THAT(content("lines.gp"), HasSubstr("x*1.1 with lines linestyle 101 title '10 %'"));
  EXPECT_THAT(content("lines.gp"), HasSubstr("x*0.9 with lines linestyle 101 notitle"));
}

TEST_F(PlotTest, DrawsATrainingStep) {
  expect_drawn(plot(breakdown_chart(small_step()), folder, kPlot), "breakdown");
  expect_drawn(plot(memory_chart(small_step()), folder, kPlot), "memory");

  EXPECT_THAT(content("breakdown.dat"), HasSubstr("\"exposed in the step\"\t5\t1\t3\t1\n"));
  EXPECT_THAT(content("memory.dat"), HasSubstr("2\t3\n"));
  EXPECT_THAT(content("memory.gp"), HasSubstr("16 with lines linestyle 101 title 'capacity'"));
}

// Text is never executed, neither by gnuplot nor by a shell.
TEST_F(PlotTest, NamesAreNeverExecuted) {
  const std::string evil =
      "'; system('touch gone'); `touch gone` $(touch gone) \"; !touch gone\n!touch gone\n@x %s {/a "
      "\\";
  Chart chart = lines();
  chart.name = chart.title = chart.x.title = chart.y.title = evil;
  chart.series.front().name = chart.levels.front().name = evil;
  Chart named = bars(ChartKind::kGroupedBars);
  named.categories[0] = named.series[0].name = evil;

  const Plotted plotted = plot(chart, folder, kPlot);
  plot(named, folder, kPlot);

  for (const std::string& file : files()) {
    EXPECT_THAT(file, Not(HasSubstr("gone.")));
    EXPECT_NE(file, "gone");
  }
  EXPECT_EQ(plotted.script.parent_path(), folder);
  EXPECT_EQ(files().size(), plotted.drawn ? 8U : 4U);
}

TEST(FileStem, StaysInItsFolder) {
  EXPECT_EQ(file_stem("fig-11_a.b"), "fig-11_a.b");
  EXPECT_EQ(file_stem("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(file_stem("-e x"), "e-x");
  EXPECT_EQ(file_stem(".hidden"), "hidden");
  EXPECT_EQ(file_stem(""), "chart");
  EXPECT_EQ(file_stem("..."), "chart");
  EXPECT_EQ(file_stem(std::string(500, 'x')).size(), 100U);
}

TEST(ChartData, MissingValuesAreMarked) {
  EXPECT_EQ(chart_data(bars(ChartKind::kStackedBars)),
            "# category\t\"one\"\t\"two\"\n"
            "\"a b\"\t1\t2\n"
            "\"\"\t?\t?\n"
            "\"c\"\t3\t1.5\n");
  Chart chart = lines();
  chart.series.front().y[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(chart_data(chart),
            "# ours\n"
            "# size (B)\ttime (s)\tpublished\n"
            "1000\t?\t?\n"
            "1000000\t1e-05\t2e-05\n"
            "1e+09\t0.01\t0.011\n");
}

TEST(ChartData, BoxesHaveFiveNumbersEach) {
  EXPECT_EQ(chart_data(boxes()),
            "# category\t\"one, least\"\t\"one, lower quartile\"\t\"one, median\"\t"
            "\"one, upper quartile\"\t\"one, most\"\n"
            "\"a b\"\t1\t2\t3\t5\t9\n"
            "\"\"\t?\t?\t?\t?\t?\n"
            "\"c\"\t1\t2\t3\t5\t9\n");
}

// Columns of the data: 2 minimum, 3 and 5 quartiles, 4 median, 6 maximum; gnuplot wants lower edge,
// both whiskers, the upper edge.
TEST(ChartScript, BoxesReachFromQuartileToQuartile) {
  Chart chart = boxes();
  chart.series.push_back(chart.series.front());

  const std::string script = chart_script(chart);

  EXPECT_THAT(script, HasSubstr("using ($0 + -0.1667):3:2:6:5 with candlesticks linestyle 1"));
  EXPECT_THAT(script, HasSubstr("using ($0 + -0.1667):4:4:4:4 with candlesticks"));
  EXPECT_THAT(script, HasSubstr("using ($0 + 0.1667):8:7:11:10 with candlesticks linestyle 2"));
  chart.series.front().boxes.pop_back();
  EXPECT_THROW(chart_script(chart), Bug);
}

// Bars of one category touch each other, are centred on it, and leave a gap of one bar.
TEST(ChartScript, GroupedBarsStandBesideEachOther) {
  const std::string script = chart_script(bars(ChartKind::kGroupedBars));

  EXPECT_THAT(script, HasSubstr("set boxwidth 0.3333"));  // 1 / (2 + 1)
  EXPECT_THAT(script, HasSubstr("using ($0 + -0.1667):2 with boxes"));
  EXPECT_THAT(script, HasSubstr("using ($0 + 0.1667):3 with boxes"));
  EXPECT_EQ(script.find("xtic(1)"), script.rfind("xtic(1)"));  // once, for any number of bars
}

TEST(ChartScript, ProfilesConnectCategories) {
  const Chart chart{
      .name = "profiles",
      .kind = ChartKind::kProfiles,
      .categories = {"batch", "bandwidth"},
      .series = {{.name = "one", .y = {0.25, 1.0}}, {.name = "two", .y = {0.5, 0.0}}}};

  EXPECT_THAT(chart_data(chart), EndsWith("\"batch\"\t0.25\t0.5\n\"bandwidth\"\t1\t0\n"));
  EXPECT_THAT(chart_script(chart), HasSubstr("using 0:3 with linespoints linestyle 2"));
}

TEST(ChartScript, AxesCanBeLogarithmic) {
  EXPECT_THAT(chart_script(lines()), HasSubstr("set logscale x\nset logscale y\n"));
  EXPECT_THAT(chart_script(bars(ChartKind::kStackedBars)), Not(HasSubstr("logscale")));
}

TEST(ChartScript, AWrongNumberOfValuesIsABug) {
  Chart chart = bars(ChartKind::kStackedBars);
  chart.series[0].y.pop_back();

  EXPECT_THROW(chart_script(chart), Bug);
  EXPECT_THROW(chart_data(chart), Bug);
}

TEST_F(PlotTest, CreatesItsFolderAndRejectsOtherPaths) {
  std::ofstream(folder / "file") << "mine";

  plot(lines(), folder / "new" / "folder", kPlot);

  EXPECT_TRUE(fs::exists(folder / "new" / "folder" / "lines.gp"));
  EXPECT_THROW(plot(lines(), folder / "file", kPlot), ConfigError);
  EXPECT_THROW(plot(lines(), "", kPlot), ConfigError);
  EXPECT_THROW(plot(lines(), "/proc/nope", kPlot), ConfigError);
  EXPECT_EQ(content("file"), "mine");
}

TEST_F(PlotTest, WritesOnlyItsFourFiles) {
  for (const char* name : {"lines.txt", "lines", "other.svg"}) {
    std::ofstream(folder / name) << "mine";
  }
  fs::create_directory(folder / "bars.svg");

  const Plotted plotted = plot(lines(), folder, kPlot);

  for (const char* name : {"lines.txt", "lines", "other.svg"}) {
    EXPECT_EQ(content(name), "mine");
  }
  EXPECT_EQ(files().size(), plotted.drawn ? 8U : 6U);
  EXPECT_THROW(plot(bars(ChartKind::kStackedBars), folder, kPlot), ConfigError);
  EXPECT_FALSE(fs::exists(folder / "bars.dat"));
}

TEST(ChildProcess, ReturnsExitStatusAndStandardError) {
  const ChildResult done = run_in("/", {"sh", "-c", "pwd >&2; exit 3"});

  EXPECT_TRUE(done.started);
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.error, "/\n");
  EXPECT_EQ(run_in("/", {"sh", "-c", "kill -9 $$"}).status, 128 + 9);
  EXPECT_FALSE(run_in("/", {"no-such-program-here"}).started);
  EXPECT_FALSE(run_in("/no/such/folder", {"sh", "-c", "exit 0"}).started);
}

TEST(ChildProcess, ArgumentsBypassTheShell) {
  const ChildResult done = run_in("/", {"sh", "-c", "echo \"$1\" >&2", "sh", "a b; $(pwd) `pwd`"});

  EXPECT_EQ(done.error, "a b; $(pwd) `pwd`\n");
}

}  // namespace
}  // namespace cairn::report
