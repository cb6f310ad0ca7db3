#include "cairn/explore/writer_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "cairn/explore/test_support/temporary_folder.hpp"

namespace cairn::explore {
namespace {

using testing::HasSubstr;
using Open = WriterLock::Open;

class WriterLockTest : public testing::Test {
 protected:
  // The message of the ConfigError; empty: none.
  [[nodiscard]] std::string complaint(Open open) const {
    try {
      const WriterLock lock(file_, open, where_);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_{};
  std::filesystem::path file_ = folder_.path() / "store.db";
  Where where_{.file = "", .line = 0, .key = "--store"};
};

TEST_F(WriterLockTest, IsHeldByOneUntilDestroyed) {
  {
    const WriterLock lock(file_, Open::kNew, where_);
    EXPECT_THAT(complaint(Open::kExisting), HasSubstr("is in use by another search"));
  }
  EXPECT_EQ(complaint(Open::kExisting), "");
}

TEST_F(WriterLockTest, OfANewFileRejectsAnExistingOne) {
  std::ofstream(file_).close();

  EXPECT_THAT(complaint(Open::kNew), HasSubstr("exists already (use --resume"));
}

TEST_F(WriterLockTest, OfAnExistingFileCreatesNone) {
  EXPECT_THAT(complaint(Open::kExisting), HasSubstr("does not exist (--resume"));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

// https://www.sqlite.org/fileformat.html: the application id is at byte 68, most significant first.
TEST_F(WriterLockTest, RecognizesStoresByTheirHeader) {
  std::string header(100, '\0');
  header.replace(0, 15, "SQLite format 3");
  std::ofstream(file_, std::ios::binary) << header;
  EXPECT_THAT(complaint(Open::kExisting), HasSubstr("is not a store of trials"));

  header.replace(68, 4, "CRNS");
  std::ofstream(file_, std::ios::binary) << header;
  EXPECT_EQ(complaint(Open::kExisting), "");

  std::ofstream(file_, std::ios::binary) << header.substr(0, 99);
  EXPECT_THAT(complaint(Open::kExisting), HasSubstr("is not a store of trials"));
}

}  // namespace
}  // namespace cairn::explore
