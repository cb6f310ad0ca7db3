#include "cairn/explore/store.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <system_error>
#include <utility>

#include "cairn/base/count_text.hpp"
#include "cairn/explore/sqlite.hpp"
#include "cairn/explore/trial_table.hpp"
#include "cairn/explore/writer_lock.hpp"

namespace cairn::explore {

namespace {

constexpr std::int64_t kLayout = 3;

// Keys of `meta`, besides the parts of the identity.
constexpr const char* kAsked = "asked";
constexpr const char* kPruned = "pruned";
constexpr const char* kSeconds = "seconds";
constexpr double kMaxCounted = 1e18;  // fits a std::size_t

bool is_empty(Database& database) {
  return database.number("SELECT count(*) FROM sqlite_master") == 0;
}

void begin(Database& database, const Identity& identity) {
  database.run("BEGIN IMMEDIATE");
  database.run(
      fmt::format("PRAGMA user_version = {};"
                  "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL)",
                  kLayout));
  create_trial_table(database);
  Statement insert(database, "INSERT INTO meta VALUES(?, ?)");
  for (const IdentityPart& part : identity) {
    insert.with(part.key).with(part.text).next();
  }
  database.run("COMMIT");
}

void check_is_store(Database& database) {
  if (database.number("PRAGMA application_id") != kApplicationId || is_empty(database)) {
    database.fail("is not a store of trials, but some other database");
  }
  if (database.number("PRAGMA user_version") != kLayout) {
    database.fail("is a store of another version of cairn (run the search again)");
  }
  Statement check(database, "PRAGMA quick_check(1)");
  if (!check.next() || check.text(0) != "ok") {
    database.fail("is damaged: " + in_quotes(check.text(0)));
  }
}

std::map<std::string, std::string> read_meta(Database& database) {
  std::map<std::string, std::string> meta;
  Statement select(database, "SELECT key, value FROM meta");
  while (select.next()) {
    meta[select.text(0)] = select.text(1);
  }
  return meta;
}

Identity identity_in(const std::map<std::string, std::string>& meta) {
  Identity identity;
  for (const auto& [key, value] : meta) {
    if (key != kAsked && key != kPruned && key != kSeconds) {
      identity.push_back({key, value});
    }
  }
  return identity;
}

// 0 if absent.
double number_in(const std::map<std::string, std::string>& meta,
                 const char* key,
                 const Database& database) {
  const auto found = meta.find(key);
  if (found == meta.end()) {
    return 0.0;
  }
  double number = 0.0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0.0) ||
      number > kMaxCounted) {
    database.fail(
        fmt::format("is damaged: {} is {} (must be a number of at least 0)", key, in_quotes(text)));
  }
  return number;
}

}  // namespace

struct Store::Open {
  Open(std::unique_ptr<WriterLock> locked, const std::filesystem::path& file, const Where& where)
      : lock(std::move(locked)), database(file, where) {}

  // Marks the file's header as a store before a log is created.
  void begin_file(const Identity& identity) {
    database.run(fmt::format("PRAGMA application_id = {}", kApplicationId));
    write_ahead();
    begin(database, identity);
  }

  // Written to the log when a trial ends, synced to disk at checkpoints: trials survive a crash of
  // the process; a power failure loses the last trials, not the file.
  void write_ahead() { database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"); }

  void prepare() { writer = std::make_unique<TrialWriter>(database); }

  std::unique_ptr<WriterLock> lock;
  Database database;
  std::unique_ptr<TrialWriter> writer{};
  std::map<search::Point, Finding> known{};
  double seconds_before = 0.0;
};

Store::Store(std::unique_ptr<Open> open) : open_(std::move(open)) {}

Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::create(const std::filesystem::path& file,
                    const Identity& identity,
                    const Where& where) {
  auto lock = std::make_unique<WriterLock>(file, WriterLock::Open::kNew, where);
  try {
    auto open = std::make_unique<Open>(std::move(lock), file, where);
    open->begin_file(identity);
    open->prepare();
    return Store(std::move(open));
  } catch (...) {
    remove_database(file);  // created here, and empty
    throw;
  }
}

Store Store::resume(const std::filesystem::path& file,
                    const Identity& identity,
                    const Where& where) {
  auto open = std::make_unique<Open>(
      std::make_unique<WriterLock>(file, WriterLock::Open::kExisting, where), file, where);
  if (is_empty(open->database)) {
    open->begin_file(identity);
  }
  check_is_store(open->database);
  const auto meta = read_meta(open->database);
  if (const auto other = difference(identity_in(meta), identity)) {
    open->database.fail(
        other->key == "version"
            ? fmt::format("is of version {}, which may give other results", in_quotes(other->text))
            : fmt::format("is of another search: {} was {}",
                          in_quotes(other->key),
                          other->text.empty() ? "absent" : in_quotes(other->text)));
  }
  open->write_ahead();
  for (DesignTrial& trial : read_trials(open->database)) {
    open->known.emplace(std::move(trial.point), std::move(trial.finding));
  }
  open->seconds_before = number_in(meta, kSeconds, open->database);
  open->prepare();
  return Store(std::move(open));
}

std::size_t Store::known() const {
  return open_->known.size();
}

const Finding* Store::find(const search::Point& point) const {
  const auto found = open_->known.find(point);
  return found == open_->known.end() ? nullptr : &found->second;
}

void Store::add(std::size_t number, const DesignTrial& trial, const std::string& settings) {
  open_->writer->add(number, trial, settings);
}

void Store::spent(double seconds, const std::optional<StoredEnd>& end) {
  Statement replace(open_->database, "INSERT OR REPLACE INTO meta VALUES(?, ?)");
  replace.with(std::string(kSeconds)).with(fmt::format("{}", open_->seconds_before + seconds));
  replace.next();
  if (end) {
    replace.with(std::string(kAsked)).with(fmt::format("{}", end->asked)).next();
    replace.with(std::string(kPruned)).with(fmt::format("{}", end->pruned)).next();
  }
}

Stored read_store(const std::filesystem::path& file, const Where& where) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) {
    throw ConfigError(where, in_quotes(file.string()) + " does not exist");
  }
  Database database(file, where, Database::Use::kRead);
  database.run("BEGIN");  // one snapshot for all reads
  check_is_store(database);
  const auto meta = read_meta(database);
  Stored stored{.identity = identity_in(meta),
                .trials = read_trials(database),
                .seconds = number_in(meta, kSeconds, database)};
  if (meta.contains(kAsked)) {
    stored.end = StoredEnd{.asked = static_cast<std::size_t>(number_in(meta, kAsked, database)),
                           .pruned = static_cast<std::size_t>(number_in(meta, kPruned, database))};
  }
  return stored;
}

void check_points(const Stored& stored,
                  const search::Space& space,
                  const std::filesystem::path& file,
                  const Where& where) {
  for (const DesignTrial& trial : stored.trials) {
    if (!space.contains(trial.point)) {
      throw ConfigError(where,
                        fmt::format("{} is damaged: a trial has the point {} (must be {} within "
                                    "the bounds of the search)",
                                    in_quotes(file.string()),
                                    in_quotes(point_text(trial.point)),
                                    count_text(space.axes.size(), "number", "numbers")));
    }
  }
}

}  // namespace cairn::explore
