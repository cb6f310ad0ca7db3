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

// A temporary file, removed unless it is kept.
class TemporaryFile {
 public:
  // Precondition: `beside` does not end in a slash.
  TemporaryFile(const fs::path& beside, const Where& where, const fs::path& named) {
    static std::atomic<unsigned> last{0};  // makes names unique
    for (int attempt = 0; attempt < 100; ++attempt) {
      path_ = beside;
      path_ += "." + std::to_string(::getpid()) + "-" + std::to_string(++last) + ".tmp";
      // Permissions follow the umask; fails if the file exists.
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

  // 0, or the errno of the failure.
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

// Writes bytes to a file and keeps the first error. A std::ofstream leaves it in errno, where calls
// between two writes may overwrite it.
class FileBuffer final : public std::streambuf {
 public:
  // Closes the descriptor at the end; a negative one means that opening failed, with errno set.
  explicit FileBuffer(int descriptor)
      : descriptor_(descriptor), error_(descriptor < 0 ? errno : 0) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;

  ~FileBuffer() override { close(); }

  // 0, or the errno of the first failure.
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

// Opens without waiting for a reader; writes then block as usual.
int open_pipe(const fs::path& file, const Where& where) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO) {
    throw ConfigError(where,
                      in_quotes(file.string()) +
                          " is a pipe without a reader (expected a file, or a pipe with a reader)");
  }
  if (descriptor < 0) {
    fail(where, file, errno);
  }
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

// Follows symbolic links, also to a file that does not exist yet.
fs::path through_links(fs::path path, const Where& where) {
  constexpr int kMaxLinks = 40;  // as in Linux
  const fs::path named = path;
  std::error_code none;
  for (int i = 0; fs::is_symlink(fs::symlink_status(path, none)); ++i) {
    const fs::path to = fs::read_symlink(path, none);
    if (none || i == kMaxLinks) {
      fail(where, named, none ? none.value() : ELOOP);
    }
    path = path.parent_path() / to;  // `to` itself if absolute
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
  // /dev/fd/3 from a shell is a link to a pipe, which has no path.
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
