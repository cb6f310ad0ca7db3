// What limits a result: a kind, and the resource if it is one.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::explain {

enum class BoundKind : std::uint8_t {
  kNothing,
  kCompute,
  kCommunication,  // exposed; the resource: the busiest link
  kMemory,         // exposed; the resource: the busiest of all
  kIdle,
  kLaunch,      // of kernels by the host
  kBackground,  // kernels in the background
  kPipeline,    // idle for other stages
  kLink,        // of collectives: the bandwidth of the resource
  kInjection,   // likewise, of a node
  kEndpoint,    // likewise, of who executes it
  kLatency,
  kWaiting,  // for each other
};

enum class ResourceKind : std::uint8_t {
  kLink,
  kInjection,  // what a node sends in all
  kEndpoint,   // a device's memory, cores, bus or ALUs, of who executes collectives
  kOther,      // a device's or node's memory, as kernels and transfers use it
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

template <>
struct EnumNames<explain::ResourceKind> {
  using Kind = explain::ResourceKind;
  static constexpr std::array<EnumName<Kind>, 4> kNames{{{Kind::kLink, "link"},
                                                         {Kind::kInjection, "injection"},
                                                         {Kind::kEndpoint, "endpoint"},
                                                         {Kind::kOther, "other"}}};
};

}  // namespace cairn
