// A platform as a drawing in Graphviz format (dot -Tsvg, neato -Tsvg).
#pragma once

#include <string>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// Devices are boxes, memory-nodes cylinders, switches and PCIe switches diamonds, host sockets
// hexagons. Parallel cables are one line, labelled with their number and bandwidth.
std::string to_dot(const Platform& platform);

}  // namespace cairn::platform
