// cairn search: finds the best designs of a search space.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/best_designs.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/input_files.hpp"
#include "apps/cairn/interruption.hpp"
#include "apps/cairn/join_ranks.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/pictures.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/search_progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/explore/charts.hpp"
#include "cairn/explore/check_values.hpp"
#include "cairn/explore/explain_empty_result.hpp"
#include "cairn/explore/explore.hpp"
#include "cairn/explore/rank_pool.hpp"
#include "cairn/explore/search_document.hpp"
#include "cairn/former_names.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/csv.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

using Seconds = std::chrono::duration<double>;

// Checks output files before any design is evaluated; returns the file of --csv.
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
    std::vector<NamedPath> arguments{{"SEARCH", asked.search}};
    for (const std::string& setting : asked.settings) {
      arguments.push_back({"--set", setting});
    }
    refuse_to_replace(input_files(arguments), *asked.out);
  }
  return csv;
}

std::string version() {
  return fmt::format("{} (commit {})", kVersion, kCommit);
}

explore::Request read_search(const SearchRequest& asked, const DataFolders& folders) {
  NamedFile file = load_input(asked.search, "searches", "a search", "SEARCH");
  print_notes(update_former_names_of_search(file.config));
  for (const std::string& setting : asked.settings) {
    print_notes(
        explore::set_value_of_search(file.config, setting, folders, data_folders("designs")));
  }
  print_notes(update_former_names_of_search(file.config));  // inside a map that was set
  explore::Request request = explore::read_request(file.config, folders, data_folders("designs"));
  print_notes(request.notes);
  return request;
}

// Error message of `write`; empty on success.
template <class Write>
std::string problem_of(const Write& write) {
  try {
    write();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Writes the output files and returns the result, with the first error of a file.
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
    Answer nothing = explore::explain_empty_result(request, found);
    nothing.problem = problem;
    return nothing;
  }
  try_to([&] {
    Pictures(asked.plot).draw([&] { return explore::exploration_charts(request, found); });
  });
  if (asked.out) {
    try_to([&] { write_best_designs(request, found, folders, *asked.out); });
  }
  report::Document document = explore::document_of(
      asked.from ? *asked.from : asked.search, request, found, took, asked.output.needs_detail());
  document.description = text_at(request.written, "description");
  Answer answer = std::move(document);
  answer.problem = problem;
  answer.is_costly = true;
  return answer;
}

// Results of a store.
Answer show(const SearchRequest& asked, const DataFolders& folders) {
  const auto csv = check_files(asked);
  explore::Stored stored = explore::read_store(*asked.from, at("--from"));
  const explore::Request request = explore::request_of(stored.identity, folders, *asked.from);
  if (const std::string made_by = explore::version_of(stored.identity); made_by != version()) {
    fmt::print(stderr,
               "cairn: --from: {} is from version {}; results may differ from this version, {}\n",
               in_quotes(*asked.from),
               in_quotes(made_by),
               in_quotes(version()));
  }
  if (const auto changed =
          explore::different_name(stored.identity, explore::names_of(request, folders))) {
    throw ConfigError(at("--from"),
                      fmt::format("{} cannot be shown: {} has changed since the search",
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

// Runs as a worker rank (not rank 0).
void help_others(const SearchRequest& asked,
                 const DataFolders& folders,
                 std::size_t threads,
                 explore::Ranks& ranks) {
  const StopOnInterrupt not_at_once;  // rank 0 decides when to stop
  std::optional<explore::Request> request;
  std::string search;
  try {
    request = read_search(asked, folders);
    search = in_one_text(explore::identity_of(*request, folders, version()));
  } catch (const ConfigError& error) {
    explore::reject_worker(ranks, error.what());
    return;
  }
  explore::Evaluator evaluator(*request, folders);
  explore::ThreadPool own(evaluator, threads);
  explore::serve(ranks, search, own);
}

// The other ranks, as seen by rank 0.
struct Helpers {
  explicit Helpers(std::unique_ptr<explore::Ranks> joined)
      : ranks(std::move(joined)), leader(*ranks) {}

  std::unique_ptr<explore::Ranks> ranks;
  explore::RankLeader leader;
};

// Empty answer of worker ranks.
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
                 "--from: shows an existing store (expected only --json, --report, --csv, --plot, "
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
  std::vector<Option> options{
      {"SEARCH", "", "a YAML file, or a name (cairn list searches)", &request.search},
      settings_option(request.settings, "change a value of the search, e.g. algorithm.seed=7"),
      {"--threads",
       "N",
       "threads that evaluate designs (0: one per core, the default; under\n"
       "mpirun the default is one per rank)",
       &request.threads}};
  add_output(options, request.output, "with --json: every design tried");
  options.insert(
      options.end(),
      {{"--from", "FILE", "show the results of a store instead of searching", &request.from},
       output_option(
           "--store", "FILE", "save every design to this database as it is tried", request.store),
       {"--resume", "", "continue an interrupted run from --store", &request.resume},
       output_option("--csv", "FILE", "write every design tried as CSV", request.csv),
       plot_option(request.plot,
                   "plot convergence, the Pareto front and the best designs into this folder"),
       output_option(
           "--out", "DIR", "write the best designs as YAML into this folder", request.out)});
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
    threads = 1;  // mpirun typically starts one rank per core
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
      return interrupting_signal() != 0 ? "stopping; press Ctrl-C again to quit without a result"
                                        : progress.line(seconds);
    });
    return explore::explore(
        request,
        folders,
        {.threads = threads,
         .ranks = helpers ? helpers->ranks.get() : nullptr,
         .store = store ? &*store : nullptr,
         .on_done = [&](const explore::DesignTrial& trial) { progress.on_done(trial); },
         .on_bounds = [&](std::size_t done, std::size_t of) { progress.on_bounds(done, of); },
         .stop = [] { return interrupting_signal() != 0; }});
  }();
  const Seconds took = std::chrono::steady_clock::now() - begin;
  if (store) {
    store->spent(took.count(),
                 found.stopped ? std::nullopt
                               : std::optional(explore::StoredEnd{.asked = found.asked,
                                                                  .pruned = found.pruned}));
  }
  Answer answer = say(asked, request, found, folders, csv, took);
  answer.signal = found.stopped ? interrupting_signal() : 0;
  answer.helpers = helpers;
  return answer;
}

}  // namespace cairn::app
