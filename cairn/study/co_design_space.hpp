// Designs that differ in four things, each of which has its first choice where one begins; and what
// comes of choosing them together, or one after the other.
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

// A choice of each part.
using Choice = std::array<std::size_t, kParts>;

struct Choices {
  std::array<std::vector<std::string>, kParts> names{};
  // By choice, the last part fastest; nothing: there is no such design.
  std::vector<std::optional<double>> times{};

  [[nodiscard]] std::size_t size(std::size_t part) const { return names[part].size(); }

  [[nodiscard]] std::size_t place(const Choice& choice) const;
  [[nodiscard]] Choice at(std::size_t place) const;

  // Nothing: there is none.
  [[nodiscard]] std::optional<double> time(const Choice& choice) const {
    return times[place(choice)];
  }
};

// The fastest of all that have the first choice of the parts that are `fixed`; the first of equals.
// Nothing: there is none.
std::optional<Choice> fastest(const Choices& choices, const std::array<bool, kParts>& fixed);

// From the first choice of everything, which must be possible, the best of each part in this order,
// with the others as they are then.
Choice one_after_the_other(const Choices& choices, const std::array<std::size_t, kParts>& order);

}  // namespace cairn::study
