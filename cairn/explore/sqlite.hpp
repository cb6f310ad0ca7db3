// SQLite's interface, as far as the store needs it: what fails throws ConfigError with the file's
// name, what is opened is closed.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

class Database {
 public:
  enum class Use : std::uint8_t { kWrite, kRead };

  // A file that is there. `where` is what complaints are about. To read, nothing need be writable:
  // neither the file nor its folder, where SQLite keeps a log and an index of it.
  Database(const std::filesystem::path& file, const Where& where, Use use = Use::kWrite);

  void run(const std::string& sql);

  [[nodiscard]] std::int64_t number(const std::string& sql);

  [[nodiscard]] sqlite3* get() const { return database_.get(); }

  // For what SQLite said last.
  [[noreturn]] void fail() const;
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  std::string file_;
  Where where_;
  std::unique_ptr<sqlite3, Close> database_;
};

// A statement that may be run again with other values.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);

  // The next value, in the order of the question marks.
  Statement& with(double value);
  Statement& with(std::int64_t value);
  Statement& with(const std::string& value);
  Statement& with_nothing();

  // Whether there is another row; at the end it may be run again.
  bool next();

  [[nodiscard]] bool is_nothing(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void check(int code);

  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

}  // namespace cairn::explore
