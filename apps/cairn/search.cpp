// cairn search: the best of many designs.
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/explore/explore.hpp"
#include "cairn/explore/text.hpp"
#include "cairn/report/atomic_file.hpp"

namespace cairn::app {

namespace {

// Set by Ctrl-C: what has begun is finished, nothing else begins.
volatile std::sig_atomic_t interrupted = 0;

class StopOnInterrupt {
 public:
  StopOnInterrupt() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}

  ~StopOnInterrupt() { std::signal(SIGINT, before_); }

  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  void (*before_)(int);
};

// Designs of the front as files that `cairn run` reads: best-1.yaml, ...
void write_designs(const explore::Request& request,
                   const explore::Exploration& found,
                   const DataFolders& folders,
                   const std::string& folder) {
  int number = 0;
  for (const std::size_t member : found.front) {
    const Config design =
        request.designs.config(request.designs.settings(found.trials[member].point), folders);
    const auto file =
        std::filesystem::path(folder) / ("best-" + std::to_string(++number) + ".yaml");
    report::write_atomically(file.string(), at("--out"), [&](std::ostream& out) {
      for (std::size_t i = 0; i < design.keys.size(); ++i) {
        out << design.keys[i] << ": " << to_text(design.items[i]) << "\n";
      }
    });
  }
}

}  // namespace

Feasible<std::string> search(const SearchRequest& asked) {
  NamedFile file = load_named(asked.search, data_folders("searches"), "a search", at("SEARCH"));
  for (const std::string& setting : asked.settings) {
    set_value(file.config, setting);
  }
  const DataFolders folders = DataFolders::in(data_roots());
  const explore::Request request =
      explore::read_request(file.config, folders, data_folders("designs"));
  const auto begin = std::chrono::steady_clock::now();
  const explore::Exploration found = [&] {
    const StopOnInterrupt interruption;
    Progress progress(0);
    return explore::explore(request,
                            folders,
                            {.threads = asked.threads,
                             .one_done = [&] { progress.one_done(); },
                             .stop = [] { return interrupted != 0; }});
  }();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (found.front.empty()) {
    return explore::why_nothing(request, found);
  }
  if (asked.out) {
    write_designs(request, found, folders, *asked.out);
  }
  return asked.json ? explore::exploration_json(request, found, took)
                    : explore::exploration_text(request, found, took);
}

}  // namespace cairn::app
