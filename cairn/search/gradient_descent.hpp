// Projected gradient descent with averaging of the parameters (CrossFlow paper, section 7, Eq. 6):
//
//   W' = W - eta g,   W^ = W' / |W'|,   M <- beta M + (1 - beta) W^,   W = Project(M)
//
// from several starts in parallel. Gradients are finite differences of the objective relative to
// its present value (the paper gives no unit; relative to its value at the start, descents from a
// bad start get stuck). Limits, which the paper does not have, add a penalty. From an infeasible
// point, such as a chip without room for a core, it goes back halfway to the last feasible one; an
// infeasible start is drawn again. A difference that would exceed a budget shrinks the other parts.
// Whole numbers and choices do not vary within a descent: every combination gets its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/search/algorithm.hpp"
#include "cairn/search/dice.hpp"

namespace cairn::search {

// The norm |W'|, which the paper leaves open.
enum class Norm : std::uint8_t {
  kSum,        // per budget, so that all of it is used
  kEuclidean,  // of all parameters together
  kNone,       // W^ = W': stationary exactly at the optimum, also at the limit of a budget
};

// Which of the authors' two versions.
enum class Descent : std::uint8_t {
  kPaper,  // as printed
  // As in their program: each budget's gradient is scaled to length 1, parts that would be negative
  // become 1 %, M starts at 0, and each budget is scaled to a sum of 1.
  kProgram,
};

struct GradientDescentOptions {
  std::size_t starts = 10;
  std::size_t steps = 100;
  double rate = 1.0;        // eta
  double averaging = 0.9;   // beta
  double difference = 0.5;  // relative step of the finite difference
  Norm norm = Norm::kSum;
  Descent descent = Descent::kPaper;
  double tolerance = 1e-6;  // converged when no parameter changes by more; relative to its range
  std::uint64_t seed = 1;
  Point begin{};  // the first start; empty: random, as the others
};

class GradientDescent final : public Algorithm {
 public:
  // Uses only the first objective and the constraint violation.
  GradientDescent(Space space, const GradientDescentOptions& options);

  std::vector<Point> ask() override;
  void tell(std::span<const Outcome> outcomes) override;

 private:
  // One descent. Parameters are positions in their range, except for parts of budgets.
  struct Walker {
    Point point{};
    std::vector<double> mean{};  // M
    // Parameters and M of the last feasible point; empty: none yet.
    std::vector<double> last{};
    std::vector<double> last_mean{};
    std::size_t steps = 0;
    bool ended = false;
  };

  // `number`: index into numbers_.
  [[nodiscard]] double scaled(std::size_t number, double value) const;
  [[nodiscard]] double unscaled(std::size_t number, double part) const;
  [[nodiscard]] Point changed(const Walker& walker, std::size_t number) const;
  [[nodiscard]] std::vector<double> parameters(const Walker& walker) const;
  void start(Walker& walker, Point point) const;
  void go_to(Walker& walker, const std::vector<double>& w) const;
  void step(Walker& walker, std::span<const Outcome> outcomes);
  void go_back(Walker& walker);
  void step_as_printed(std::vector<double>& w, std::vector<double>& mean) const;
  void step_as_programmed(std::vector<double>& w, std::vector<double>& mean) const;

  Space space_;
  GradientDescentOptions options_;
  std::vector<std::size_t> numbers_;             // axes that vary
  std::vector<std::vector<std::size_t>> parts_;  // by budget: indices into numbers_
  std::vector<bool> in_budget_;                  // by index into numbers_
  Dice dice_;
  std::vector<Walker> walkers_;
};

}  // namespace cairn::search

template <>
struct cairn::EnumNames<cairn::search::Norm> {
  using E = cairn::search::Norm;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kSum, "sum"}, {E::kEuclidean, "euclidean"}, {E::kNone, "none"}}};
};

template <>
struct cairn::EnumNames<cairn::search::Descent> {
  using E = cairn::search::Descent;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kPaper, "paper"}, {E::kProgram, "program"}}};
};
