// Cancellation of long computations. The caller installs a CancellationScope; long loops call
// check_cancelled(). Stages between the two need not know of either.
#pragma once

#include <exception>
#include <functional>

namespace cairn {

// Unwinds the computation. Caught only where the scope was installed.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

// While it exists, check_cancelled() on this thread calls `is_cancelled`, which must outlive it. An
// inner scope replaces the outer one; an empty function means never cancelled.
class CancellationScope {
 public:
  explicit CancellationScope(const std::function<bool()>& is_cancelled);
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;
  ~CancellationScope();

 private:
  const std::function<bool()>* outer_;
};

// Throws Cancelled if this thread's computation is cancelled. Without a scope it costs one pointer
// read.
void check_cancelled();

}  // namespace cairn
