#include "cairn/base/nearest.hpp"

#include <algorithm>
#include <cstddef>

namespace cairn {

namespace {

constexpr std::size_t kLongestWord = 100;  // longer ones are not mistyped keys; cost is quadratic

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > kLongestWord) {
    return "";
  }
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t letters = std::max(candidate.size(), word.size());
    const std::size_t allowed = std::max<std::size_t>(1, letters / 3);
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    if (distance <= allowed && distance < letters && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string best = nearest(word, known);
  if (!best.empty()) {
    return "did you mean \"" + best + "\"?";
  }
  std::string all;
  for (const std::string& name : known) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return "known: " + (all.empty() ? "none" : all);
}

}  // namespace cairn
