#include "apps/cairn/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "cairn/report/table.hpp"

namespace cairn::app {

namespace {

// "orted" or "prted" starts processes on other machines, and has no terminal.
constexpr std::array<std::string_view, 4> kLaunchers{"mpirun", "mpiexec", "orterun", "prterun"};

// File behind a descriptor of the parent process; empty: the parent is not mpirun, or unreadable.
std::string where_launcher_writes(int descriptor) {
  const auto parent = std::filesystem::path("/proc") / std::to_string(::getppid());
  std::error_code unseen;
  const std::string name =
      std::filesystem::read_symlink(parent / "exe", unseen).filename().string();
  if (unseen || std::ranges::find(kLaunchers, name) == kLaunchers.end()) {
    return "";
  }
  return std::filesystem::read_symlink(parent / "fd" / std::to_string(descriptor), unseen).string();
}

}  // namespace

bool is_terminal(int descriptor) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) {
    return ::isatty(descriptor) != 0;
  }
  const std::string file = where_launcher_writes(descriptor);
  return file.starts_with("/dev/pts/") || file.starts_with("/dev/tty");
}

bool shows_colours() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets them
  const auto value = [](const char* name) { return std::getenv(name); };
  const char* refused = value("NO_COLOR");
  const char* forced = value("CLICOLOR_FORCE");
  const char* terminal = value("TERM");
  if (refused != nullptr && *refused != '\0') {
    return false;
  }
  if (forced != nullptr && *forced != '\0' && std::string_view(forced) != "0") {
    return true;
  }
  return is_terminal(STDOUT_FILENO) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t output_width() {
  constexpr std::size_t kMin = 60;   // tables with fewer columns break every cell
  constexpr std::size_t kMax = 160;  // lines that are longer are hard to follow
  winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return report::kLineWidth;
  }
  return std::clamp(std::size_t{size.ws_col}, kMin, kMax);
}

namespace {

// The column of the last part of a line, which two spaces separate from the part before.
std::size_t last_column(std::string_view line, std::size_t width) {
  constexpr std::size_t kMinText = 24;  // beside the column
  const std::size_t end = line.find_last_not_of(' ', line.size());
  std::size_t column = line.find_first_not_of(' ');
  for (std::size_t gap = line.find("  ", column); gap < end; gap = line.find("  ", column)) {
    const std::size_t next = line.find_first_not_of(' ', gap);
    if (next == std::string_view::npos || next + kMinText > width) {
      break;
    }
    column = next;
  }
  return column == std::string_view::npos ? 0 : column;
}

}  // namespace

std::string fit_help(const std::string& text, std::size_t width) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with("  cairn ");
    while (line.size() > width && !is_command) {
      const std::size_t column = last_column(line, width);
      const std::size_t space = line.rfind(' ', width);
      if (space == std::string::npos || space <= column) {
        break;  // a word that is too long
      }
      result += line.substr(0, space) + "\n";
      line = std::string(column, ' ') + line.substr(space + 1);
    }
    result += line + "\n";
  }
  return result;
}

bool is_first_process() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr || std::string_view(rank) == "0";
}

}  // namespace cairn::app
