// Finished trials in a file (SQLite, write-ahead log), each in a transaction of its own: a run that
// is killed loses what it had not finished, and others may read while one writes.
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

// What is said of a search that has ended.
struct StoredEnd {
  std::size_t asked = 0;   // by the algorithm, also again
  std::size_t pruned = 0;  // not evaluated, as they cannot be the best
};

// Everything below throws ConfigError at `where` for a file that cannot be read or written, is
// damaged, or holds something else.
class Store {
 public:
  // A new one: refuses a file that is there.
  static Store create(const std::filesystem::path& file,
                      const Identity& identity,
                      const Where& where);
  // Goes on with one: refuses a file that is not there, that another process writes to, or that
  // holds another search or one of another version. A file that a killed run had only just made is
  // begun.
  static Store resume(const std::filesystem::path& file,
                      const Identity& identity,
                      const Where& where);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // How many trials there were when it was opened.
  [[nodiscard]] std::size_t known() const;

  // What came of a point; nullptr: not known when it was opened.
  [[nodiscard]] const Finding* find(const search::Point& point) const;

  // `number`: in the order in which trials were asked for. It is there for good when this returns.
  void add(std::size_t number, const DesignTrial& trial, const std::string& settings);

  // Seconds that this process took; the end, if the algorithm has ended.
  void spent(double seconds, const std::optional<StoredEnd>& end);

 private:
  struct Open;
  explicit Store(std::unique_ptr<Open> open);

  std::unique_ptr<Open> open_;
};

struct Stored {
  Identity identity{};
  std::vector<DesignTrial> trials{};  // in the order in which they were asked for
  double seconds = 0.0;
  std::optional<StoredEnd> end{};  // none: the search has not ended
};

// What a store holds now; another process may be writing to it. Refuses figures that no search
// finds: negative ones, and what is not a number.
Stored read_store(const std::filesystem::path& file, const Where& where);

// Refuses points that are not of this space, which is that of the store's search.
void check_points(const Stored& stored,
                  const search::Space& space,
                  const std::filesystem::path& file,
                  const Where& where);

}  // namespace cairn::explore
