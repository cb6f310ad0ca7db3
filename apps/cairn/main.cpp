// The program `cairn`: reads the command line, runs a verb, prints what it says, and turns failures
// into messages and exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "apps/cairn/colour.hpp"
#include "apps/cairn/command_line.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/version.hpp"

namespace {

using namespace cairn;

enum ExitCode { kDone = 0, kUserError = 2, kInfeasible = 3, kBug = 70, kSignal = 128 };

void complain(const std::string& message) {
  const std::string line = "cairn: " + printable(message) + "\n";
  std::fputs(line.c_str(), stderr);  // if that fails too, the exit code still tells
}

// A descriptor that the caller closed would be given to the next file that is opened, which then
// would get our output.
void occupy_closed_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", O_RDWR));
    }
  }
}

// What goes to standard output, and how the program ends if that succeeds.
struct Answered {
  Feasible<std::string> text;
  int code = kDone;
  std::string problem{};  // said after it; empty: none
  std::shared_ptr<void> until_printed{};
};

// A reader that went away has seen all it wanted.
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

Answered answer(const app::Request& request) {
  struct Answer {
    Feasible<std::string> operator()(const app::TextRequest& text) const { return text.text; }

    Feasible<std::string> operator()(const app::RunRequest& asked) const { return app::run(asked); }

    Feasible<std::string> operator()(const app::StudyRequest& asked) const {
      return app::study(asked);
    }

    Answered operator()(const app::SearchRequest& asked) const {
      app::SearchAnswer found = app::search(asked);
      return {std::move(found.text),
              found.signal == 0 ? kDone : kSignal + found.signal,
              std::move(found.problem),
              std::move(found.helpers)};
    }

    Feasible<std::string> operator()(const app::SensitivityRequest& asked) const {
      return app::sensitivity(asked);
    }

    Feasible<std::string> operator()(const app::CollectiveRequest& asked) const {
      return app::collective(asked);
    }

    Feasible<std::string> operator()(const app::PlatformRequest& asked) const {
      return app::platform(asked);
    }

    Feasible<std::string> operator()(const app::ChipRequest& asked) const {
      return app::chip(asked);
    }

    Feasible<std::string> operator()(const app::KernelRequest& asked) const {
      return app::kernel(asked);
    }

    Feasible<std::string> operator()(const app::ValidateRequest& asked) const {
      return app::validate(asked);
    }

    Feasible<std::string> operator()(const app::CalibrateRequest& asked) const {
      return app::calibrate(asked);
    }

    Feasible<std::string> operator()(const app::CompareRequest& asked) const {
      return app::compare(asked);
    }

    Feasible<std::string> operator()(const app::ListRequest& asked) const {
      return app::list(asked);
    }
  };

  return std::visit([](const auto& asked) -> Answered { return {Answer{}(asked)}; }, request);
}

// Names and descriptions come from files, and may hold what a terminal would obey. Help is our own,
// and JSON is for programs; neither they nor graphs for Graphviz have colours.
std::string shown(const app::Request& request, const std::string& text) {
  if (std::holds_alternative<app::TextRequest>(request) || text.starts_with("{\n")) {
    return text;
  }
  const std::string plain = printable_lines(text);
  return app::shows_colours() && !plain.starts_with("graph ") ? app::coloured(plain) : plain;
}

int report_bug(const char* what) {
  complain(fmt::format("this is a bug in cairn {} (commit {}): {}", kVersion, kCommit, what));
  complain("please report it with the command line and the files it names");
  return kBug;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of who writes it
  occupy_closed_descriptors();
  try {
    const app::Request request = app::parse_command_line(argc, argv);
    const Answered answered = answer(request);
    int code = answered.code;
    if (!answered.text) {
      const Infeasible& reason = answered.text.reason();
      complain("infeasible: " + reason.limit() + ": " + reason.detail);
      code = code == kDone ? kInfeasible : code;
    } else {
      const int printed = print(shown(request, *answered.text));
      code = printed == kDone ? code : printed;
    }
    if (!answered.problem.empty()) {
      complain(answered.problem);
      code = kUserError;
    }
    return code;
  } catch (const ConfigError& error) {
    complain(error.what());
    return kUserError;
  } catch (const std::bad_alloc&) {
    complain("infeasible: memory: this machine has not enough for it");
    return kInfeasible;
  } catch (const std::exception& error) {
    return report_bug(error.what());
  } catch (...) {
    return report_bug("unknown");
  }
}
