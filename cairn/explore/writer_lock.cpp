#include "cairn/explore/writer_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "cairn/explore/sqlite.hpp"

namespace cairn::explore {

namespace {

// Locks one byte, far beyond those that SQLite locks, as long as the file is open. 0, or errno.
int lock(int descriptor) {
  struct flock byte{};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = off_t{1} << 62;
  byte.l_len = 1;
  return ::fcntl(descriptor, F_OFD_SETLK, &byte) == 0 ? 0 : errno;
}

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& file, Open open, const Where& where)
    : descriptor_(::open(
          file.c_str(), (open == Open::kNew ? O_CREAT | O_EXCL : 0) | O_RDWR | O_CLOEXEC, 0666)) {
  const auto fail = [&](const std::string& problem) {
    throw ConfigError(where, in_quotes(file.string()) + " " + problem);
  };
  if (descriptor_ < 0 && errno == EEXIST) {
    fail("exists already (use --resume to continue it, or another name)");
  }
  if (descriptor_ < 0 && errno == ENOENT && open == Open::kExisting) {
    fail("does not exist (--resume continues the store of an earlier run)");
  }
  if (descriptor_ < 0) {
    fail("cannot be written: " + std::generic_category().message(errno));
  }
  if (const int error = lock(descriptor_); error != 0) {
    ::close(descriptor_);
    if (error == EAGAIN || error == EACCES) {
      fail("is in use by another search");
    }
    if (open == Open::kNew) {
      remove_database(file);
    }
    fail("cannot be locked: " + std::generic_category().message(error));
  }
  if (!holds_store_or_nothing()) {
    ::close(descriptor_);
    fail("is not a store of trials, but something else");
  }
}

WriterLock::~WriterLock() {
  ::close(descriptor_);
}

// Reads the header directly, as SQLite may change a database by opening it.
bool WriterLock::holds_store_or_nothing() const {
  // https://www.sqlite.org/fileformat.html: a header of 100 bytes, the application id at 68.
  std::array<unsigned char, 100> header{};
  const auto got = ::pread(descriptor_, header.data(), header.size(), 0);
  if (got == 0) {
    return true;
  }
  std::int64_t application = 0;
  for (std::size_t i = 68; i < 72; ++i) {
    application = application * 256 + header[i];
  }
  constexpr std::string_view kMagic("SQLite format 3", 16);  // with its terminating 0
  return got == static_cast<ssize_t>(header.size()) &&
         std::equal(kMagic.begin(), kMagic.end(), header.begin()) && application == kApplicationId;
}

}  // namespace cairn::explore
