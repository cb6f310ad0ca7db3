#include "cairn/study/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::study {

namespace {

struct ClaimFile {
  Config id{};
  std::string what{};
  Config quantity{};
  std::optional<double> published{};
  std::string where{};
  std::optional<double> tolerance{};
  std::optional<double> least{};
  std::optional<double> most{};
  std::string moved_by{};
};

const Schema<ClaimFile>& schema_of(const ClaimFile*) {
  static const auto kSchema =
      Schema<ClaimFile>("claim", "a number that a paper states")
          .required("id", &ClaimFile::id, "unique id", "18a")
          .required("what", &ClaimFile::what, "one-line text", "MC-DLA(B) over DC-DLA")
          .required("quantity", &ClaimFile::quantity, "finding of the study", "speedup.data.mc_b")
          .optional("published", &ClaimFile::published, "the paper's number, if stated")
          .optional("where", &ClaimFile::where, "section or figure of the paper")
          .optional("tolerance", &ClaimFile::tolerance, "relative to the published number")
          .not_negative()
          .optional("least", &ClaimFile::least, "lower bound of ours, instead of a tolerance")
          .optional("most", &ClaimFile::most, "upper bound of ours, instead of a tolerance")
          .optional("moved_by", &ClaimFile::moved_by, "the assumption it depends on, if it fails");
  return kSchema;
}

void check_limits(const Config& item, const ClaimFile& claim) {
  if (claim.least && claim.most && *claim.least > *claim.most) {
    reject(*item.find("most"), fmt::format("is less than least, {}", many(*claim.least)));
  }
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{
      "holds", "not reproduced", "not stated", "absent"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::optional<double> Claim::ratio() const {
  if (!ours || !published || *published == 0.0) {
    return std::nullopt;
  }
  return *ours / *published;
}

Verdict Claim::verdict() const {
  if (!ours) {
    return Verdict::kAbsent;
  }
  if (!published) {
    return Verdict::kNotStated;
  }
  const double slack = tolerance.value_or(0.0) * std::abs(*published) + 1e-12;
  const bool holds = least || most
                         ? *ours >= least.value_or(-HUGE_VAL) && *ours <= most.value_or(HUGE_VAL)
                         : std::abs(*ours - *published) <= slack;
  return holds ? Verdict::kHolds : Verdict::kNotReproduced;
}

std::string Claim::tolerance_text() const {
  if (!published) {
    return "";
  }
  if (least && most) {
    return many(*least) + ".." + many(*most);
  }
  if (least) {
    return "at least " + many(*least);
  }
  if (most) {
    return "at most " + many(*most);
  }
  return "+- " + many(100.0 * tolerance.value_or(0.0)) + " %";
}

bool stands_for(std::string_view name, std::string_view quantity) {
  return quantity == name || (name.ends_with('.') && quantity.starts_with(name));
}

std::vector<Claim> read_claims(const Config& config, const std::vector<std::string>& known) {
  if (config.kind != Config::Kind::kList) {
    reject(config, "is not a list of claims (expected e.g. \"- {id: 1, what: ...}\")");
  }
  std::vector<Claim> claims;
  for (const Config& item : config.items) {
    const auto file = read_config<ClaimFile>(item);
    const std::string& id = scalar_text(file.id, "the id of a claim");
    if (std::ranges::find(claims, id, &Claim::id) != claims.end()) {
      reject(file.id, "is the id of another claim");
    }
    check_limits(item, file);
    const std::string& quantity = scalar_text(file.quantity, "the name of a quantity");
    const auto is_it = [&](const std::string& name) { return stands_for(name, quantity); };
    if (std::ranges::none_of(known, is_it)) {
      reject(file.quantity,
             "is not a quantity of this study (" + suggestion(quantity, known) + ")");
    }
    claims.push_back({.id = id,
                      .what = file.what,
                      .quantity = quantity,
                      .published = file.published,
                      .where = file.where,
                      .tolerance = file.tolerance,
                      .least = file.least,
                      .most = file.most,
                      .moved_by = file.moved_by});
  }
  return claims;
}

}  // namespace cairn::study
