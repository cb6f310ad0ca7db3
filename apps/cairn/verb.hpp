// A command of the program: name, description, options, and the function that runs it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

// A flag ("--size") or an argument ("DESIGN") of the command line, and where its value is stored.
struct Option {
  using Value =
      std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*>;

  std::string name{};
  std::string type{};  // "N"; empty for arguments
  std::string doc{};
  Value value{};
  std::string example{};       // not empty: the option is required; shown in errors
  bool is_output = false;      // a path that is written; must differ from all others
  bool shows_default = false;  // in --help
};

// Output options of every command.
struct Output {
  bool json = false;
  bool detail = false;
  std::optional<std::string> report{};

  // Whether the document needs all details.
  [[nodiscard]] bool needs_detail() const { return detail || report; }
};

// The result of a command, also of a search that was interrupted.
struct Answer {
  Answer(report::Document found)
      : document(std::move(found)) {}  // NOLINT(google-explicit-constructor)

  Answer(Infeasible reason) : document(std::move(reason)) {}  // NOLINT(google-explicit-constructor)

  Feasible<report::Document> document;
  std::optional<std::string> text{};  // printed instead of the document, e.g. a DOT graph
  int signal = 0;                     // signal that interrupted it; 0: none
  // Why a requested file could not be written; empty: all were. The result is printed anyway.
  std::string problem{};
  bool is_costly = false;  // printed even if --report can no longer be written
  // Worker ranks; released after the result is printed.
  std::shared_ptr<void> helpers{};
};

// A request to a command; the command line is parsed into it.
struct Invocation {
  std::vector<Option> options{};
  std::function<Answer()> run{};
  const Output* output = nullptr;
};

struct Verb {
  const char* name;
  const char* doc;
  const char* examples;
  std::string (*reference)();  // reference of the input file; nullptr: none
  std::function<Invocation()> ask;
};

// Reports a usage error of `verb` and points to its help.
[[noreturn]] void fail_usage(const std::string& verb, const std::string& problem);

}  // namespace cairn::app
