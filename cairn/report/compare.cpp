#include "cairn/report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::report {

namespace {

// By name; what only one of them has takes no time in the other.
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

// Kernels by what they compute, and what else is computed, as again. Not of a pipeline: its
// operators are of all stages, and compute is that of one.
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
  if (rest.a < -kRounding * compared.a.time || rest.b < -kRounding * compared.b.time) {
    return {};
  }
  if (counts(rest.a, compared.a.time) || counts(rest.b, compared.b.time)) {
    rest.part = "other";
    kinds.push_back(rest);
  }
  return kinds;
}

std::vector<Compared::Setting> settings_of(const ReadResult& a, const ReadResult& b) {
  const auto value = [](const ReadResult& result, const std::string& key) {
    const auto found = std::ranges::find(result.settings, key, &ReadResult::Setting::key);
    return found == result.settings.end() ? std::string() : found->value;
  };
  std::vector<Compared::Setting> settings;
  const auto add = [&](const ReadResult::Setting& setting) {
    const bool known =
        std::ranges::find(settings, setting.key, &Compared::Setting::key) != settings.end();
    if (!known && value(a, setting.key) != value(b, setting.key)) {
      settings.push_back({setting.key, value(a, setting.key), value(b, setting.key)});
    }
  };
  std::ranges::for_each(a.settings, add);
  std::ranges::for_each(b.settings, add);
  return settings;
}

std::vector<Compared::Link> links_of(const ReadResult& a, const ReadResult& b) {
  std::vector<Compared::Link> links;
  for (const ReadResult::Link& link : a.links) {
    links.push_back({link.name, link.utilization, 0.0});
  }
  // Cables between the same ends have the same name: the busiest of one is set beside the busiest
  // of the other, and so on.
  std::vector<bool> met(links.size(), false);
  for (const ReadResult::Link& link : b.links) {
    std::size_t i = 0;
    while (i < links.size() && (met[i] || links[i].name != link.name)) {
      ++i;
    }
    if (i == links.size()) {
      links.push_back({link.name, 0.0, 0.0});
      met.push_back(false);
    }
    links[i].b = link.utilization;
    met[i] = true;
  }
  std::erase_if(links, [](const Compared::Link& link) { return link.a == link.b; });
  std::ranges::stable_sort(links, std::ranges::greater(), [](const Compared::Link& link) {
    return std::abs(link.b - link.a);
  });
  return links;
}

}  // namespace

Compared compare(ReadResult a, ReadResult b) {
  if (a.verb != b.verb) {
    throw ConfigError({.file = b.file, .line = 0, .key = "verb"},
                      fmt::format("is {}, that of {} is {} (expected the same)",
                                  in_quotes(b.verb),
                                  a.file,
                                  in_quotes(a.verb)));
  }
  Compared compared{.a = std::move(a), .b = std::move(b)};
  compared.parts = differences_of(compared.a.parts, compared.b.parts);
  compared.compute = within_compute(compared);
  compared.settings = settings_of(compared.a, compared.b);
  compared.links = links_of(compared.a, compared.b);
  return compared;
}

}  // namespace cairn::report
