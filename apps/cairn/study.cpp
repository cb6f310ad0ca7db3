// cairn study: compares our results against a paper's claims.
#include "cairn/study/study.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/pictures.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/csv.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/study_document.hpp"

namespace cairn::app {

namespace {

// The study of the file, by its key "study" or its name.
const study::Study& study_of(const NamedFile& file) {
  std::string name = file.name;
  if (const Config* given = file.config.find("study")) {
    name = scalar_text(*given, "the name of a study");
  }
  const study::Study* found = study::find_study(name);
  if (found == nullptr) {
    std::string known;
    for (const study::Study& entry : study::studies()) {
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    reject(
        file.config,
        fmt::format(
            "not a study: {} is no known one and there is no key \"study\" (expected one of: {})",
            in_quotes(name),
            known));
  }
  return *found;
}

// The number of evaluations is known approximately for bundled studies, and unknown for others.
struct StudyProgress {
  std::size_t expected = 0;  // 0: unknown

  std::string operator()(std::size_t done, long seconds) const {
    constexpr std::size_t kTolerance = 10;  // percent; beyond it, the estimate is dropped
    if (expected == 0 || done > expected + expected * kTolerance / 100) {
      return fmt::format("{} evaluations, {} s", done, seconds);
    }
    return fmt::format("[{}] {} of about {} evaluations, {} s",
                       report::bar(static_cast<double>(done) / static_cast<double>(expected)),
                       done,
                       expected,
                       seconds);
  }
};

// Claims, figures and tables.
void write_csv(const study::StudyResult& result, const std::string& folder) {
  constexpr int kDigits = 9;
  const std::filesystem::path path = folder;
  report::make_folder(path, at("--plot"));
  const auto write = [&](const std::string& name, const auto& print) {
    report::write_atomically((path / (name + ".csv")).string(), at("--plot"), print);
  };
  for (const report::Chart& chart : result.charts) {
    write(chart.name, [&](std::ostream& out) { report::write_csv(chart, out); });
  }
  for (const study::Table& table : result.tables) {
    write(table.name,
          [&](std::ostream& out) { report::write_csv(study::table_of(table), out, kDigits); });
  }
  write("claims",
        [&](std::ostream& out) { report::write_csv(study::claims_of(result), out, kDigits); });
}

}  // namespace

std::vector<Option> options_of(StudyRequest& request) {
  std::vector<Option> options{
      {.name = "STUDY",
       .doc = "a name (cairn list studies), or a YAML file",
       .value = &request.study,
       .example = "mc-dla or my/study.yaml"},
      settings_option(request.settings,
                      "change a value of the study, e.g. assumptions.precision.value=fp32"),
      {"--range",
       "",
       "for each claim, the interval over assumptions that the paper leaves open",
       &request.range}};
  add_output(options, request.output, kWholeDetail);
  options.push_back(plot_option(request.plot,
                                "write claims and figures into this folder: CSV, pictures\n"
                                "and gnuplot scripts"));
  return options;
}

Answer study(const StudyRequest& request) {
  const Pictures pictures(request.plot);
  NamedFile file = load_input(request.study, "studies", "a study", "STUDY");
  study::set_values_of_study(file.config, request.settings);
  const study::Study& what = study_of(file);
  const DataFolders folders = DataFolders::in(data_roots());
  Progress progress(StudyProgress{
      .expected = request.settings.empty() && file.name == what.name ? what.evaluations : 0});
  const study::Tick tick = [&] { progress.on_done(); };
  const study::PreparedStudy prepared = what.prepare(file.config, folders, tick);
  study::StudyResult result = run(prepared);
  result.description = text_at(file.config, "description");
  result.source = text_at(file.config, "source");
  std::vector<study::ClaimRange> ranges;
  if (request.range) {
    ranges = claim_ranges(prepared);
  }
  pictures.draw([&] { return result.charts; });
  if (request.plot) {
    write_csv(result, *request.plot);
  }
  report::Document document = study::document_of(result, ranges);
  document.name = request.study;
  return document;
}

}  // namespace cairn::app
