#include "cairn/report/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <streambuf>
#include <system_error>
#include <utility>
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
  // The descriptor is closed at the end; below 0, errno says why there is none.
  explicit FileBuffer(int descriptor)
      : descriptor_(descriptor), error_(descriptor < 0 ? errno : 0) {
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

int open_to_write(const fs::path& file) {
  return ::open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
}

void write_to(int descriptor,
              const Where& where,
              const fs::path& named,
              const std::function<void(std::ostream&)>& write) {
  FileBuffer buffer(descriptor);
  std::ostream stream(&buffer);
  write(stream);
  const int error = buffer.close();
  if (error != 0 || !stream) {
    fail(where, named, error);
  }
}

// Without waiting for a reader; writing to it then waits for that reader as usual.
int open_pipe(const fs::path& file, const Where& where) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO) {
    throw ConfigError(
        where,
        in_quotes(file.string()) +
            " is a pipe that nobody reads (expected a file, or a pipe with a reader)");
  }
  if (descriptor < 0) {
    fail(where, file, errno);
  }
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
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

}  // namespace

OutputFile::OutputFile(fs::path file, Where where)
    : file_(std::move(file)), where_(std::move(where)) {
  if (file_.empty()) {
    throw ConfigError(where_, "is empty (expected the name of a file)");
  }
  std::error_code unknown;
  const fs::file_status status = fs::status(file_, unknown);
  is_replaced_ = !fs::exists(status) || fs::is_regular_file(status);
  // What the shell hands over as /dev/fd/3 is a link to a pipe, which has no path.
  target_ = is_replaced_ ? through_links(file_, where_) : file_;
  if (fs::is_directory(status) || !target_.has_filename()) {
    fail(where_, file_, EISDIR);
  }
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) {
    fail(where_, file_, errno);
  }
  if (fs::is_fifo(status)) {
    pipe_ = open_pipe(file_, where_);
  } else if (is_replaced_) {
    const TemporaryFile could_be_made(target_, where_, file_);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::move(other.file_)),
      where_(std::move(other.where_)),
      target_(std::move(other.target_)),
      is_replaced_(other.is_replaced_),
      pipe_(std::exchange(other.pipe_, -1)) {}

OutputFile::~OutputFile() {
  if (pipe_ >= 0) {
    ::close(pipe_);
  }
}

void OutputFile::write(const std::function<void(std::ostream&)>& write) const {
  if (!is_replaced_) {
    write_to(pipe_ >= 0 ? ::fcntl(pipe_, F_DUPFD_CLOEXEC, 0) : open_to_write(target_),
             where_,
             file_,
             write);
    return;
  }
  TemporaryFile temporary(target_, where_, file_);
  write_to(open_to_write(temporary.path()), where_, file_, write);
  if (const int error = temporary.rename_to(target_); error != 0) {
    fail(where_, file_, error);
  }
}

void write_atomically(const fs::path& file,
                      const Where& where,
                      const std::function<void(std::ostream&)>& write) {
  OutputFile(file, where).write(write);
}

}  // namespace cairn::report
