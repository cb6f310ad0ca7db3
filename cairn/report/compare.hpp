// Why results differ: part by part, so that the parts add up to the whole.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/report/document.hpp"
#include "cairn/report/read_result.hpp"

namespace cairn::report {

struct Difference {
  std::string part{};
  Seconds a{0.0};
  Seconds b{0.0};

  [[nodiscard]] Seconds difference() const { return b - a; }
};

struct Compared {
  struct Setting {
    std::string key{};
    std::string a{};
    std::string b{};
  };

  struct Link {
    std::string name{};
    // Part of its capacity that was used; nothing where a result does not list it: it has none of
    // that name, or another stands for it.
    std::optional<double> a{};
    std::optional<double> b{};

    [[nodiscard]] double change() const { return std::abs(b.value_or(0.0) - a.value_or(0.0)); }
  };

  ReadResult a{};
  ReadResult b{};
  std::vector<Difference> parts{};    // of the time
  std::vector<Difference> compute{};  // of that part, if both results are in detail
  std::vector<Setting> settings{};    // that differ
  std::vector<Link> links{};          // of either, that differ, by how much they do

  [[nodiscard]] Seconds difference() const { return b.time - a.time; }

  // What differs by no more is the same to people.
  [[nodiscard]] Seconds rounding() const { return std::max(a.time, b.time) * kRounding; }
};

// Throws ConfigError for results of different verbs.
Compared compare(ReadResult a, ReadResult b);

// Of results that were each compared with the same `a`: b, c, and so on. Precondition: there is at
// least one, and no more than there are letters.
Document document_of(std::span<const Compared> compared);

inline constexpr std::size_t kMostCompared = 26;  // results, by letter

}  // namespace cairn::report
