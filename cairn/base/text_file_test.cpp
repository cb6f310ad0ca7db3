#include "cairn/base/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "cairn/base/config.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

class TextFile : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(folder); }

  void TearDown() override { fs::remove_all(folder); }

  [[nodiscard]] fs::path write(const std::string& text) const {
    const fs::path file = folder / "f.yaml";
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  [[nodiscard]] fs::path make_pipe() const {
    fs::path pipe = folder / "pipe";
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    return pipe;
  }

  static std::string error_of(const fs::path& file) {
    try {
      load_config(file);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder = fs::path(testing::TempDir()) / ("cairn_text_file." + std::to_string(getpid()));
};

TEST_F(TextFile, IsReadAsWritten) {
  const fs::path file = write("a: 1\n");

  EXPECT_EQ(read_text_file(file), "a: 1\n");
  EXPECT_EQ(to_text(load_config(file).find("a")->where), file.string() + ":1: a");
}

TEST_F(TextFile, MissingFileIsNamed) {
  EXPECT_EQ(error_of(folder / "none.yaml"),
            (folder / "none.yaml").string() + ": cannot be read: No such file or directory");
}

TEST_F(TextFile, DirectoryIsRejected) {
  EXPECT_EQ(error_of(folder), folder.string() + ": a directory (expected a file)");
}

TEST_F(TextFile, FileWithoutPermissionIsRejected) {
  const fs::path file = write("a: 1\n");
  fs::permissions(file, fs::perms::none);
  constexpr uid_t kNobody = 65534;
  const uid_t me = geteuid();
  if (me == 0) {
    ASSERT_EQ(seteuid(kNobody), 0);  // root reads everything
  }
  const std::string error = error_of(file);
  ASSERT_EQ(seteuid(me), 0);

  EXPECT_EQ(error, file.string() + ": cannot be read: Permission denied");
}

TEST_F(TextFile, PipeWithoutAWriterIsRejected) {
  const fs::path pipe = make_pipe();

  EXPECT_EQ(
      error_of(pipe),
      pipe.string() + ": a pipe that nobody writes to (expected a file, or a pipe with a writer)");
}

// The delay is below the reader's timeout before the first byte, and above it between two.
TEST_F(TextFile, PipeIsReadUntilItsWriterCloses) {
  const fs::path pipe = make_pipe();
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::ofstream out(pipe);
    out << "a: 1\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    out << "b: 2\n";
  });

  EXPECT_EQ(read_text_file(pipe), "a: 1\nb: 2\n");
}

TEST_F(TextFile, AnonymousPipeOfAShellIsRead) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "a: 1\n", 5), 5);
  ::close(ends[1]);

  EXPECT_EQ(read_text_file("/dev/fd/" + std::to_string(ends[0])), "a: 1\n");
  ::close(ends[0]);
}

TEST_F(TextFile, DeviceIsRejected) {
  for (const char* device : {"/dev/zero", "/dev/full", "/dev/urandom", "/dev/null"}) {
    EXPECT_EQ(error_of(device), device + std::string(": a device (expected a file or a pipe)"));
  }
}

TEST_F(TextFile, SymlinkLoopAndTooLongNameAreReported) {
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(error_of(folder / "loop"),
            (folder / "loop").string() + ": cannot be read: Too many levels of symbolic links");
  const std::string name(300, 'x');
  EXPECT_EQ(error_of(name), name + ": cannot be read: File name too long");
}

TEST_F(TextFile, TooLargeFileIsRejected) {
  const fs::path file = write("");
  fs::resize_file(file, kLargestTextFile + 1);

  EXPECT_EQ(error_of(file), file.string() + ": too large (expected at most 256 MiB)");
}

TEST_F(TextFile, EmptyOrBinaryFileIsRejected) {
  EXPECT_EQ(error_of(write("")),
            (folder / "f.yaml").string() + ": empty (expected YAML keys and values)");
  EXPECT_EQ(error_of(write("\x7F"
                           "ELF")),
            (folder / "f.yaml").string() + ":1: byte 0x7f (expected UTF-8 text)");
}

TEST(CheckText, RefusesBrokenUtf8) {
  for (const char* text : {"\x80",
                           "\xC0\x80",
                           "\xC3",
                           "\xE0\x80\x80",
                           "\xED\xA0\x80",
                           "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80",
                           "\xE2\x82"}) {
    EXPECT_THROW(check_text(text, "f"), ConfigError);
  }
}

}  // namespace
}  // namespace cairn
