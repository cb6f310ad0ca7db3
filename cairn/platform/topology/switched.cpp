#include "cairn/platform/topology/switched.hpp"

#include <vector>

namespace cairn::platform::topology {

const Schema<Star>& schema_of(const Star*) {
  static const auto kSchema =
      Schema<Star>("switch", "devices around one switch, or several identical switches")
          .required("devices", &Star::devices, "number of devices", "8")
          .at_least(1)
          .optional("planes", &Star::planes, "switches, each connected to every device")
          .at_least(1)
          .required("bandwidth",
                    &Star::bandwidth,
                    "bandwidth between a device and one switch, per direction",
                    "450 GB/s")
          .positive()
          .optional("latency", &Star::latency, "link latency; a message crosses two links")
          .not_negative();
  return kSchema;
}

Size size_of(const Star& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  const auto planes = static_cast<double>(parameters.planes);
  return {.devices = devices, .nodes = devices + planes, .cables = devices * planes};
}

Platform make_switch(const Star& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {static_cast<std::uint32_t>(parameters.devices)};
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = platform.exchange_symmetric = true;
  platform.interchange = {Interchange::kEach};
  graph.reserve(parameters.devices + parameters.planes, parameters.devices * parameters.planes);
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "switch"});
  const auto up = graph.add_link_class({"up", parameters.bandwidth, parameters.latency});
  const auto down = graph.add_link_class({"down", parameters.bandwidth, parameters.latency});
  for (std::uint64_t d = 0; d < parameters.devices; ++d) {
    graph.add_node(device);
  }
  for (std::uint64_t p = 0; p < parameters.planes; ++p) {
    const Id<Node> plane = graph.add_node(hub);
    for (std::uint64_t d = 0; d < parameters.devices; ++d) {
      graph.add_cable(graph.devices()[d], plane, up, down);
    }
  }
  graph.index_links();
  return platform;
}

const Schema<Dgx2>& schema_of(const Dgx2*) {
  static const auto kSchema =
      Schema<Dgx2>("dgx2", "16 devices on two boards of six switches")
          .optional("bandwidth", &Dgx2::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &Dgx2::latency, "link latency")
          .not_negative();
  return kSchema;
}

Platform make_dgx2(const Dgx2& parameters, const Config& /*source*/) {
  constexpr std::uint32_t kDevicesPerBoard = 8;
  constexpr std::uint32_t kSwitchesPerBoard = 6;
  constexpr std::uint32_t kTrunks = 8;  // cables between a switch and its partner
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {kDevicesPerBoard, 2};
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = true;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "NVSwitch"});
  const auto up = graph.add_link_class({"up", parameters.bandwidth, parameters.latency});
  const auto down = graph.add_link_class({"down", parameters.bandwidth, parameters.latency});
  const auto trunk = graph.add_link_class({"trunk", parameters.bandwidth, parameters.latency});
  for (std::uint32_t d = 0; d < 2 * kDevicesPerBoard; ++d) {
    graph.add_node(device);
  }
  std::vector<Id<Node>> switches;
  for (std::uint32_t s = 0; s < 2 * kSwitchesPerBoard; ++s) {
    switches.push_back(graph.add_node(hub));
    const std::uint32_t board = s / kSwitchesPerBoard;
    for (std::uint32_t d = 0; d < kDevicesPerBoard; ++d) {
      graph.add_cable(graph.devices()[board * kDevicesPerBoard + d], switches[s], up, down);
    }
  }
  for (std::uint32_t s = 0; s < kSwitchesPerBoard; ++s) {
    for (std::uint32_t t = 0; t < kTrunks; ++t) {
      graph.add_cable(switches[s], switches[s + kSwitchesPerBoard], trunk);
    }
  }
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
