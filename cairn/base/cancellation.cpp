#include "cairn/base/cancellation.hpp"

namespace cairn {

namespace {

// Per thread: concurrent computations do not see each other's scope.
constinit thread_local const std::function<bool()>* current = nullptr;

}  // namespace

CancellationScope::CancellationScope(const std::function<bool()>& is_cancelled) : outer_(current) {
  current = is_cancelled ? &is_cancelled : nullptr;
}

CancellationScope::~CancellationScope() {
  current = outer_;
}

void check_cancelled() {
  if (current != nullptr && (*current)()) {
    throw Cancelled();
  }
}

}  // namespace cairn
