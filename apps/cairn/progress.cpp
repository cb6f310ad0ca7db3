#include "apps/cairn/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace cairn::app {

namespace {

constexpr std::chrono::seconds kSilence{2};
constexpr std::chrono::seconds kInterval{1};

}  // namespace

Progress::Progress(std::size_t total) : total_(total) {
  if (::isatty(STDERR_FILENO) != 0) {
    watcher_ = std::thread([this] { watch(); });
  }
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  if (watcher_.joinable()) {
    watcher_.join();
  }
}

void Progress::one_done() {
  const std::scoped_lock lock(mutex_);
  ++done_;
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  auto next = started_ + kSilence;
  bool shown = false;
  while (!changed_.wait_until(lock, next, [this] { return stopped_; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(next - started_).count();
    const std::string line =
        total_ == 0   ? fmt::format("\rcairn: {} designs, {} s", done_, seconds)
        : total_ == 1 ? fmt::format("\rcairn: simulating, {} s", seconds)
                      : fmt::format("\rcairn: {} of {} sizes, {} s", done_, total_, seconds);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    shown = true;
    next += kInterval;
  }
  if (shown) {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
  }
}

}  // namespace cairn::app
