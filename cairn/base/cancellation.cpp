#include "cairn/base/cancellation.hpp"

namespace cairn {

namespace {

// Of a thread, not of the program: computations side by side do not see each other's.
constinit thread_local const std::function<bool()>* asked = nullptr;

}  // namespace

CancellationScope::CancellationScope(const std::function<bool()>& is_cancelled) : outer_(asked) {
  asked = is_cancelled ? &is_cancelled : nullptr;
}

CancellationScope::~CancellationScope() {
  asked = outer_;
}

void check_cancelled() {
  if (asked != nullptr && (*asked)()) {
    throw Cancelled();
  }
}

}  // namespace cairn
