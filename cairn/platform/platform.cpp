#include "cairn/platform/platform.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::platform {

std::string_view to_text(Routing routing) {
  switch (routing) {
    case Routing::kShortest:
      return "shortest";
    case Routing::kDimensionOrdered:
      return "dimension-ordered";
    case Routing::kMultipath:
      return "multi-path";
  }
  throw Bug("a routing without a name");
}

DimensionPlace place_in(const std::vector<std::uint32_t>& dims,
                        std::uint32_t rank,
                        std::size_t dim) {
  DimensionPlace place;
  for (std::size_t d = 0; d < dim; ++d) {
    place.stride *= dims[d];
  }
  place.width = dims.at(dim);
  place.coordinate = rank / place.stride % place.width;
  return place;
}

BytesPerSecond max_egress_bandwidth(const Platform& platform) {
  BytesPerSecond most(0.0);
  for (const Id<Node> device : platform.graph.devices()) {
    BytesPerSecond sum(0.0);
    for (const Id<Link> link : platform.graph.links_out(device)) {
      sum += platform.graph.class_of(link).bandwidth;
    }
    most = std::max(most, sum);
  }
  return most;
}

Watts power_without_devices(const Platform& platform) {
  Watts power = platform.system_power;
  for (const NodeClass& node_class : platform.graph.node_classes()) {
    power += static_cast<double>(node_class.count) * node_class.memory.power;
  }
  return power;
}

}  // namespace cairn::platform
