#include "cairn/report/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace cairn::report {
namespace {

namespace fs = std::filesystem;

const Where kFlag{.file = "", .line = 0, .key = "--trace"};

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-atomic-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }

  void TearDown() override { fs::remove_all(folder); }

  [[nodiscard]] long entries() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  fs::path folder;
};

TEST_F(AtomicFile, ReplacesAnExistingFile) {
  const fs::path file = folder / "t.json";
  std::ofstream(file) << "old";

  write_atomically(file, kFlag, [](std::ostream& out) { out << "new"; });

  EXPECT_EQ(content(file), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, KeepsTheOldFileIfWritingFails) {
  const fs::path file = folder / "t.json";
  std::ofstream(file) << "old";

  EXPECT_THROW(write_atomically(file, kFlag, [](std::ostream&) { throw Bug("half way"); }), Bug);

  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, WritesThroughASymbolicLink) {
  const fs::path file = folder / "t.json";
  std::ofstream(file) << "old";
  fs::create_symlink(file, folder / "link");

  write_atomically(folder / "link", kFlag, [](std::ostream& out) { out << "new"; });

  EXPECT_EQ(content(file), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST_F(AtomicFile, FollowsASymbolicLinkToAMissingFile) {
  fs::create_directory(folder / "inner");
  fs::create_symlink("inner/t.json", folder / "link");
  fs::create_symlink("link", folder / "link of link");

  const OutputFile file(folder / "link of link", kFlag);
  EXPECT_FALSE(fs::exists(folder / "inner" / "t.json"));
  file.write([](std::ostream& out) { out << "new"; });

  EXPECT_EQ(content(folder / "inner" / "t.json"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link of link"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST_F(AtomicFile, RejectsAndKeepsBrokenSymbolicLinks) {
  fs::create_symlink("missing/t.json", folder / "lost");
  fs::create_symlink("loop", folder / "loop");
  for (const auto& [name, why] :
       {std::pair("lost", "No such file"), std::pair("loop", "levels of")}) {
    try {
      write_atomically(folder / name, kFlag, [](std::ostream& out) { out << "text"; });
      ADD_FAILURE() << name << " was written";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
    }
    EXPECT_TRUE(fs::is_symlink(folder / name));
    EXPECT_THROW(OutputFile(folder / name, kFlag), ConfigError);
  }
  EXPECT_EQ(entries(), 2);
}

// Calls after the failing write do not change the error.
TEST_F(AtomicFile, ReportsTheFirstError) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 22U}) {
    try {
      write_atomically("/dev/full", kFlag, [&](std::ostream& out) {
        out << std::string(size, 'x') << "end";
        errno = 0;
      });
      ADD_FAILURE() << "a full device was written to";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
    }
  }
}

TEST_F(AtomicFile, HasAllBytesInOrder) {
  std::string text;
  for (int i = 0; i < 100000; ++i) {
    text += std::to_string(i) + "\n";
  }
  write_atomically(folder / "t", kFlag, [&](std::ostream& out) {
    out << text << 'x';
    out.flush();
    out << text;
  });
  EXPECT_EQ(content(folder / "t"), text + "x" + text);
}

TEST_F(AtomicFile, NamesTheFlagWhenItCannotWrite) {
  for (const fs::path& file :
       {fs::path(), folder, folder / "", folder / "missing" / "t.json", fs::path("/dev/full")}) {
    try {
      write_atomically(file, kFlag, [](std::ostream& out) { out << "text"; });
      ADD_FAILURE() << file << " was written";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("--trace: "));
    }
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(AtomicFile, ChecksBeforehandWithoutLeavingFiles) {
  for (const fs::path& file : {fs::path(), folder, folder / "", folder / "missing" / "t.json"}) {
    EXPECT_THROW(OutputFile(file, kFlag), ConfigError) << file;
  }
  const OutputFile fresh(folder / "t.json", kFlag);
  const OutputFile device("/dev/null", kFlag);
  EXPECT_EQ(entries(), 0);

  std::ofstream(folder / "old.json") << "old";
  const OutputFile old(folder / "old.json", kFlag);
  EXPECT_EQ(content(folder / "old.json"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, RejectsAPipeWithoutReaderAtOnce) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  try {
    const OutputFile file(pipe, kFlag);
    ADD_FAILURE() << "a pipe without a reader was opened";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("--trace: "));
    EXPECT_THAT(error.what(), testing::HasSubstr("a pipe without a reader"));
  }
}

TEST_F(AtomicFile, WritesAllBytesToAPipe) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_EQ(::fcntl(reader, F_SETFL, 0), 0);
  std::string read;
  const std::string text(300000, 'x');  // more than a pipe buffers
  {
    const OutputFile file(pipe, kFlag);
    std::jthread reading([&] {
      std::array<char, 4096> bytes{};
      for (ssize_t n = 0; (n = ::read(reader, bytes.data(), bytes.size())) > 0;) {
        read.append(bytes.data(), static_cast<std::size_t>(n));
        if (read.size() == text.size()) {
          break;
        }
      }
    });
    file.write([&](std::ostream& out) { out << text; });
  }

  EXPECT_EQ(read, text);
  EXPECT_EQ(::read(reader, read.data(), 1), 0) << "the pipe is still open";
  ::close(reader);
}

TEST_F(AtomicFile, WritesToAnAnonymousPipeOfAShell) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);

  write_atomically(
      "/dev/fd/" + std::to_string(ends[1]), kFlag, [](std::ostream& out) { out << "text"; });
  std::string read(4, ' ');
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 4);

  EXPECT_EQ(read, "text");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(AtomicFile, WritesDirectlyToADevice) {
  write_atomically("/dev/null", kFlag, [](std::ostream& out) { out << "text"; });

  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace cairn::report
