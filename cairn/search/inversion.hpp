// Inversion of control: turns code that calls an evaluator into an ask/tell algorithm. Several such
// bodies run in threads of their own, and each call blocks until it is told the outcomes of its
// points. The points of the first body come first, whichever thread was faster.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cairn/search/outcome.hpp"

namespace cairn::search {

using Evaluate = std::function<std::vector<Outcome>(const std::vector<Point>&)>;

class Inversion {
 public:
  // Throws std::system_error if the threads cannot be created.
  explicit Inversion(std::vector<std::function<void(const Evaluate&)>> bodies);
  Inversion(const Inversion&) = delete;
  Inversion& operator=(const Inversion&) = delete;
  ~Inversion();  // unwinds bodies that still wait

  // The points of all bodies, once each waits or has ended. Empty: all have ended. Rethrows a
  // body's exception.
  std::vector<Point> ask();
  void tell(std::span<const Outcome> outcomes);

 private:
  struct Body;

  void close();

  std::vector<std::unique_ptr<Body>> bodies_;
};

}  // namespace cairn::search
