// Reads the --json output of a command, as far as it is compared.
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
  std::string key{};  // in the result's breakdown
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

  std::string file{};  // or the design that was run
  std::string verb{};  // "run"
  std::string name{};  // of the design; the file name if absent
  Seconds time{0.0};
  std::string bound_by{};
  std::vector<TimePart> parts{};      // add up to the time
  std::vector<TimePart> operators{};  // compute time by operator kind, if the step has detail
  std::vector<Setting> settings{};    // model, device, platform, ...
  std::vector<Setting> design{};      // every value of the design; empty if absent
  std::vector<Link> links{};          // busiest first
  std::vector<Setting> values{};      // all values, unless has_time()

  // Results of `run` and `collective` are compared by time; others value by value.
  [[nodiscard]] bool has_time() const { return verb == "run" || verb == "collective"; }
};

// Differences below this fraction of the total time are rounding. Each event is rounded to a
// picosecond and a part is a difference of such times: its error scales with the total.
inline constexpr double kRounding = 1e-6;

// `version`: of this program; results of other versions are rejected. Throws ConfigError for a file
// that is unreadable, not JSON, not such a result, or has an invalid value: a non-finite number, a
// negative time, a wrong type.
ReadResult read_result(const std::filesystem::path& file, std::string_view version);

// The same for a result in memory; `source`: the design that was run.
ReadResult read_result(const Document& document, const std::string& source);

}  // namespace cairn::report
