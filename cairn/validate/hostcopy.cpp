// Copies between the device and pinned host memory.
#include <fmt/format.h>

#include <algorithm>

#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

void predict_hostcopy(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr double kKilobyte = 1024.0;
  const std::string& op = row.text("op");
  if (op != "h2d" && op != "d2h" && op != "both") {
    row.reject("op", "is unknown (expected h2d, d2h or both)");
  }
  const Bytes bytes(row.positive("kbytes") * kKilobyte);
  const std::string name = fmt::format("{} of {} KiB", op, row.text("kbytes"));
  const Seconds measured = microseconds(row, "time_us");
  const std::optional<chip::HostCopies>& host = subject.device().host;
  if (!host) {
    comparison.skipped.push_back(
        {name, row.line(), "the device has no host (bandwidth of host copies)"});
    return;
  }
  // Two equal copies in opposite directions share `both_ways`.
  const BytesPerSecond rate =
      op == "both" ? std::min(host->bandwidth, host->both_ways * 0.5) : host->bandwidth;
  const Seconds transfer = bytes / rate;
  comparison.cases.push_back({.name = name,
                              .group = op,
                              .shape = row.text("kbytes") + " KiB",
                              .line = row.line(),
                              .measured = measured,
                              .predicted = host->start + transfer,
                              .bound_by = transfer > host->start ? "host link" : "start"});
}

}  // namespace cairn::validate
