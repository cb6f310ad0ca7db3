// Designs with four parts. The first choice of every part is the baseline. Parts are chosen
// together, or one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cairn::study {

inline constexpr std::size_t kParts = 4;
inline constexpr std::array<const char*, kParts> kPartNames{
    "technology", "store", "endpoint", "strategy"};

// One choice per part.
using Choice = std::array<std::size_t, kParts>;

struct Choices {
  std::array<std::vector<std::string>, kParts> names{};
  // Indexed by place(), the last part varies fastest; nullopt: infeasible.
  std::vector<std::optional<double>> times{};

  [[nodiscard]] std::size_t size(std::size_t part) const { return names[part].size(); }

  [[nodiscard]] std::size_t place(const Choice& choice) const;
  [[nodiscard]] Choice at(std::size_t place) const;

  // nullopt: infeasible.
  [[nodiscard]] std::optional<double> time(const Choice& choice) const {
    return times[place(choice)];
  }
};

// The fastest design with the first choice of all `fixed` parts; ties go to the first. nullopt:
// none is feasible.
std::optional<Choice> fastest(const Choices& choices, const std::array<bool, kParts>& fixed);

// Starts from the baseline, which must be feasible, and chooses the best of each part in this
// order, given the current choice of the others.
Choice one_after_the_other(const Choices& choices, const std::array<std::size_t, kParts>& order);

}  // namespace cairn::study
