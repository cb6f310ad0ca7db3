// The bottleneck of a result: its kind, and the resource if there is one.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cairn/base/schema.hpp"
#include "cairn/comm/resource_kind.hpp"

namespace cairn::explain {

using comm::ResourceKind;

enum class BoundKind : std::uint8_t {
  kNothing,
  kCompute,
  kCommunication,  // exposed; the resource is the busiest link
  kMemory,         // exposed; the resource is the busiest of all
  kIdle,
  kLaunch,      // kernel launch by the host
  kBackground,  // background kernels
  kPipeline,    // idle, waiting for other stages
  kLink,        // of collectives: link bandwidth
  kInjection,   // of collectives: injection limit of a node
  kEndpoint,    // of collectives: the endpoint
  kLatency,
  kWaiting,  // devices wait for each other
};

struct Bound {
  BoundKind kind = BoundKind::kNothing;
  std::string text{};      // for people: "memory (PCIe switch 0 -> host socket 0)"
  std::string resource{};  // empty: none

  bool operator==(const Bound&) const = default;
};

}  // namespace cairn::explain

namespace cairn {

template <>
struct EnumNames<explain::BoundKind> {
  using Kind = explain::BoundKind;
  static constexpr std::array<EnumName<Kind>, 13> kNames{{{Kind::kNothing, "nothing"},
                                                          {Kind::kCompute, "compute"},
                                                          {Kind::kCommunication, "communication"},
                                                          {Kind::kMemory, "memory"},
                                                          {Kind::kIdle, "idle"},
                                                          {Kind::kLaunch, "launch"},
                                                          {Kind::kBackground, "background"},
                                                          {Kind::kPipeline, "pipeline"},
                                                          {Kind::kLink, "link"},
                                                          {Kind::kInjection, "injection"},
                                                          {Kind::kEndpoint, "endpoint"},
                                                          {Kind::kLatency, "latency"},
                                                          {Kind::kWaiting, "waiting"}}};
};

}  // namespace cairn
