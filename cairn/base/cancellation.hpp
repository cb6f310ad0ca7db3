// Long computations whose result may no longer be wanted. Who starts one installs a
// CancellationScope; loops that may run for long call check_cancelled(). Stages between the two
// need not know of either.
#pragma once

#include <exception>
#include <functional>

namespace cairn {

// Unwinds the computation. Caught only by who installed the scope.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

// While it lives, check_cancelled() on this thread asks `is_cancelled`, which must outlive it. An
// inner scope replaces the outer one; an empty function is never asked.
class CancellationScope {
 public:
  explicit CancellationScope(const std::function<bool()>& is_cancelled);
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;
  ~CancellationScope();

 private:
  const std::function<bool()>* outer_;
};

// Throws Cancelled if this thread's computation is no longer wanted. Without a scope it costs a
// read of one pointer.
void check_cancelled();

}  // namespace cairn
