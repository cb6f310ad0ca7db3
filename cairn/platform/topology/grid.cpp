#include "cairn/platform/topology/grid.hpp"

#include "cairn/platform/grid_rings.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

enum class Ends : std::uint8_t { kClosed, kOpen };

// Cables along one dimension, device by device in rank order: from each to the next one up.
void add_dimension(Platform& platform, std::size_t dim, Ends ends, LinkClass both) {
  const std::string name = both.name;
  both.name = name + "+";
  const Id<LinkClass> up = platform.graph.add_link_class(both);
  both.name = name + "-";
  const Id<LinkClass> down = platform.graph.add_link_class(both);
  const std::vector<Id<Node>> devices(platform.graph.devices().begin(),
                                      platform.graph.devices().end());
  for (std::uint32_t rank = 0; rank < devices.size(); ++rank) {
    const DimensionPlace place = place_in(platform.dims, rank, dim);
    if (place.coordinate + 1 < place.width || ends == Ends::kClosed) {
      const std::uint32_t next = (place.coordinate + 1) % place.width;
      platform.graph.add_cable(devices[rank], devices[place.rank_at(rank, next)], up, down);
    }
  }
}

void add_devices(Graph& graph, std::uint32_t count) {
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    graph.add_node(device);
  }
}

Platform make_grid(const Grid& parameters, Ends ends, const Config& source) {
  const std::size_t dimensions = parameters.dims.size();
  if (dimensions == 0) {
    reject_key(source, "dims", "is empty (expected e.g. \"[4, 4]\")");
  }
  const auto bandwidth = one_each(source, "bandwidth", parameters.bandwidth, dimensions);
  const auto latency = one_each(source, "latency", parameters.latency, dimensions);
  check_size(source, "dims", size_of(parameters));
  Platform platform;
  platform.dims.assign(parameters.dims.begin(), parameters.dims.end());
  platform.routing = Routing::kDimensionOrdered;
  const auto count = static_cast<std::uint32_t>(product(parameters.dims));
  platform.graph.reserve(count, count * dimensions);
  add_devices(platform.graph, count);
  for (std::size_t dim = 0; dim < dimensions; ++dim) {
    if (parameters.dims[dim] > 1) {
      add_dimension(
          platform,
          dim,
          ends,
          {.name = dimension_name(dim), .bandwidth = bandwidth[dim], .latency = latency[dim]});
    }
  }
  platform.graph.index_links();
  return platform;
}

}  // namespace

std::string dimension_name(std::size_t dim) {
  constexpr std::string_view kLetters = "xyz";
  return dim < kLetters.size() ? std::string(1, kLetters[dim]) : "d" + std::to_string(dim);
}

const Schema<Ring1D>& schema_of(const Ring1D*) {
  static const auto kSchema =
      Schema<Ring1D>("ring", "devices connected in a ring")
          .required("devices", &Ring1D::devices, "number of devices", "8")
          .at_least(1)
          .required("bandwidth", &Ring1D::bandwidth, "link bandwidth, per direction", "25 GB/s")
          .positive()
          .optional("latency", &Ring1D::latency, "link latency")
          .not_negative();
  return kSchema;
}

Size size_of(const Ring1D& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  return {.devices = devices, .nodes = devices, .cables = devices};
}

Platform make_ring(const Ring1D& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  return make_torus({{parameters.devices}, {parameters.bandwidth}, {parameters.latency}}, source);
}

const Schema<ParallelRings>& schema_of(const ParallelRings*) {
  static const auto kSchema =
      Schema<ParallelRings>("rings", "parallel rings over the same order of devices")
          .required("devices", &ParallelRings::devices, "number of devices", "8")
          .at_least(1)
          .required("rings", &ParallelRings::rings, "number of rings", "3")
          .at_least(1)
          .required(
              "bandwidth", &ParallelRings::bandwidth, "link bandwidth, per direction", "25 GB/s")
          .positive()
          .optional("latency", &ParallelRings::latency, "link latency")
          .not_negative();
  return kSchema;
}

Size size_of(const ParallelRings& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  return {.devices = devices,
          .nodes = devices,
          .cables = devices * static_cast<double>(parameters.rings)};
}

Platform make_rings(const ParallelRings& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  Platform platform;
  platform.dims = {static_cast<std::uint32_t>(parameters.devices)};
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = true;
  platform.graph.reserve(parameters.devices, parameters.devices * parameters.rings);
  add_devices(platform.graph, platform.dims[0]);
  if (parameters.devices > 1) {
    // Cables that leave coordinate 0 upwards come first, as Router::ring_step expects of a
    // dimension of two.
    std::vector<Id<LinkClass>> classes;
    for (std::uint64_t ring = 0; ring < parameters.rings; ++ring) {
      for (const char* direction : {"+", "-"}) {
        classes.push_back(
            platform.graph.add_link_class({.name = "ring " + std::to_string(ring) + direction,
                                           .bandwidth = parameters.bandwidth,
                                           .latency = parameters.latency}));
      }
    }
    platform.rings.resize(parameters.rings);
    for (std::uint32_t rank = 0; rank < platform.dims[0]; ++rank) {
      const Id<Node> here = platform.graph.devices()[rank];
      const Id<Node> next = platform.graph.devices()[(rank + 1) % platform.dims[0]];
      for (std::size_t ring = 0; ring < parameters.rings; ++ring) {
        platform.rings[ring].links.push_back(
            platform.graph.add_cable(here, next, classes[2 * ring], classes[2 * ring + 1]));
      }
    }
  }
  platform.graph.index_links();
  mark_symmetric_rings(platform);
  return platform;
}

const Schema<Grid>& schema_of(const Grid*) {
  static const auto kSchema =
      Schema<Grid>("grid", "devices on an n-dimensional grid, connected to their neighbours")
          .required("dims", &Grid::dims, "devices along each dimension", "[4, 4, 4]")
          .at_least(1)
          .required("bandwidth",
                    &Grid::bandwidth,
                    "link bandwidth, per direction: one value, or one per dimension",
                    "[200 GB/s, 25 GB/s, 25 GB/s]")
          .positive()
          .optional("latency", &Grid::latency, "link latency: one value, or one per dimension")
          .not_negative();
  return kSchema;
}

// Exact for a torus; a mesh has fewer cables.
Size size_of(const Grid& parameters) {
  const double devices = product(parameters.dims);
  return {.devices = devices,
          .nodes = devices,
          .cables = devices * static_cast<double>(parameters.dims.size())};
}

Platform make_torus(const Grid& parameters, const Config& source) {
  Platform platform = make_grid(parameters, Ends::kClosed, source);
  platform.shift_symmetric = true;
  platform.rings = rings_of_torus(platform);
  mark_symmetric_rings(platform);
  return platform;
}

Platform make_mesh(const Grid& parameters, const Config& source) {
  Platform platform = make_grid(parameters, Ends::kOpen, source);
  platform.shift_symmetric = platform.device_count() == 1;
  platform.rings = rings_of_mesh(platform);
  return platform;
}

}  // namespace cairn::platform::topology
