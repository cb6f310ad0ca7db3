// Ctrl-C, or a batch system that ends the run: work stops early, and its results so far are used.
#pragma once

#include <csignal>

namespace cairn::app {

// The signal that arrived during a StopOnInterrupt; 0: none.
int interrupting_signal();

// While it lives, SIGINT and SIGTERM are recorded instead of ending the program; a second Ctrl-C
// ends it at once.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  struct sigaction interrupt_before_{};
  struct sigaction terminate_before_{};
};

}  // namespace cairn::app
