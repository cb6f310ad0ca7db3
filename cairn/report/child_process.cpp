#include "cairn/report/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace cairn::report {

namespace {

constexpr std::size_t kMaxKept = std::size_t{64} << 10U;

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return text;
    }
    if (text.size() < kMaxKept) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return 127;
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Descriptors and working folder of the child.
class FileActions {
 public:
  FileActions(const std::filesystem::path& folder, int error) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, error, STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }

  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

ChildResult run_in(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    return {.error = std::generic_category().message(errno)};
  }
  std::vector<std::string> copies = arguments;
  std::vector<char*> argv;
  argv.reserve(copies.size() + 1);
  for (std::string& argument : copies) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  pid_t child = 0;
  const FileActions actions(folder, pipe[1]);
  const int failed =
      ::posix_spawnp(&child, argv.front(), actions.get(), nullptr, argv.data(), environ);
  ::close(pipe[1]);
  ChildResult result{.started = failed == 0};
  if (result.started) {
    result.error = read_all(pipe[0]);
    result.status = wait_for(child);
  } else {
    result.error = std::generic_category().message(failed);
  }
  ::close(pipe[0]);
  return result;
}

}  // namespace cairn::report
