// cairn search: the best of many designs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/join_ranks.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/pictures.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/search_progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/base/text_file.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/explore/charts.hpp"
#include "cairn/explore/check_values.hpp"
#include "cairn/explore/explore.hpp"
#include "cairn/explore/rank_crew.hpp"
#include "cairn/explore/search_document.hpp"
#include "cairn/explore/why_nothing.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/csv.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

using Seconds = std::chrono::duration<double>;

// Set by Ctrl-C, or when a batch system ends the run: designs in evaluation are cancelled, no
// others are begun, and what was found is printed.
volatile std::sig_atomic_t interrupted = 0;

class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    struct sigaction action{};
    action.sa_handler = [](int signal) { interrupted = signal; };
    ::sigaction(SIGTERM, &action, &terminate_before_);
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // who asks again does not want to wait
    ::sigaction(SIGINT, &action, &interrupt_before_);
  }

  ~StopOnInterrupt() {
    ::sigaction(SIGTERM, &terminate_before_, nullptr);
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
  }

  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  struct sigaction interrupt_before_{};
  struct sigaction terminate_before_{};
};

// Of every file of --out, so that a later run knows which are its own.
constexpr const char* kHeader = "# cairn search --out: the next one into this folder replaces it";

std::filesystem::path best_file(const std::filesystem::path& folder, std::size_t number) {
  return folder / ("best-" + std::to_string(number) + ".yaml");
}

bool is_of_a_search(const std::filesystem::path& file) {
  try {
    return read_text_file(file).starts_with(std::string(kHeader) + "\n");
  } catch (const ConfigError&) {
    return false;
  }
}

// What an earlier run with more designs has left there, as far as it is from this program.
void remove_others(const std::filesystem::path& folder, std::size_t last) {
  static const std::regex kName("best-([1-9][0-9]{0,8})\\.yaml");
  std::vector<std::filesystem::path> others;
  std::error_code ignored;  // what cannot be seen or removed stays
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (std::regex_match(name, parts, kName) && std::stoul(parts[1]) > last) {
      others.push_back(entry.path());
    }
  }
  std::size_t kept = 0;
  for (const auto& file : others) {
    if (is_of_a_search(file)) {
      std::filesystem::remove(file, ignored);
    } else {
      ++kept;
    }
  }
  if (kept > 0) {
    fmt::print(stderr,
               "cairn: --out: {} has {} that this search did not write\n",
               in_quotes(folder.string()),
               report::count(kept, "file best-N.yaml", "files best-N.yaml"));
  }
}

// Where the trials go. Nothing is computed that then cannot be written.
std::optional<report::OutputFile> check_files(const SearchRequest& asked) {
  std::optional<report::OutputFile> csv;
  if (asked.csv) {
    csv.emplace(*asked.csv, at("--csv"));
  }
  if (asked.plot) {
    report::check_folder_writable(*asked.plot, at("--plot"));
  }
  if (asked.out) {
    report::check_folder_writable(*asked.out, at("--out"));
  }
  return csv;
}

// Designs of the front as files that `cairn run` reads, wherever they lie: best-1.yaml, ...
void write_designs(const explore::Request& request,
                   const explore::Exploration& found,
                   const DataFolders& folders,
                   const std::string& folder) {
  std::error_code ignored;  // what cannot be made cannot be written to either
  std::filesystem::create_directories(folder, ignored);
  std::size_t number = 0;
  for (const std::size_t member : found.front) {
    const Config design = written_out_design(
        request.designs.config(request.designs.settings(found.trials[member].point), folders),
        folders);
    const auto file = best_file(folder, ++number);
    report::write_atomically(file.string(), at("--out"), [&](std::ostream& out) {
      out << kHeader << "\n";
      for (std::size_t i = 0; i < design.keys.size(); ++i) {
        out << design.keys[i] << ": " << to_text(design.items[i]) << "\n";
      }
    });
  }
  remove_others(folder, number);
}

std::string version() {
  return fmt::format("{} (commit {})", kVersion, kCommit);
}

explore::Request read_search(const SearchRequest& asked, const DataFolders& folders) {
  NamedFile file = load_named(asked.search, data_folders("searches"), "a search", at("SEARCH"));
  for (const std::string& setting : asked.settings) {
    explore::set_value_of_search(file.config, setting, folders, data_folders("designs"));
  }
  return explore::read_request(file.config, folders, data_folders("designs"));
}

