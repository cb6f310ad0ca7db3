#include "cairn/explore/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "cairn/explore/sqlite.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::explore {

namespace {

constexpr std::int64_t kApplication = 0x43524E53;  // "CRNS", in the file's header
constexpr std::int64_t kLayout = 2;

// Of `meta`, beside the parts of the identity.
constexpr const char* kAsked = "asked";
constexpr const char* kPruned = "pruned";
constexpr const char* kSeconds = "seconds";
constexpr double kMostCounted = 1e18;  // fits a std::size_t

// Numbers that read back as they were: fmt writes as many digits as that takes.
std::string point_text(const search::Point& point) {
  return fmt::format("{}", fmt::join(point, " "));
}

void remove_with_side_files(const std::filesystem::path& file) {
  std::error_code ignored;  // what cannot be removed stays
  std::filesystem::remove(file, ignored);
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {  // SQLite's
    std::filesystem::remove(file.string() + suffix, ignored);
  }
}

// The file, and that nobody else writes to it: one byte of it, far behind what SQLite ever locks,
// is locked as long as the file is open; a process that is killed leaves no lock.
class WriterLock {
 public:
  WriterLock(const std::filesystem::path& file, int flags, const Where& where)
      : descriptor_(::open(file.c_str(), flags | O_RDWR | O_CLOEXEC, 0666)) {
    const auto fail = [&](const std::string& problem) {
      throw ConfigError(where, in_quotes(file.string()) + " " + problem);
    };
    if (descriptor_ < 0 && errno == EEXIST) {
      fail("is there already (expected --resume, to go on with it, or another name)");
    }
    if (descriptor_ < 0 && errno == ENOENT && (flags & O_CREAT) == 0) {
      fail("is not there (--resume goes on with a store that an earlier run began)");
    }
    if (descriptor_ < 0) {
      fail("cannot be written: " + std::generic_category().message(errno));
    }
    struct flock byte{};
    byte.l_type = F_WRLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = off_t{1} << 62;
    byte.l_len = 1;
    if (::fcntl(descriptor_, F_OFD_SETLK, &byte) != 0) {
      const int error = errno;
      ::close(descriptor_);
      if (error == EAGAIN || error == EACCES) {
        fail("is being written to by another search");
      }
      if ((flags & O_EXCL) != 0) {
        remove_with_side_files(file);
      }
      fail("cannot be locked: " + std::generic_category().message(error));
    }
    if (!holds_store_or_nothing()) {
      ::close(descriptor_);
      fail("is not a store of trials, but something else");
    }
  }

  ~WriterLock() { ::close(descriptor_); }

  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  // Whether the file is empty, or a database that says it is ours. SQLite is not asked: by opening
  // a database it may change it.
  [[nodiscard]] bool holds_store_or_nothing() const {
    // https://www.sqlite.org/fileformat.html: a header of 100 bytes, the application's number
    // at 68.
    std::array<unsigned char, 100> header{};
    const auto got = ::pread(descriptor_, header.data(), header.size(), 0);
    if (got == 0) {
      return true;
    }
    std::int64_t application = 0;
    for (std::size_t i = 68; i < 72; ++i) {
      application = application * 256 + header[i];
    }
    constexpr std::string_view kMagic("SQLite format 3", 16);  // with the 0 at its end
    return got == static_cast<ssize_t>(header.size()) &&
           std::equal(kMagic.begin(), kMagic.end(), header.begin()) && application == kApplication;
  }

