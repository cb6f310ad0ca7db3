#include "cairn/study/assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/nearest.hpp"

namespace cairn::study {

namespace {

struct Assumption {
  Config value{};
  std::vector<Config> choices{};
  Config why{};
};

const Schema<Assumption>& schema_of(const Assumption*) {
  static const auto kSchema =
      Schema<Assumption>("assumption", "a choice the paper leaves open")
          .required("value", &Assumption::value, "value that the study uses", "fp16")
          .optional("choices", &Assumption::choices, "other values that --range tries")
          .required("why", &Assumption::why, "the reason", "the V100 it resembles has it");
  return kSchema;
}

void widen(ClaimRange& range, const Claim& claim, const std::string& by) {
  if (!claim.ours) {
    return;
  }
  if (range.runs == 0 || *claim.ours < range.least) {
    range.least = *claim.ours;
    range.least_by = by;
  }
  if (range.runs == 0 || *claim.ours > range.most) {
    range.most = *claim.ours;
    range.most_by = by;
  }
  ++range.runs;
  range.holds += claim.verdict() == Verdict::kHolds ? 1U : 0U;
}

Config with(Config values, const Config& changes) {
  if (changes.kind != Config::Kind::kMap) {
    reject(changes, "is not a map of assumptions");
  }
  for (std::size_t i = 0; i < changes.keys.size(); ++i) {
    const auto known = std::ranges::find(values.keys, changes.keys[i]);
    if (known == values.keys.end()) {
      values.keys.push_back(changes.keys[i]);
      values.items.push_back(changes.items[i]);
    } else {
      values.items[static_cast<std::size_t>(known - values.keys.begin())] = changes.items[i];
    }
  }
  return values;
}

// "resharding: all_to_all, weight_copies: kept"
std::string changes_text(const Config& changes) {
  const std::string text = to_text(changes);
  return text.substr(1, text.size() - 2);
}

}  // namespace

void set_values_of_study(Config& study, const std::vector<std::string>& settings) {
  const auto assumptions = [&] {
    const Config* map = study.find("assumptions");
    return map == nullptr ? Config{} : *map;
  };
  const Config before = assumptions();
  for (const std::string& setting : settings) {
    set_value(study, setting);
  }
  const Config after = assumptions();
  for (std::size_t i = 0; i < after.keys.size(); ++i) {
    if (before.find(after.keys[i]) == nullptr && after.items[i].find("why") == nullptr) {
      throw ConfigError(after.items[i].where,
                        "no such assumption (" + suggestion(after.keys[i], before.keys) + ")");
    }
  }
}

Config values_of(const Config& assumptions) {
  if (assumptions.kind != Config::Kind::kMap) {
    reject(assumptions, "is not a map of assumptions");
  }
  Config values = assumptions;
  for (Config& item : values.items) {
    const auto assumption = read_config<Assumption>(item);
    if (scalar_text(assumption.why, "a reason").find_first_not_of(" \n") == std::string::npos) {
      reject(assumption.why, "is not a reason (expected why this value was chosen)");
    }
    item = assumption.value;
  }
  return values;
}

Config take(Config& values, const std::vector<std::string>& keys) {
  Config taken = values;
  Config rest = values;
  for (Config* map : {&taken, &rest}) {
    map->keys.clear();
    map->items.clear();
  }
  for (std::size_t i = 0; i < values.keys.size(); ++i) {
    Config& to = std::ranges::find(keys, values.keys[i]) == keys.end() ? rest : taken;
    to.keys.push_back(values.keys[i]);
    to.items.push_back(values.items[i]);
  }
  values = std::move(rest);
  return taken;
}

StudyResult run(const PreparedStudy& study) {
  const Config values = values_of(study.assumptions);
  StudyResult result = study.run(values);
  if (!study.always_varies) {
    return result;
  }
  for (const Config& changes : study.variations) {
    const std::vector<Claim> claims = study.run(with(values, changes)).claims;
    for (std::size_t c = 0; c < claims.size(); ++c) {
      result.claims[c].variations.push_back(
          {changes_text(changes), claims[c].ours, claims[c].verdict(), claims[c].reason});
    }
  }
  return result;
}

std::vector<ClaimRange> claim_ranges(const PreparedStudy& study) {
  const Config values = values_of(study.assumptions);
  std::vector<ClaimRange> ranges;
  const auto try_with = [&](const Config& changed, const std::string& by) {
    const std::vector<Claim> claims = study.run(changed).claims;
    ranges.resize(claims.size());
    for (std::size_t c = 0; c < ranges.size(); ++c) {
      widen(ranges[c], claims[c], by);
    }
  };
  try_with(values, "the default");
  for (std::size_t i = 0; i < values.keys.size(); ++i) {
    for (const Config& choice : read_config<Assumption>(study.assumptions.items[i]).choices) {
      Config changed = values;
      changed.items[i] = choice;
      try_with(changed, fmt::format("{}: {}", values.keys[i], to_text(choice)));
    }
  }
  for (const Config& changes : study.variations) {
    try_with(with(values, changes), changes_text(changes));
  }
  return ranges;
}

}  // namespace cairn::study
