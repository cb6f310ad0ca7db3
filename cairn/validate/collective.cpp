// Collectives and transfers between devices of a platform, one at a time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cairn/base/must_have.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

struct Measured {
  comm::Op op = comm::Op::kAllReduce;
  std::uint32_t devices = 0;
  std::uint32_t per_node = 0;  // devices per node, the platform's first dimension
  Bytes size{};
  Seconds time{};
};

// Other names of collectives in libraries.
constexpr std::array<std::pair<std::string_view, comm::Op>, 2> kOtherNames{
    {{"send_recv", comm::Op::kSendReceive}, {"alltoall", comm::Op::kAllToAll}}};

comm::Op op_of(const MeasuredRow& row, std::string_view column) {
  const std::string& text = row.text(column);
  const auto other =
      std::ranges::find(kOtherNames, text, &decltype(kOtherNames)::value_type::first);
  if (other != kOtherNames.end()) {
    return other->second;
  }
  const auto known = std::ranges::find(comm::ops(), text, &comm::OpInfo::name);
  if (known == comm::ops().end()) {
    row.reject(column, "is not a collective (expected e.g. all_reduce)");
  }
  return known->op;
}

const char* class_of(Bytes size) {
  constexpr Bytes kSmall(256.0 * 1024.0);
  constexpr Bytes kLarge(1024.0 * 1024.0);
  if (size < kSmall) {
    return "below 256 KiB";
  }
  return size < kLarge ? "256 KiB to 1 MiB" : "1 MiB and more";
}

// The first devices of the first nodes.
std::vector<std::uint32_t> group_of(const Measured& measured, std::uint32_t node_width) {
  std::vector<std::uint32_t> group;
  for (std::uint32_t node = 0; node < measured.devices / measured.per_node; ++node) {
    for (std::uint32_t device = 0; device < measured.per_node; ++device) {
      group.push_back(node * node_width + device);
    }
  }
  return group;
}

// The algorithm of the platform's protocols for the operation, which were fitted with it; without
// any, auto.
std::string measured_algorithm(const platform::Platform& platform, comm::Op op) {
  for (const platform::Protocol& protocol : platform.protocols) {
    const bool supports =
        std::ranges::find(protocol.ops, comm::info(op).name) != protocol.ops.end();
    if (supports && !protocol.algorithms.empty()) {
      return protocol.algorithms.front();
    }
  }
  return "auto";
}

void predict(const MeasuredRow& row,
             const Measured& measured,
             const Subject& subject,
             Comparison& comparison) {
  const platform::Platform& platform =
      must_have(subject.devices, "collectives compared with no platform");
  const std::uint32_t nodes = measured.devices / measured.per_node;
  const std::uint32_t node_width = platform.dims.front();
  const std::string where = nodes == 1 ? fmt::format("{} devices", measured.devices)
                                       : fmt::format("{} nodes of {}", nodes, measured.per_node);
  const std::string name =
      fmt::format("{} of {} B, {}", comm::info(measured.op).name, measured.size.si(), where);
  if (measured.per_node > node_width || nodes > platform.device_count() / node_width) {
    comparison.skipped.push_back({name,
                                  row.line(),
                                  fmt::format("{} has {} nodes of {} devices",
                                              platform.name,
                                              platform.device_count() / node_width,
                                              node_width)});
    return;
  }
  const auto result = evaluate_collective(
      platform,
      {.op = measured.op, .size = measured.size, .group = group_of(measured, node_width)},
      {.algorithm = measured_algorithm(platform, measured.op)});
  if (!result) {
    comparison.skip(name, row.line(), result.reason());
    return;
  }
  comparison.cases.push_back({.name = name,
                              .group = fmt::format("{}, {}", where, class_of(measured.size)),
                              .shape = where,
                              .line = row.line(),
                              .measured = measured.time,
                              .predicted = result->time,
                              .bound_by = result->protocol.empty()
                                              ? result->bound.text
                                              : result->algorithm + ", " + result->protocol});
}

// Rejects devices that the nodes do not divide.
void check_devices(const MeasuredRow& row, const Measured& measured) {
  if (measured.devices % measured.per_node != 0) {
    row.reject("devices_per_node",
               fmt::format("does not divide {} devices into nodes", measured.devices));
  }
}

}  // namespace

void predict_collective(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  Measured measured{.op = op_of(row, "op"),
                    .devices = row.count("devices", 2),
                    .per_node = row.count("devices_per_node"),
                    .size = Bytes(row.positive("bytes")),
                    .time = microseconds(row, "time_us")};
  // measure_gpu writes the devices of the node, of which `devices` take part.
  measured.per_node = std::min(measured.per_node, measured.devices);
  check_devices(row, measured);
  predict(row, measured, subject, comparison);
}

void predict_vidur_collective(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr double kMilli = 1e-3;
  const std::string median = fmt::format("time_stats.{}.median", row.text("collective"));
  Measured measured{.op = op_of(row, "collective"),
                    .devices = row.count("num_workers", 2),
                    .per_node = row.count("devices_per_node"),
                    .size = Bytes(row.positive("size")),
                    .time = Seconds(row.positive(median) * kMilli)};
  check_devices(row, measured);
  predict(row, measured, subject, comparison);
}

}  // namespace cairn::validate
