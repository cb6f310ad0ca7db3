// Projected gradient descent with averaging of the parameters (CrossFlow paper, section 7, Eq. 6):
//
//   W' = W - eta g,   W^ = W' / |W'|,   M <- beta M + (1 - beta) W^,   W = Project(M)
//
// from several starts at once; gradients by differences, of the objective over what it is here (the
// paper has no units; over what it is at the start, steps from a bad one end soon). Limits, of
// which the paper has none, count as a penalty. Where nothing can be, as with a chip that has no
// room for a core, it goes back halfway to where it was last; a start there is drawn again. Beyond
// its budget a part is made larger at the cost of the others. Whole numbers and choices do not vary
// within a descent: every combination of theirs gets its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/search/algorithm.hpp"
#include "cairn/search/dice.hpp"

namespace cairn::search {

// What |W'| is: the paper does not say.
enum class Norm : std::uint8_t {
  kSum,        // of each budget, so that all of it is used
  kEuclidean,  // of all parameters together
  kNone,       // W^ = W': then the optimum is where it stops, also where a budget ends
};

// Which of the two that the authors describe.
enum class Descent : std::uint8_t {
  kPaper,  // as printed
  // As in their program: each budget's gradient is scaled to length 1, parts that would be negative
  // become 1 %, M starts at nothing, and each budget is scaled to a sum of 1.
  kProgram,
};

struct GradientDescentOptions {
  std::size_t starts = 10;
  std::size_t steps = 100;
  double rate = 1.0;        // eta
  double averaging = 0.9;   // beta
  double difference = 0.5;  // by which part of itself a parameter is changed to see what it does
  Norm norm = Norm::kSum;
  Descent descent = Descent::kPaper;
  double tolerance = 1e-6;  // has converged when no parameter moves by more; of a range of 1
  std::uint64_t seed = 1;
  Point begin{};  // where the first start is; empty: by chance, as the others
};

class GradientDescent final : public Algorithm {
 public:
  // Only the first objective counts, and how far limits are missed.
  GradientDescent(Space space, const GradientDescentOptions& options);

  std::vector<Point> ask() override;
  void tell(std::span<const Outcome> outcomes) override;

 private:
  // One descent. Numbers are parts of their range, but for those of budgets.
  struct Walker {
    Point point{};
    std::vector<double> mean{};  // M
    // Parameters and M of the last point that could be; empty: none yet.
    std::vector<double> last{};
    std::vector<double> last_mean{};
    std::size_t steps = 0;
    bool ended = false;
  };

  // `number`: its place in numbers_.
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
  std::vector<std::vector<std::size_t>> parts_;  // by budget: places in numbers_
  std::vector<bool> in_budget_;                  // by place in numbers_
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
