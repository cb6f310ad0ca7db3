// Finished trials in a file (SQLite, write-ahead log), one transaction each: a killed run loses
// only unfinished trials, and other processes may read while one writes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/explore/identity.hpp"
#include "cairn/explore/trial.hpp"

namespace cairn::explore {

// Totals of a finished search.
struct StoredEnd {
  std::size_t asked = 0;   // designs proposed, repetitions included
  std::size_t pruned = 0;  // points ruled out by their lower bound
};

// Everything below throws ConfigError at `where` for a file that cannot be read or written, is
// damaged, or is not a store.
class Store {
 public:
  // Creates a store; rejects an existing file.
  static Store create(const std::filesystem::path& file,
                      const Identity& identity,
                      const Where& where);
  // Continues a store; rejects a file that does not exist, that another process writes to, or that
  // has another search or version. A file that a killed run had just created is initialized.
  static Store resume(const std::filesystem::path& file,
                      const Identity& identity,
                      const Where& where);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Number of trials when it was opened.
  [[nodiscard]] std::size_t known() const;

  // The finding for a point; nullptr: not stored when it was opened.
  [[nodiscard]] const Finding* find(const search::Point& point) const;

  // `number`: position in the order proposed. The trial is committed when this returns.
  void add(std::size_t number, const DesignTrial& trial, const std::string& settings);

  // Adds this process's run time in seconds; `end` if the algorithm has finished.
  void spent(double seconds, const std::optional<StoredEnd>& end);

 private:
  struct Open;
  explicit Store(std::unique_ptr<Open> open);

  std::unique_ptr<Open> open_;
};

struct Stored {
  Identity identity{};
  std::vector<DesignTrial> trials{};  // in the order proposed
  double seconds = 0.0;
  std::optional<StoredEnd> end{};  // none: the search has not finished
};

// Reads a store, while another process may be writing to it. Rejects figures that are negative or
// not numbers.
Stored read_store(const std::filesystem::path& file, const Where& where);

// Rejects points outside `space`, the space of the store's search.
void check_points(const Stored& stored,
                  const search::Space& space,
                  const std::filesystem::path& file,
                  const Where& where);

}  // namespace cairn::explore
