// The program `cairn`: parses the command line, runs a command, prints its result, and turns
// failures into messages and exit codes.
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "apps/cairn/command_line.hpp"
#include "apps/cairn/page.hpp"
#include "apps/cairn/terminal.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"
#include "cairn/version.hpp"

namespace {

using namespace cairn;

enum ExitCode { kDone = 0, kUserError = 2, kInfeasible = 3, kBug = 70, kSignal = 128 };

void complain(const std::string& message) {
  const std::string line = "cairn: " + printable(message) + "\n";
  std::fputs(line.c_str(), stderr);  // on failure, the exit code still reports it
}

// A standard descriptor closed by the caller would be reused for the next opened file, which would
// then receive our output.
void occupy_closed_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", O_RDWR));
    }
  }
}

// A closed pipe is no error: the reader has seen enough.
int print(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return kDone;
  }
  if (errno == EPIPE) {
    return kDone;
  }
  complain("standard output cannot be written: " + std::generic_category().message(errno));
  return kUserError;
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

// Writes the report if requested; returns the text for standard output.
std::string shown(app::Answer& answer, const app::Command& command, const app::Page* page) {
  if (answer.text) {
    return printable_lines(*answer.text);
  }
  report::Document document = std::move(answer.document).value();
  document.version = kVersion;
  document.command = command.line;
  document.date = today();
  try {
    if (page != nullptr) {
      page->write(document);
    }
  } catch (const ConfigError& error) {
    if (!answer.is_costly) {
      throw;
    }
    answer.problem = answer.problem.empty() ? error.what() : answer.problem;
  }
  const app::Output& output = *command.asked.output;
  return output.json
             ? report::json_of(document,
                               output.detail ? report::Detail::kAll : report::Detail::kBrief)
             : report::text_of(document,
                               {.width = app::output_width(), .colours = app::shows_colours()});
}

int run(const app::Command& command) {
  std::optional<app::Page> page;
  if (app::is_first_process()) {
    page.emplace(command.asked.output->report);
  }
  app::Answer answer = command.asked.run();
  int code = answer.signal == 0 ? kDone : kSignal + answer.signal;
  if (!answer.document) {
    const Infeasible& reason = answer.document.reason();
    complain("infeasible: " + reason.limit() + ": " + reason.detail);
    code = code == kDone ? kInfeasible : code;
  } else {
    const int printed = print(shown(answer, command, page ? &*page : nullptr));
    code = printed == kDone ? code : printed;
  }
  if (!answer.problem.empty()) {
    complain(answer.problem);
    code = kUserError;
  }
  return code;
}

int report_bug(const char* what) {
  complain(fmt::format("this is a bug in cairn {} (commit {}): {}", kVersion, kCommit, what));
  complain("please report it with the command line and the files it names");
  return kBug;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit returns an error
  occupy_closed_descriptors();
  try {
    const app::Command command = app::parse_command_line(argc, argv);
    return command.text ? print(app::fit_help(*command.text, app::output_width())) : run(command);
  } catch (const ConfigError& error) {
    complain(error.what());
    return kUserError;
  } catch (const std::bad_alloc&) {
    complain("infeasible: memory: out of memory on this host");
    return kInfeasible;
  } catch (const std::exception& error) {
    return report_bug(error.what());
  } catch (...) {
    return report_bug("unknown");
  }
}
