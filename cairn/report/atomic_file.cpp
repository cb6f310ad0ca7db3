#include "cairn/report/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace cairn::report {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const Where& where, const fs::path& file, int error) {
  throw ConfigError(where,
                    in_quotes(file.string()) + " cannot be written: " +
                        std::generic_category().message(error == 0 ? EIO : error));
}

// A file that exists only as long as nobody keeps it.
class TemporaryFile {
 public:
  // Precondition: `beside` does not end in a slash.
  TemporaryFile(const fs::path& beside, const Where& where, const fs::path& named) {
    static std::atomic<unsigned> last{0};  // only makes names differ
    for (int attempt = 0; attempt < 100; ++attempt) {
      path_ = beside;
      path_ += "." + std::to_string(::getpid()) + "-" + std::to_string(++last) + ".tmp";
      // As the user's umask wants it; fails if somebody else has a file of this name.
      const int descriptor = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      if (descriptor >= 0) {
        ::close(descriptor);
        return;
      }
      if (errno != EEXIST) {
        break;
      }
    }
    fail(where, named, errno);
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  ~TemporaryFile() {
    if (!path_.empty()) {
      ::unlink(path_.c_str());
    }
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

  // 0, or what went wrong.
  int rename_to(const fs::path& file) {
    if (::rename(path_.c_str(), file.c_str()) != 0) {
      return errno;
    }
    path_.clear();
    return 0;
  }

 private:
  fs::path path_;
};

void write_to(const fs::path& file,
              const Where& where,
              const fs::path& named,
              const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (stream) {
    write(stream);
    stream.close();
  }
  if (!stream) {
    fail(where, named, errno);
  }
}

// Where a file's bytes go, and whether a temporary one beside that can take its place.
struct Target {
  fs::path path{};
  bool replaced = true;  // false: a pipe or a device
};

Target target_of(const fs::path& file, const Where& where) {
  if (file.empty()) {
    throw ConfigError(where, "is empty (expected the name of a file)");
  }
  std::error_code unknown;
  const fs::path resolved = fs::weakly_canonical(file, unknown);  // through symbolic links
  const fs::path target = unknown || !file.has_filename() ? file : resolved;
  const fs::file_status status = fs::status(target, unknown);
  if (fs::is_directory(status) || !file.has_filename()) {
    fail(where, file, EISDIR);
  }
  if (fs::exists(status) && ::access(target.c_str(), W_OK) != 0) {
    fail(where, file, errno);
  }
  return {target, !fs::exists(status) || fs::is_regular_file(status)};
}

}  // namespace

void check_writable(const fs::path& file, const Where& where) {
  const Target target = target_of(file, where);
  if (target.replaced) {
    const TemporaryFile could_be_made(target.path, where, file);
  }
}

void write_atomically(const fs::path& file,
                      const Where& where,
                      const std::function<void(std::ostream&)>& write) {
  const Target target = target_of(file, where);
  if (!target.replaced) {
    write_to(target.path, where, file, write);
    return;
  }
  TemporaryFile temporary(target.path, where, file);
  write_to(temporary.path(), where, file, write);
  if (const int error = temporary.rename_to(target.path); error != 0) {
    fail(where, file, error);
  }
}

}  // namespace cairn::report
