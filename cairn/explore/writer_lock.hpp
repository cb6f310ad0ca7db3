// Exclusive write access to the file of a store, taken before SQLite opens it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

// SQLite's application id in the header of each store: "CRNS".
inline constexpr std::int64_t kApplicationId = 0x43524E53;

// Held until destroyed; a killed process leaves no lock.
class WriterLock {
 public:
  enum class Open : std::uint8_t { kNew, kExisting };

  // kNew creates the file and rejects an existing one; kExisting rejects a missing one. Rejects a
  // file that another WriterLock holds, and one that is neither empty nor a store, without changing
  // it. Throws ConfigError at `where`.
  WriterLock(const std::filesystem::path& file, Open open, const Where& where);
  ~WriterLock();

  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  // True if the file is empty, or a database with our application id.
  [[nodiscard]] bool holds_store_or_nothing() const;

  int descriptor_;
};

}  // namespace cairn::explore