  int descriptor_;
};

bool is_empty(Database& database) {
  return database.number("SELECT count(*) FROM sqlite_master") == 0;
}

void begin(Database& database, const Identity& identity) {
  std::string columns;
  for (const Metric& metric : metrics()) {
    columns += key_of(metric) + " REAL, ";
  }
  database.run("BEGIN IMMEDIATE");
  database.run(fmt::format(
      "PRAGMA user_version = {};"
      "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
      "CREATE TABLE trials(number INTEGER PRIMARY KEY, point TEXT NOT NULL, "
      "settings TEXT NOT NULL, {}bound_by TEXT, lacks TEXT, detail TEXT, missed_by REAL)",
      kLayout,
      columns));
  Statement insert(database, "INSERT INTO meta VALUES(?, ?)");
  for (const IdentityPart& part : identity) {
    insert.with(part.key).with(part.text).next();
  }
  database.run("COMMIT");
}

void check_is_store(Database& database) {
  if (database.number("PRAGMA application_id") != kApplication || is_empty(database)) {
    database.fail("is not a store of trials, but some other database");
  }
  if (database.number("PRAGMA user_version") != kLayout) {
    database.fail("is a store of another version of cairn");
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

// Rows of `trials`. What no search writes is refused: taken as it is, it may be the best.
class TrialReader {
 public:
  explicit TrialReader(Database& database)
      : database_(database),
        select_(database,
                "SELECT number, point, bound_by, lacks, detail, missed_by" + metric_columns() +
                    " FROM trials ORDER BY number") {}

  std::vector<DesignTrial> all() {
    std::vector<DesignTrial> trials;
    while (select_.next()) {
      DesignTrial trial{.point = point()};
      if (select_.is_nothing(kLacks)) {
        int column = kFirstMetric;
        for (const Metric& metric : metrics()) {
          trial.finding.figures.push_back(amount(column++, key_of(metric)));
        }
        trial.finding.bound_by = select_.text(kBoundBy);
      } else {
        trial.finding.reason = lacking(select_.text(kLacks));
        trial.finding.reason.detail = select_.text(kDetail);
        trial.finding.reason.missed_by = amount(kMissedBy, "missed_by");
      }
      if (!trial.finished()) {
        fail("lacks is empty (must be NULL, or name a limit)");
      }
      trials.push_back(std::move(trial));
    }
    return trials;
  }

 private:
  enum Column : std::uint8_t {
    kNumber,
    kPoint,
    kBoundBy,
    kLacks,
    kDetail,
    kMissedBy,
    kFirstMetric
  };

  static std::string metric_columns() {
    std::string columns;
    for (const Metric& metric : metrics()) {
      columns += ", " + key_of(metric);
    }
    return columns;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    database_.fail(fmt::format("is damaged: trial {}: {}; delete this row to go on without it",
                               select_.whole(kNumber),
                               problem));
  }

  [[nodiscard]] search::Point point() const {
    const std::string text = select_.text(kPoint);
    search::Point point;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (at < end) {
      const auto [next, error] = std::from_chars(at, end, point.emplace_back());
      if (error != std::errc()) {
        fail("point is " + in_quotes(text) + " (must be one number per axis)");
      }
      at = next == end ? end : next + 1;
    }
    return point;
  }

  // A figure in SI units, infinite where it is unknown. SQLite stores NaN as NULL.
  [[nodiscard]] double amount(int column, const std::string& key) const {
    if (!select_.is_number(column)) {
      fail(fmt::format("{} is {} (must be a number)",
                       key,
                       select_.is_nothing(column) ? "NULL" : in_quotes(select_.text(column))));
    }
    const double value = select_.real(column);
    if (!(value >= 0.0)) {
      fail(fmt::format("{} is {} (must not be negative)", key, value));
    }
    return value;
  }

  Database& database_;
  Statement select_;
};

std::string insertion() {
  std::string marks = "INSERT INTO trials VALUES(?, ?, ?, ";
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    marks += "?, ";
  }
  return marks + "?, ?, ?, ?)";
}

// 0 where it is not there.
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
      number > kMostCounted) {
    database.fail(
        fmt::format("is damaged: {} is {} (must be a number of at least 0)", key, in_quotes(text)));
  }
  return number;
}

}  // namespace

struct Store::Open {
  Open(std::unique_ptr<WriterLock> locked, const std::filesystem::path& file, const Where& where)
      : lock(std::move(locked)), database(file, where) {}

  // A file whose header says that it is a store, before there is a log beside it.
  void begin_file(const Identity& identity) {
    database.run(fmt::format("PRAGMA application_id = {}", kApplication));
    write_ahead();
    begin(database, identity);
  }

  // Written to the log when a trial ends, to the disk when the log is folded in: what a process has
  // written survives it, and a power failure loses the last trials, not the file.
  void write_ahead() { database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"); }

  void prepare() { insert = std::make_unique<Statement>(database, insertion()); }

  std::unique_ptr<WriterLock> lock;
  Database database;
  std::unique_ptr<Statement> insert{};
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
  auto lock = std::make_unique<WriterLock>(file, O_CREAT | O_EXCL, where);
  try {
    auto open = std::make_unique<Open>(std::move(lock), file, where);
    open->begin_file(identity);
    open->prepare();
    return Store(std::move(open));
  } catch (...) {
    remove_with_side_files(file);  // it was made here, and nothing is in it
    throw;
  }
}

Store Store::resume(const std::filesystem::path& file,
                    const Identity& identity,
                    const Where& where) {
  auto open = std::make_unique<Open>(std::make_unique<WriterLock>(file, 0, where), file, where);
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
                          other->text.empty() ? "not there" : in_quotes(other->text)));
  }
  open->write_ahead();
  for (DesignTrial& trial : TrialReader(open->database).all()) {
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
  Statement& insert = *open_->insert;
  insert.with(static_cast<std::int64_t>(number)).with(point_text(trial.point)).with(settings);
  const Finding& finding = trial.finding;
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    if (finding.figures.empty()) {
      insert.with_nothing();
    } else {
      insert.with(finding.figures[m]);
    }
  }
  if (finding.figures.empty()) {
    const Infeasible& reason = finding.reason;
    insert.with_nothing().with(reason.limit()).with(reason.detail).with(reason.missed_by);
  } else {
    insert.with(finding.bound_by).with_nothing().with_nothing().with_nothing();
  }
  insert.next();
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
    throw ConfigError(where, in_quotes(file.string()) + " is not there");
  }
  Database database(file, where, Database::Use::kRead);
  database.run("BEGIN");  // all that follows sees the same
  check_is_store(database);
  const auto meta = read_meta(database);
  Stored stored{.identity = identity_in(meta),
                .trials = TrialReader(database).all(),
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
                                    report::count(space.axes.size(), "number", "numbers")));
    }
  }
}

}  // namespace cairn::explore
