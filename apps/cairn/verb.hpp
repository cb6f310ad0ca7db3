// A verb of the program: its name, what it says of itself, its options, and what runs it.
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

// A flag ("--size") or an argument ("DESIGN") of the command line, and where its value goes.
struct Option {
  enum class Path : std::uint8_t { kNone, kRead, kWritten };

  std::string name{};
  std::string type{};  // "N"; of arguments nothing
  std::string doc{};
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*> value{};
  std::string example{};       // not empty: it must be given, for example so
  Path path = Path::kNone;     // what is written must be no other path
  bool shows_default = false;  // in --help
};

// What every verb that prints a result has.
struct Output {
  bool json = false;
  bool detail = false;
  std::optional<std::string> report{};

  // The document must have all there is.
  [[nodiscard]] bool needs_detail() const { return detail || report; }
};

// What a verb found, also a search that was interrupted.
struct Answer {
  Answer(report::Document found)
      : document(std::move(found)) {}  // NOLINT(google-explicit-constructor)

  Answer(Infeasible reason) : document(std::move(reason)) {}  // NOLINT(google-explicit-constructor)

  Feasible<report::Document> document;
  std::optional<std::string> text{};  // printed instead: a graph for other programs
  int signal = 0;                     // that interrupted it; 0: none
  // Why a file that was asked for could not be written; empty: all were. What was found is printed
  // all the same.
  std::string problem{};
  bool is_costly = false;  // printed also if --report can no longer be written
  // Processes that helped; they are let go when this goes, after what was found is printed.
  std::shared_ptr<void> helpers{};
};

// What was asked of a verb; the command line is read into it.
struct Invocation {
  std::vector<Option> options{};
  std::function<Answer()> run{};
  const Output* output = nullptr;
};

struct Verb {
  const char* name;
  const char* doc;
  const char* examples;
  std::string (*reference)();  // of what the verb reads; nullptr: none
  std::function<Invocation()> ask;
};

// A wrong use of `verb`, which its help explains.
[[noreturn]] void fail_usage(const std::string& verb, const std::string& problem);

}  // namespace cairn::app
