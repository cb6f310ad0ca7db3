// The hardware that a step runs on.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::explain {

struct System {
  const chip::Device& device;
  const platform::Platform& platform;
  const comm::Endpoint& endpoint;  // of collectives
};

}  // namespace cairn::explain
