#include "cairn/report/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <streambuf>
#include <system_error>
#include <vector>

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

// Bytes to a file. Keeps what first went wrong, which a std::ofstream leaves to errno, where what
// is done between two of its writes may overwrite it.
class FileBuffer final : public std::streambuf {
 public:
  explicit FileBuffer(const fs::path& file)
      : descriptor_(::open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666)),
        error_(descriptor_ < 0 ? errno : 0) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;

  ~FileBuffer() override { close(); }

  // 0, or what went wrong until now.
  int close() {
    sync();
    if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) {
      error_ = errno;
    }
    descriptor_ = -1;
    return error_;
  }

 private:
  int sync() override {
    const char* begin = pbase();
    while (error_ == 0 && begin < pptr()) {
      const ssize_t written = ::write(descriptor_, begin, static_cast<std::size_t>(pptr() - begin));
      if (written >= 0) {
        begin += written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0 ? 0 : -1;
  }

  int_type overflow(int_type byte) override {
    if (sync() != 0) {
      return traits_type::eof();
    }
    if (!traits_type::eq_int_type(byte, traits_type::eof())) {
      sputc(traits_type::to_char_type(byte));
    }
    return traits_type::not_eof(byte);
  }

  static constexpr std::size_t kBytes = 65536;
  std::vector<char> bytes_ = std::vector<char>(kBytes);
  int descriptor_;
  int error_;
};

void write_to(const fs::path& file,
              const Where& where,
              const fs::path& named,
              const std::function<void(std::ostream&)>& write) {
  FileBuffer buffer(file);
  std::ostream stream(&buffer);
  write(stream);
  const int error = buffer.close();
  if (error != 0 || !stream) {
    fail(where, named, error);
  }
}

// Where symbolic links lead, also where nothing is yet.
fs::path through_links(fs::path path, const Where& where) {
  constexpr int kMostLinks = 40;  // as Linux has it
  const fs::path named = path;
  std::error_code none;
  for (int i = 0; fs::is_symlink(fs::symlink_status(path, none)); ++i) {
    const fs::path to = fs::read_symlink(path, none);
    if (none || i == kMostLinks) {
      fail(where, named, none ? none.value() : ELOOP);
    }
    path = path.parent_path() / to;  // which is `to` where that is absolute
  }
  return path;
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
  const fs::path target = through_links(file, where);
  std::error_code unknown;
  const fs::file_status status = fs::status(target, unknown);
  if (fs::is_directory(status) || !target.has_filename()) {
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
