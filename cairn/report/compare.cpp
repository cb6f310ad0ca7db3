#include "cairn/report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::report {

namespace {

// Matched by name; a part missing in one result takes 0 s there.
std::vector<Difference> differences_of(const std::vector<TimePart>& a,
                                       const std::vector<TimePart>& b) {
  std::vector<Difference> parts;
  for (const TimePart& part : a) {
    parts.push_back({part.name, part.time, Seconds(0.0)});
  }
  for (const TimePart& part : b) {
    auto known = std::ranges::find(parts, part.name, &Difference::part);
    if (known == parts.end()) {
      known = parts.insert(parts.end(), {part.name, Seconds(0.0), Seconds(0.0)});
    }
    known->b = part.time;
  }
  return parts;
}

// Kernels by operator kind; "other" is the remaining compute, e.g. recomputation.
std::vector<Difference> within_compute(const Compared& compared) {
  if (compared.a.operators.empty() || compared.b.operators.empty()) {
    return {};
  }
  std::vector<Difference> kinds = differences_of(compared.a.operators, compared.b.operators);
  Difference rest = compared.parts.front();
  for (const Difference& kind : kinds) {
    rest.a -= kind.a;
    rest.b -= kind.b;
  }
  const auto counts = [](Seconds part, Seconds whole) {
    return std::abs(part.si()) > kRounding * whole.si();
  };
  // Kernels in the background are not part of compute.
  if (rest.a < -kRounding * compared.a.time || rest.b < -kRounding * compared.b.time) {
    return {};
  }
  if (counts(rest.a, compared.a.time) || counts(rest.b, compared.b.time)) {
    rest.part = "other";
    kinds.push_back(rest);
  }
  return kinds;
}

using Settings = std::vector<ReadResult::Setting>;

// By key, in the order of `a`, then keys that only `b` has.
std::vector<Compared::Setting> different(const Settings& a, const Settings& b) {
  const auto by_key = [](const Settings& settings) {
    std::map<std::string_view, std::string_view> values;
    for (const auto& [key, value] : settings) {
      values.emplace(key, value);
    }
    return values;
  };
  auto of_a = by_key(a);
  auto of_b = by_key(b);
  std::vector<Compared::Setting> settings;
  for (const auto& [key, value] : a) {
    if (of_b[key] != value) {
      settings.push_back({key, value, std::string(of_b[key])});
    }
  }
  for (const auto& [key, value] : b) {
    if (!of_a.contains(key)) {
      settings.push_back({key, "", value});
    }
  }
  return settings;
}

// Summary settings, then all other values of the designs: "batch" already covers
// "strategy.batch".
std::vector<Compared::Setting> settings_of(const ReadResult& a, const ReadResult& b) {
  std::vector<Compared::Setting> settings = different(a.settings, b.settings);
  if (a.design.empty() || b.design.empty()) {
    return settings;
  }
  const std::size_t summary = settings.size();
  for (Compared::Setting& value : different(a.design, b.design)) {
    const bool covered =
        std::any_of(settings.begin(),
                    settings.begin() + static_cast<std::ptrdiff_t>(summary),
                    [&](const Compared::Setting& setting) {
                      return value.key == setting.key || value.key == "strategy." + setting.key;
                    });
    if (!covered) {
      settings.push_back(std::move(value));
    }
  }
  return settings;
}

std::vector<Compared::Link> links_of(const ReadResult& a, const ReadResult& b) {
  std::vector<Compared::Link> links;
  for (const ReadResult::Link& link : a.links) {
    links.push_back({.name = link.name, .a = link.utilization});
  }
  // Parallel links share a name: the busiest of one result is matched with the busiest of the
  // other, and so on.
  std::vector<bool> met(links.size(), false);
  for (const ReadResult::Link& link : b.links) {
    std::size_t i = 0;
    while (i < links.size() && (met[i] || links[i].name != link.name)) {
      ++i;
    }
    if (i == links.size()) {
      links.push_back({.name = link.name});
      met.push_back(false);
    }
    links[i].b = link.utilization;
    met[i] = true;
  }
  std::erase_if(links, [](const Compared::Link& link) { return link.a == link.b; });
  std::ranges::stable_sort(links, std::ranges::greater(), &Compared::Link::change);
  return links;
}

}  // namespace

Compared compare(ReadResult a, ReadResult b) {
  if (a.verb != b.verb) {
    throw ConfigError({.file = b.file, .line = 0, .key = "verb"},
                      fmt::format("is {}, but {} has {} (expected results of the same command)",
                                  in_quotes(b.verb),
                                  a.file,
                                  in_quotes(a.verb)));
  }
  Compared compared{.a = std::move(a), .b = std::move(b)};
  compared.parts = differences_of(compared.a.parts, compared.b.parts);
  compared.compute = within_compute(compared);
  compared.settings = compared.a.has_time() ? settings_of(compared.a, compared.b)
                                            : different(compared.a.values, compared.b.values);
  compared.links = links_of(compared.a, compared.b);
  return compared;
}

}  // namespace cairn::report
