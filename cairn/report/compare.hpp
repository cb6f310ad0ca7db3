// Why results differ: a breakdown of the difference whose parts add up to the total.
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
    // Utilization; nothing if a result does not list a link of this name.
    std::optional<double> a{};
    std::optional<double> b{};

    [[nodiscard]] double change() const { return std::abs(b.value_or(0.0) - a.value_or(0.0)); }
  };

  ReadResult a{};
  ReadResult b{};
  std::vector<Difference> parts{};    // breakdown of the time
  std::vector<Difference> compute{};  // breakdown of compute, if both results have detail
  std::vector<Setting> settings{};    // those that differ; all values, unless has_time()
  std::vector<Link> links{};          // those that differ, largest difference first

  [[nodiscard]] Seconds difference() const { return b.time - a.time; }

  // Smaller differences are shown as equal.
  [[nodiscard]] Seconds rounding() const { return std::max(a.time, b.time) * kRounding; }
};

// Throws ConfigError for results of different commands.
Compared compare(ReadResult a, ReadResult b);

// Results b, c, ... that were each compared with the same `a`. Precondition: at least one, at most
// one per letter.
Document document_of(std::span<const Compared> compared);

inline constexpr std::size_t kMaxCompared = 26;  // results, named by letter

}  // namespace cairn::report
