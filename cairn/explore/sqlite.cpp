#include "cairn/explore/sqlite.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace cairn::explore {

namespace {

constexpr int kBusyTimeoutMs = 10000;  // wait for other readers and writers

bool is_writable(const std::filesystem::path& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

// The file as a URI for SQLite, with reserved characters percent-encoded.
std::string address_of(const std::filesystem::path& file, const char* query) {
  std::string address = "file:";
  std::error_code nowhere;  // the current folder may have been removed
  for (const char letter : std::filesystem::absolute(file, nowhere).string()) {
    const bool has_meaning = letter == '%' || letter == '?' || letter == '#';
    address += has_meaning ? fmt::format("%{:02x}", static_cast<unsigned char>(letter))
                           : std::string(1, letter);
  }
  return address + query;
}

int open_database(const std::filesystem::path& file, Database::Use use, sqlite3** opened) {
  // With write permission, SQLite shares the log's index or recovers the log of a killed run.
  std::error_code nowhere;
  const auto folder = std::filesystem::absolute(file, nowhere).parent_path();
  if (use == Database::Use::kWrite || (is_writable(file) && is_writable(folder))) {
    return sqlite3_open_v2(file.c_str(), opened, SQLITE_OPEN_READWRITE, nullptr);
  }
  // Without a log, the file is complete and immutable. With a log, SQLite reads both if the index
  // exists, as it does while another process writes.
  std::error_code none;
  const auto logged = std::filesystem::file_size(file.string() + "-wal", none);
  const bool has_log = !none && logged > 0;
  return sqlite3_open_v2(address_of(file, has_log ? "?mode=ro" : "?mode=ro&immutable=1").c_str(),
                         opened,
                         SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                         nullptr);
}

}  // namespace

Database::Database(const std::filesystem::path& file, const Where& where, Use use)
    : file_(file.string()), where_(where) {
  std::error_code unknown;  // SQLite reports the reason
  const auto status = std::filesystem::status(file, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail("is not a store of trials, but a directory, a pipe or a device");  // a pipe would block
  }
  sqlite3* opened = nullptr;
  const int code = open_database(file, use, &opened);
  database_.reset(opened);
  if (code != SQLITE_OK) {
    fail();
  }
  sqlite3_busy_timeout(opened, kBusyTimeoutMs);
}

void Database::run(const std::string& sql) {
  if (sqlite3_exec(get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

std::int64_t Database::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.next() ? statement.whole(0) : 0;
}

void Database::fail() const {
  const int code = sqlite3_errcode(get());
  const int system = sqlite3_system_errno(get());
  const std::string said = sqlite3_errmsg(get());
  const std::string because =
      system == 0 ? said : said + " (" + std::generic_category().message(system) + ")";
  switch (code) {
    case SQLITE_NOTADB:
      fail("is not a store of trials: " + said);
    case SQLITE_CORRUPT:
      fail("is damaged: " + said);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail("is in use by another process");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
      fail("cannot be written: " + because);
    case SQLITE_CANTOPEN:
      if (std::error_code unknown; std::filesystem::exists(file_ + "-wal", unknown)) {
        fail("has a log of a killed run, which cannot be read without write permission");
      }
      [[fallthrough]];
    default:
      fail("cannot be used as a store of trials: " + because);
  }
}

void Database::fail(const std::string& problem) const {
  throw ConfigError(where_, in_quotes(file_) + " " + problem);
}

void remove_database(const std::filesystem::path& file) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file.string() + suffix, ignored);
  }
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &prepared, nullptr);
  statement_.reset(prepared);
  check(code);
}

Statement& Statement::with(double value) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::with(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::with(const std::string& value) {
  check(sqlite3_bind_text64(
      statement_.get(), ++bound_, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::with_null() {
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) {
    return true;
  }
  bound_ = 0;
  if (code != SQLITE_DONE) {
    database_.fail();
  }
  sqlite3_reset(statement_.get());
  return false;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_FLOAT || type == SQLITE_INTEGER;
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), size);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) {
    database_.fail();
  }
}

}  // namespace cairn::explore
