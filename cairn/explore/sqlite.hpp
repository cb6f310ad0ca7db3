// RAII wrapper of the SQLite functions that the store uses. Failures throw ConfigError with the
// file's name.
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

  // Opens an existing file. Errors name `where`. Reading needs no write permission, neither for the
  // file nor for its folder, where SQLite keeps a log and its index.
  Database(const std::filesystem::path& file, const Where& where, Use use = Use::kWrite);

  void run(const std::string& sql);

  [[nodiscard]] std::int64_t number(const std::string& sql);

  [[nodiscard]] sqlite3* get() const { return database_.get(); }

  // Throws for SQLite's last error.
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

// Removes a database with its log, index and journal, as far as that is possible.
void remove_database(const std::filesystem::path& file);

// A statement that can be run again with other values.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);

  // Binds the next value, in the order of the question marks.
  Statement& with(double value);
  Statement& with(std::int64_t value);
  Statement& with(const std::string& value);
  Statement& with_null();

  // True if there is another row; resets the statement at the end.
  bool next();

  [[nodiscard]] bool is_null(int column) const;
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
