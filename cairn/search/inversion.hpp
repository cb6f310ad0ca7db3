// Code that calls for evaluations, turned around: several such bodies run in threads of their own,
// and each call waits until it is told what came of its points. Points are those of the first body
// first, whichever thread was faster.
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
  // Throws std::system_error if there cannot be so many threads.
  explicit Inversion(std::vector<std::function<void(const Evaluate&)>> bodies);
  Inversion(const Inversion&) = delete;
  Inversion& operator=(const Inversion&) = delete;
  ~Inversion();  // bodies that still wait are unwound

  // Of all bodies, as soon as each waits or has ended. None: all have. Throws what a body threw.
  std::vector<Point> ask();
  void tell(std::span<const Outcome> outcomes);

 private:
  struct Body;

  void close();

  std::vector<std::unique_ptr<Body>> bodies_;
};

}  // namespace cairn::search
