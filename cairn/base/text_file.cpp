#include "cairn/base/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <span>
#include <system_error>

#include "cairn/base/failure.hpp"
#include "cairn/base/utf8.hpp"

namespace cairn {

namespace {

bool is_control(std::uint32_t code) {
  return (code < 0x20U && code != '\t' && code != '\n' && code != '\r') || code == 0x7FU;
}

// How long to wait for the writer of a pipe: a shell may be about to start it.
constexpr std::chrono::milliseconds kWriterTimeout{1000};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem) {
  throw ConfigError({.file = file.string(), .line = 0, .key = ""}, problem);
}

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
  fail(file, "cannot be read: " + std::generic_category().message(error));
}

void check_size(const std::filesystem::path& file, std::size_t bytes) {
  if (bytes > kLargestTextFile) {
    fail(file, fmt::format("too large (expected at most {} MiB)", kLargestTextFile >> 20U));
  }
}

// An open file. Opening a pipe does not block until somebody opens its other end.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& file)
      : file_(file),
        descriptor_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      fail(file_, errno);
    }
    try {
      find_kind();
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
  }

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  ~InputFile() { ::close(descriptor_); }

  // Blocks until there is data. 0 at the end of the file.
  std::size_t read(std::span<char> buffer) {
    const auto deadline = std::chrono::steady_clock::now() + kWriterTimeout;
    while (true) {
      const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count > 0) {
        had_writer_ = true;
        return static_cast<std::size_t>(count);
      }
      if (count < 0 && errno == EAGAIN && may_wait_) {
        had_writer_ = true;
        wait(-1);
      } else if (count < 0 && errno != EINTR) {
        fail(file_, errno);
      } else if (count == 0 && (!is_pipe_ || had_writer_)) {
        return 0;
      } else if (count == 0 && std::chrono::steady_clock::now() > deadline) {
        fail(file_, "a pipe that nobody writes to (expected a file, or a pipe with a writer)");
      } else if (count == 0) {
        constexpr int kInterval = 10;  // ms
        had_writer_ = wait(kInterval);
      }
    }
  }

 private:
  void find_kind() {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0) {
      fail(file_, errno);
    }
    if (S_ISDIR(status.st_mode)) {
      fail(file_, "a directory (expected a file)");
    }
    is_pipe_ = S_ISFIFO(status.st_mode);
    may_wait_ = is_pipe_ || ::isatty(descriptor_) == 1;
    if (!S_ISREG(status.st_mode) && !may_wait_) {
      fail(file_, "a device (expected a file or a pipe)");
    }
    if (S_ISREG(status.st_mode)) {
      check_size(file_, static_cast<std::size_t>(status.st_size));
    }
  }

  // Whether there is data, or a writer has come and gone.
  bool wait(int milliseconds) const {
    pollfd one{.fd = descriptor_, .events = POLLIN, .revents = 0};
    return ::poll(&one, 1, milliseconds) > 0;
  }

  std::filesystem::path file_;
  int descriptor_;
  bool is_pipe_ = false;
  bool may_wait_ = false;    // a pipe or a terminal, whose data may come later
  bool had_writer_ = false;  // a pipe without a writer reads as if it had ended
};

}  // namespace

std::string read_text_file(const std::filesystem::path& file) {
  InputFile input(file);
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = input.read(buffer)) {
    text.append(buffer.data(), count);
    check_size(file, text.size());
  }
  return text;
}

void check_text(std::string_view text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    const auto character = first_character(text.substr(i));
    if (!character || is_control(character->code)) {
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      throw ConfigError(
          {file, static_cast<int>(line), ""},
          fmt::format("byte 0x{:02x} (expected UTF-8 text)", static_cast<unsigned char>(text[i])));
    }
    i += character->length;
  }
}

}  // namespace cairn
