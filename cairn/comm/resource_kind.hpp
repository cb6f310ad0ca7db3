// What a resource of a program represents.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::comm {

enum class ResourceKind : std::uint8_t {
  kLink,
  kInjection,     // injection limit of a node
  kEndpoint,      // memory, cores, bus or ALUs of a device that execute collectives
  kDeviceMemory,  // as used by kernels and transfers
  kCores,         // as used by kernels
  kHostMemory,
  kMemoryNode,
};

}  // namespace cairn::comm

template <>
struct cairn::EnumNames<cairn::comm::ResourceKind> {
  using Kind = cairn::comm::ResourceKind;
  static constexpr std::array<EnumName<Kind>, 7> kNames{{{Kind::kLink, "link"},
                                                         {Kind::kInjection, "injection"},
                                                         {Kind::kEndpoint, "endpoint"},
                                                         {Kind::kDeviceMemory, "device memory"},
                                                         {Kind::kCores, "cores"},
                                                         {Kind::kHostMemory, "host memory"},
                                                         {Kind::kMemoryNode, "memory-node"}}};
};
