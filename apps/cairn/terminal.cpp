#include "apps/cairn/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace cairn::app {

namespace {

// "orted" or "prted" starts processes on other machines, and has no terminal.
constexpr std::array<std::string_view, 4> kLaunchers{"mpirun", "mpiexec", "orterun", "prterun"};

// Where the process that started this one writes; empty: that is no mpirun, or cannot be seen.
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

}  // namespace cairn::app
