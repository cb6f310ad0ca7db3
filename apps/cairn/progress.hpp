// Progress line of a long run on the terminal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace cairn::app {

// Silent unless standard error is a terminal and two seconds have passed; the line is rewritten in
// place every second and removed at the end.
class Progress {
 public:
  // "[####......] 12 of 30 sizes, 5 s"; total 0: unknown.
  Progress(std::size_t total, const std::string& what);
  // Custom text, from the number done and the seconds elapsed.
  using Line = std::function<std::string(std::size_t done, long seconds)>;
  explicit Progress(Line line);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void on_done();

 private:
  void watch();

  Line line_;
  std::size_t done_ = 0;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread watcher_;
};

}  // namespace cairn::app