// Why it could not be written; empty: it could.
template <class Write>
std::string problem_of(const Write& write) {
  try {
    write();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Files, and what was found; the first file that cannot be written any more is named.
Answer say(const SearchRequest& asked,
           const explore::Request& request,
           const explore::Exploration& found,
           const DataFolders& folders,
           const std::optional<report::OutputFile>& csv,
           Seconds took) {
  std::string problem;
  const auto try_to = [&](const auto& write) {
    const std::string mine = problem_of(write);
    problem = problem.empty() ? mine : problem;
  };
  if (csv) {
    try_to([&] {
      csv->write(
          [&](std::ostream& out) { report::write_csv(explore::trials_of(request, found), out); });
    });
  }
  if (found.front.empty()) {
    Answer nothing = explore::why_nothing(request, found);
    nothing.problem = problem;
    return nothing;
  }
  try_to([&] {
    Pictures(asked.plot).draw([&] { return explore::exploration_charts(request, found); });
  });
  if (asked.out) {
    try_to([&] { write_designs(request, found, folders, *asked.out); });
  }
  report::Document document = explore::document_of(
      asked.from ? *asked.from : asked.search, request, found, took, asked.output.needs_detail());
  document.description = text_at(request.written, "description");
  Answer answer = std::move(document);
  answer.problem = problem;
  answer.is_costly = true;
  return answer;
}

// What a store holds.
Answer show(const SearchRequest& asked, const DataFolders& folders) {
  const auto csv = check_files(asked);
  explore::Stored stored = explore::read_store(*asked.from, at("--from"));
  const explore::Request request = explore::request_of(stored.identity, folders, *asked.from);
  if (const std::string made_by = explore::version_of(stored.identity); made_by != version()) {
    fmt::print(stderr,
               "cairn: --from: {} is of version {}, which may give other results than this, {}\n",
               in_quotes(*asked.from),
               in_quotes(made_by),
               in_quotes(version()));
  }
  if (const auto changed =
          explore::different_name(stored.identity, explore::names_of(request, folders))) {
    throw ConfigError(at("--from"),
                      fmt::format("{} cannot be shown: {} is not what it was when it was searched",
                                  in_quotes(*asked.from),
                                  in_quotes(*changed)));
  }
  explore::check_points(stored, request.designs.space, *asked.from, at("--from"));
  explore::Exploration found{.trials = std::move(stored.trials), .stopped = !stored.end};
  found.asked = stored.end ? stored.end->asked : found.trials.size();
  found.pruned = stored.end ? stored.end->pruned : 0;
  found.front = explore::front_of(found.trials, request);
  return say(asked, request, found, folders, csv, Seconds(stored.seconds));
}

std::string in_one_text(const explore::Identity& identity) {
  std::string text;
  for (const explore::IdentityPart& part : identity) {
    text += part.key + ": " + part.text + "\n";
  }
  return text;
}

// As a rank that is not the first.
void help_others(const SearchRequest& asked,
                 const DataFolders& folders,
                 std::size_t threads,
                 explore::Ranks& ranks) {
  const StopOnInterrupt not_at_once;  // rank 0 says when it is over
  std::optional<explore::Request> request;
  std::string search;
  try {
    request = read_search(asked, folders);
    search = in_one_text(explore::identity_of(*request, folders, version()));
  } catch (const ConfigError& error) {
    explore::refuse_to_help(ranks, error.what());
    return;
  }
  explore::Evaluator evaluator(*request, folders);
  explore::ThreadCrew own(evaluator, threads);
  explore::help(ranks, search, own);
}

// Of rank 0.
struct Helpers {
  explicit Helpers(std::unique_ptr<explore::Ranks> joined)
      : ranks(std::move(joined)), leader(*ranks) {}

  std::unique_ptr<explore::Ranks> ranks;
  explore::RankLeader leader;
};

// Of ranks that are not the first.
Answer nothing_to_say() {
  Answer nothing{report::Document{}};
  nothing.text = "";
  return nothing;
}

void check_usage(const SearchRequest& asked) {
  if (asked.from) {
    const bool more = !asked.search.empty() || !asked.settings.empty() || asked.threads ||
                      asked.store || asked.resume;
    if (more) {
      fail_usage("search",
                 "--from: shows a store as it is (expected only --json, --report, --csv, --plot, "
                 "--out)");
    }
  } else if (asked.search.empty()) {
    fail_usage("search",
               "SEARCH: is missing (expected e.g. language-model-strategies or my/search.yaml)");
  } else if (asked.resume && !asked.store) {
    fail_usage("search", "--resume: needs a store (expected e.g. --store trials.db)");
  }
}

std::optional<explore::Store> open_store(const SearchRequest& asked,
                                         const explore::Identity& identity) {
  if (!asked.store) {
    return std::nullopt;
  }
  return asked.resume ? explore::Store::resume(*asked.store, identity, at("--store"))
                      : explore::Store::create(*asked.store, identity, at("--store"));
}

}  // namespace

std::vector<Option> options_of(SearchRequest& request) {
  using Path = Option::Path;
  std::vector<Option> options{
      {.name = "SEARCH",
       .doc = "a YAML file, or a name (cairn list searches)",
       .value = &request.search,
       .path = Path::kRead},
      settings_option(request.settings, "change a value of the search, e.g. algorithm.seed=7"),
      {"--threads",
       "N",
       "that evaluate designs (0: one per core; the default, but one per rank\n"
       "under mpirun)",
       &request.threads}};
  add_output(options, request.output, "with --json: every design that was tried");
  const auto add_path = [&](const char* name, const char* type, auto& value, const char* doc) {
    options.push_back(
        {.name = name, .type = type, .doc = doc, .value = &value, .path = Path::kWritten});
  };
  options.push_back({.name = "--from",
                     .type = "FILE",
                     .doc = "show what a store holds, instead of searching",
                     .value = &request.from,
                     .path = Path::kRead});
  add_path("--store", "FILE", request.store, "keep every design that was tried, as it is tried");
  options.push_back(
      {"--resume", "", "go on with the store of a run that was stopped", &request.resume});
  add_path("--csv", "FILE", request.csv, "write every design that was tried as a table");
  add_path("--plot",
           "DIR",
           request.plot,
           "draw the best so far, the front and the best designs into this folder");
  add_path("--out", "DIR", request.out, "write the best designs into this folder");
  return options;
}

Answer search(const SearchRequest& asked) {
  check_usage(asked);
  const DataFolders folders = DataFolders::in(data_roots());
  std::size_t threads = asked.threads ? parse_threads(*asked.threads) : 0;
  std::unique_ptr<explore::Ranks> ranks = join_ranks();
  const bool is_first = !ranks || ranks->rank() == 0;
  if (asked.from) {
    return is_first ? show(asked, folders) : nothing_to_say();
  }
  if (ranks && !asked.threads) {
    threads = 1;  // as many ranks as cores are what mpirun starts
  }
  if (!is_first) {
    help_others(asked, folders, threads, *ranks);
    return nothing_to_say();
  }
  const auto helpers = ranks ? std::make_shared<Helpers>(std::move(ranks)) : nullptr;
  const auto csv = check_files(asked);
  const explore::Request request = read_search(asked, folders);
  explore::check_values(request, folders);
  explore::Identity identity;
  if (helpers || asked.store) {
    identity = explore::identity_of(request, folders, version());
  }
  if (helpers) {
    helpers->leader.gather(in_one_text(identity));
  }
  auto store = open_store(asked, identity);
  const auto begin = std::chrono::steady_clock::now();
  const explore::Exploration found = [&] {
    const StopOnInterrupt interruption;
    SearchProgress progress(request, store ? store->known() : 0);
    Progress shown([&](std::size_t /*done*/, long seconds) {
      return interrupted != 0 ? "stopping; press Ctrl-C again to quit without a result"
                              : progress.line(seconds);
    });
    return explore::explore(
        request,
        folders,
        {.threads = threads,
         .ranks = helpers ? helpers->ranks.get() : nullptr,
         .store = store ? &*store : nullptr,
         .one_done = [&](const explore::DesignTrial& trial) { progress.one_done(trial); },
         .bounds_done = [&](std::size_t done, std::size_t of) { progress.bounds_done(done, of); },
         .stop = [] { return interrupted != 0; }});
  }();
  const Seconds took = std::chrono::steady_clock::now() - begin;
  if (store) {
    store->spent(took.count(),
                 found.stopped ? std::nullopt
                               : std::optional(explore::StoredEnd{.asked = found.asked,
                                                                  .pruned = found.pruned}));
  }
  Answer answer = say(asked, request, found, folders, csv, took);
  answer.signal = found.stopped ? interrupted : 0;
  answer.helpers = helpers;
  return answer;
}

}  // namespace cairn::app
