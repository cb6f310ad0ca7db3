// A result that `cairn run --json` or `cairn collective --json` wrote, as far as two of them are
// compared.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

struct TimePart {
  std::string name{};  // "compute"
  Seconds time{0.0};
  std::string key{};  // of the result's breakdown, for parts of it
};

struct ReadResult {
  struct Setting {
    std::string key{};
    std::string value{};
  };

  struct Link {
    std::string name{};
    double utilization = 0.0;
  };

  std::string file{};  // or what it was made from
  std::string verb{};  // "run" or "collective"
  std::string name{};  // what was asked for; the file, if it does not say
  Seconds time{0.0};
  std::string bound_by{};
  std::vector<TimePart> parts{};      // add up to the time
  std::vector<TimePart> operators{};  // of a step in detail, that it computes: by kind
  std::vector<Setting> settings{};    // what it is of, in short
  std::vector<Setting> design{};      // all of it; empty in results that do not say it
  std::vector<Link> links{};          // busiest first
};

// Of the time of a step or collective: a smaller part of it is rounding. Each event of a simulation
// is rounded to a picosecond, and a part is what such times leave of each other, so a part is as
// uncertain as the whole is, however short it is itself.
inline constexpr double kRounding = 1e-6;

// `version`: of this program; results of others are refused. Throws ConfigError for a file that
// cannot be read, is not JSON, is not such a result, or holds a value that no result has: a number
// that is not finite, a negative time, another type.
ReadResult read_result(const std::filesystem::path& file, std::string_view version);

// The same of a result that is not in a file; `source`: what it was made from.
ReadResult read_result(const Document& document, const std::string& source);

}  // namespace cairn::report
