#include "apps/cairn/interruption.hpp"

namespace cairn::app {

namespace {

volatile std::sig_atomic_t received = 0;

}  // namespace

int interrupting_signal() {
  return received;
}

StopOnInterrupt::StopOnInterrupt() {
  struct sigaction action{};
  action.sa_handler = [](int signal) { received = signal; };
  ::sigaction(SIGTERM, &action, &terminate_before_);
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C quits at once
  ::sigaction(SIGINT, &action, &interrupt_before_);
}

StopOnInterrupt::~StopOnInterrupt() {
  ::sigaction(SIGTERM, &terminate_before_, nullptr);
  ::sigaction(SIGINT, &interrupt_before_, nullptr);
}

}  // namespace cairn::app
