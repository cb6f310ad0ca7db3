#include "cairn/explore/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "cairn/explore/sqlite.hpp"
#include "cairn/explore/test_support/temporary_folder.hpp"

namespace cairn::explore {
namespace {

using testing::HasSubstr;

class StoreTest : public testing::Test {
 protected:
  // The message of the ConfigError; empty: none.
  template <class Do>
  static std::string complaint(const Do& act) {
    try {
      act();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_{};
  std::filesystem::path file_ = folder_.path() / "store.db";
  Where where_{.file = "", .line = 0, .key = "--store"};
  Identity identity_{{"version", "1"}, {"vary", "{strategy.batch: [1, 2]}"}};
};

DesignTrial possible(search::Point point) {
  DesignTrial trial{.point = std::move(point)};
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    trial.finding.figures.push_back(0.1 / static_cast<double>(m + 3));
  }
  trial.finding.figures.back() = std::numeric_limits<double>::infinity();
  trial.finding.bound = {explain::BoundKind::kMemory, "memory (HBM)", "HBM"};
  return trial;
}

TEST_F(StoreTest, ReturnsStoredTrials) {
  const double odd = 1.0 / 3.0;
  const DesignTrial good = possible({odd, 5e-324, -0.0, 1e300});
  const DesignTrial bad{
      .point = {1.0, 2.0, 3.0, 4.0},
      .finding = {.reason = {Lack::kDeviceMemory, "2 GB \"more\"\nthan 'there' is", odd}}};
  {
    Store store = Store::create(file_, identity_, where_);
    store.add(1, bad, "b");
    store.add(0, good, "a");
    store.spent(2.5, StoredEnd{.asked = 7, .pruned = 3});
  }

  const Stored stored = read_store(file_, where_);
  const Store again = Store::resume(file_, identity_, where_);

  ASSERT_EQ(stored.trials.size(), 2U);
  EXPECT_EQ(stored.trials[0].point, good.point);
  EXPECT_EQ(stored.trials[0].finding.figures, good.finding.figures);
  EXPECT_EQ(stored.trials[0].finding.bound, good.finding.bound);
  EXPECT_TRUE(stored.trials[1].finding.figures.empty());
  EXPECT_EQ(stored.trials[1].finding.reason.lack, bad.finding.reason.lack);
  EXPECT_EQ(stored.trials[1].finding.reason.detail, bad.finding.reason.detail);
  EXPECT_EQ(stored.trials[1].finding.reason.constraint_violation, odd);
  ASSERT_TRUE(stored.end);
  EXPECT_EQ(stored.end->asked, 7U);
  EXPECT_EQ(stored.end->pruned, 3U);
  EXPECT_EQ(stored.seconds, 2.5);
  EXPECT_EQ(again.known(), 2U);
  ASSERT_NE(again.find(good.point), nullptr);
  EXPECT_EQ(again.find(good.point)->figures, good.finding.figures);
  EXPECT_EQ(again.find({0.0, 0.0, 0.0, 0.0}), nullptr);
}

TEST_F(StoreTest, CanBeReadWhileWritten) {
  Store store = Store::create(file_, identity_, where_);
  for (std::size_t n = 0; n < 3; ++n) {
    store.add(n, possible({static_cast<double>(n)}), "");
    EXPECT_EQ(read_store(file_, where_).trials.size(), n + 1);
    EXPECT_FALSE(read_store(file_, where_).end);
  }
}

TEST_F(StoreTest, RejectsInvalidTrialsWhenReadAndResumed) {
  {
    Store::create(file_, identity_, where_).add(0, possible({1.0}), "");
  }
  Database(file_, where_).run("UPDATE trials SET step_time_s = -1");

  for (const std::string& message : {complaint([&] { read_store(file_, where_); }),
                                     complaint([&] { Store::resume(file_, identity_, where_); })}) {
    EXPECT_THAT(message, HasSubstr("is damaged: trial 0: step_time_s is -1"));
  }
}

TEST_F(StoreTest, RejectsPointsOutsideTheSpace) {
  search::Space space;
  space.axes = {search::Axis::choice("a", 3), {.name = "b", .low = 0.5, .high = 2.0}};
  const auto complaint_of = [&](const search::Point& point) {
    const Stored stored{.trials = {possible(point)}};
    return complaint([&] { check_points(stored, space, "trials.db", where_); });
  };

  EXPECT_EQ(complaint_of({2.0, 0.5}), "");
  for (const search::Point& point : {search::Point{},
                                     {1.0},
                                     {1.0, 1.0, 1.0},
                                     {3.0, 1.0},
                                     {-1.0, 1.0},
                                     {0.5, 1.0},
                                     {1.0, 2.5},
                                     {1.0, std::numeric_limits<double>::quiet_NaN()}}) {
    EXPECT_THAT(complaint_of(point), HasSubstr("\"trials.db\" is damaged: a trial has the point"));
  }
}

TEST_F(StoreTest, HasOneWriter) {
  const Store store = Store::create(file_, identity_, where_);

  const auto message = complaint([&] { Store::resume(file_, identity_, where_); });

  EXPECT_NE(message.find("another search"), std::string::npos) << message;
}

TEST_F(StoreTest, IsNotOverwritten) {
  {
    Store::create(file_, identity_, where_).add(0, possible({1.0}), "");
  }

  const auto message = complaint([&] { Store::create(file_, identity_, where_); });

  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
  EXPECT_EQ(read_store(file_, where_).trials.size(), 1U);
}

TEST_F(StoreTest, RejectsAnotherSearchOrVersionAndNamesTheDifference) {
  {
    Store::create(file_, identity_, where_).add(0, possible({1.0}), "");
  }
  Identity version = identity_;
  version[0].text = "2";
  Identity space = identity_;
  space[1].text = "{strategy.batch: [1, 3]}";
  Identity more = identity_;
  more.push_back({"limits", "{memory: 1 GB}"});

  const auto of_version = complaint([&] { Store::resume(file_, version, where_); });
  const auto of_space = complaint([&] { Store::resume(file_, space, where_); });
  const auto of_limits = complaint([&] { Store::resume(file_, more, where_); });

  EXPECT_NE(of_version.find("version \"1\""), std::string::npos) << of_version;
  EXPECT_NE(of_space.find("\"vary\" was"), std::string::npos) << of_space;
  EXPECT_NE(of_limits.find("\"limits\""), std::string::npos) << of_limits;
  EXPECT_EQ(read_store(file_, where_).trials.size(), 1U);
}

TEST_F(StoreTest, InitializesAnEmptyFileOfAKilledRun) {
  std::ofstream(file_).close();

  Store::resume(file_, identity_, where_).add(0, possible({1.0}), "");

  EXPECT_EQ(read_store(file_, where_).trials.size(), 1U);
}

TEST_F(StoreTest, RejectsAndKeepsOtherFiles) {
  const std::string text(5000, 'x');
  std::ofstream(file_) << text;

  EXPECT_NE(complaint([&] { read_store(file_, where_); }).find("not a store"), std::string::npos);
  EXPECT_NE(complaint([&] { Store::resume(file_, identity_, where_); }).find("not a store"),
            std::string::npos);
  std::ostringstream kept;
  kept << std::ifstream(file_).rdbuf();
  EXPECT_EQ(kept.str(), text);
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

TEST_F(StoreTest, RejectsOtherDatabasesWithoutChangingAByte) {
  for (const char* content : {"CREATE TABLE t(x)", "PRAGMA user_version = 7"}) {
    std::filesystem::remove(file_);
    std::ofstream(file_).close();
    Database(file_, where_).run(content);
    const std::string before = bytes_of(file_);
    ASSERT_FALSE(before.empty());

    const auto message = complaint([&] { Store::resume(file_, identity_, where_); });

    EXPECT_NE(message.find("not a store"), std::string::npos) << message;
    EXPECT_EQ(bytes_of(file_), before) << content;
  }
}

// Without write permission, although SQLite would keep a log and its index beside the file.
TEST_F(StoreTest, CanBeReadWithoutWritePermission) {
  file_ = folder_.path() / "50% #1? store.db";
  {
    Store::create(file_, identity_, where_).add(0, possible({1.0}), "");
  }
  std::filesystem::permissions(file_, std::filesystem::perms(0444));
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  const bool is_root = ::geteuid() == 0;  // root may write anyway
  constexpr uid_t kNobody = 65534;
  if (is_root) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }

  std::size_t trials = 0;
  const auto message = complaint([&] { trials = read_store(file_, where_).trials.size(); });

  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  EXPECT_EQ(message, "");
  EXPECT_EQ(trials, 1U);
}

TEST_F(StoreTest, RejectsADamagedFile) {
  {
    Store store = Store::create(file_, identity_, where_);
    for (std::size_t n = 0; n < 200; ++n) {
      store.add(n, possible({static_cast<double>(n)}), "some setting");
    }
  }
  std::fstream(file_, std::ios::in | std::ios::out | std::ios::binary).seekp(4096 * 3)
      << std::string(8192, '\x5a');

  const auto message = complaint([&] { read_store(file_, where_); });

  EXPECT_NE(message.find("damaged"), std::string::npos) << message;
}

TEST_F(StoreTest, IsNotCreatedByResumeOrRead) {
  EXPECT_NE(complaint([&] { Store::resume(file_, identity_, where_); }).find("does not exist"),
            std::string::npos);
  EXPECT_NE(complaint([&] { read_store(file_, where_); }).find("does not exist"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace cairn::explore
