#include "apps/cairn/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "apps/cairn/terminal.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::app {

namespace {

constexpr std::chrono::seconds kSilence{2};
constexpr std::chrono::seconds kInterval{1};

}  // namespace

Progress::Progress(std::size_t total, const std::string& what)
    : Progress([total, what](std::size_t done, long seconds) {
        if (total == 1) {
          return fmt::format("simulating, {} s", seconds);
        }
        return total == 0 ? fmt::format("{} {}, {} s", done, what, seconds)
                          : fmt::format(
                                "[{}] {} of {} {}, {} s",
                                report::bar(static_cast<double>(done) / static_cast<double>(total)),
                                done,
                                total,
                                what,
                                seconds);
      }) {}

Progress::Progress(Line line) : line_(std::move(line)) {
  if (is_terminal(STDERR_FILENO)) {
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

void Progress::on_done() {
  const std::scoped_lock lock(mutex_);
  ++done_;
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  auto next = started_ + kSilence;
  bool shown = false;
  while (!changed_.wait_until(lock, next, [this] { return stopped_; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(next - started_).count();
    std::fputs(("\r\x1b[Kcairn: " + printable(line_(done_, seconds))).c_str(), stderr);
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
