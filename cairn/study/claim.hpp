// A paper's claim, and our result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"

namespace cairn::study {

// Quantities that a study computes, by name: "speedup.data.mc_b".
using Findings = std::map<std::string, double>;

enum class Verdict : std::uint8_t {
  kHolds,
  kNotReproduced,
  kNotStated,  // nothing is published
  kAbsent,     // the study, with these settings, has no such quantity
};

// "holds", "not reproduced", "not stated", "absent"
std::string_view to_text(Verdict verdict);

// A claim under other assumptions.
struct UnderVariation {
  std::string with{};  // "resharding: all_to_all, weight_copies: kept"
  std::optional<double> ours{};
  Verdict verdict = Verdict::kAbsent;
  std::string reason{};
};

struct Claim {
  std::string id{};                   // "18a"
  std::string what{};                 // one line
  std::string quantity{};             // name of the finding
  std::optional<double> published{};  // nullopt: the paper asks, and does not answer
  std::string where{};                // in the paper
  std::optional<double> tolerance{};  // relative to `published`
  std::optional<double> least{};      // bounds of ours, instead of a tolerance
  std::optional<double> most{};
  std::string moved_by{};  // if it does not hold: the assumption that it depends on

  std::optional<double> ours{};  // nullopt: absent
  std::string reason{};          // why ours is what it is, or is absent
  std::vector<UnderVariation> variations{};

  // Ours over the published number; nullopt if either is missing or the published number is 0.
  [[nodiscard]] std::optional<double> ratio() const;

  [[nodiscard]] Verdict verdict() const;

  // "+- 15 %" or "0.91..0.99"; empty if nothing is published.
  [[nodiscard]] std::string tolerance_text() const;
};

// Whether `name` is `quantity`, or ends in '.' and is a prefix of it.
bool stands_for(std::string_view name, std::string_view quantity);

// The claims of a study's file, without `ours`. Rejects quantities that match no name in `known`.
std::vector<Claim> read_claims(const Config& config, const std::vector<std::string>& known);

// The minimum and maximum of a claim over runs under different assumptions.
struct ClaimRange {
  double least = 0.0;
  double most = 0.0;
  std::string least_by{};  // the assumption of that run: "precision: fp32"
  std::string most_by{};
  std::uint32_t holds = 0;  // runs in which it holds
  std::uint32_t runs = 0;   // runs in which it is not absent
};

}  // namespace cairn::study
