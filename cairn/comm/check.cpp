#include "cairn/comm/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/protocol.hpp"

namespace cairn::comm {

namespace {

[[noreturn]] void refuse(const char* key, const std::string& problem) {
  throw ConfigError({.file = "", .line = 0, .key = key}, problem);
}

void check_group(const platform::Platform& platform, const Collective& collective) {
  std::set<std::uint32_t> seen;
  for (const std::uint32_t rank : collective.group) {
    if (rank >= platform.device_count()) {
      refuse("group",
             fmt::format("device {} does not exist (expected 0 to {} on {})",
                         rank,
                         platform.device_count() - 1,
                         platform.name));
    }
    if (!seen.insert(rank).second) {
      refuse("group", fmt::format("device {} is listed twice (list each device once)", rank));
    }
  }
}

}  // namespace

void check(const platform::Platform& platform, const Collective& collective) {
  if (!(collective.size >= Bytes(0.0)) || !std::isfinite(collective.size.si())) {
    refuse("size",
           fmt::format("{} is not a valid size (expected 0 B or more)", to_text(collective.size)));
  }
  check_group(platform, collective);
  check_protocols(platform);
  const std::size_t devices =
      collective.group.empty() ? platform.device_count() : collective.group.size();
  if (collective.root != 0 && !info(collective.op).rooted) {
    refuse("root", fmt::format("{} has no root (remove it)", info(collective.op).name));
  }
  if (collective.root >= devices) {
    refuse("root",
           fmt::format("position {} does not exist (expected 0 to {}: the group has {} devices)",
                       collective.root,
                       devices - 1,
                       devices));
  }
  if (collective.op == Op::kSendReceive && devices != 2) {
    refuse("group",
           fmt::format("{} devices for send_receive (expected two, as in --group 0,1)", devices));
  }
  if (!collective.weights.empty() && collective.weights.size() != devices) {
    refuse(
        "weights",
        fmt::format(
            "{} weights for {} devices (expected one each)", collective.weights.size(), devices));
  }
}

}  // namespace cairn::comm
