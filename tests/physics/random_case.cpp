#include "tests/physics/random_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "cairn/comm/algorithm.hpp"

namespace cairn::random_case {

// Full size from the first case on: otherwise early cases stay close to `first`.
std::uint32_t in_range(std::uint32_t first, std::uint32_t last) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(first, last + 1));
}

namespace {

// Few values, so that links are often equal and often not.
std::string bandwidth() {
  return *rc::gen::element<std::string>("25 GB/s", "50 GB/s", "37.3 GB/s");
}

std::string latency() {
  return *rc::gen::element<std::string>("0 ns", "100 ns", "500 ns", "333.3 ns");
}

std::string speeds() {
  return fmt::format("bandwidth: {}\nlatency: {}\n", bandwidth(), latency());
}

std::string speed_per_level(std::size_t levels) {
  std::vector<std::string> bandwidths;
  std::vector<std::string> latencies;
  for (std::size_t l = 0; l < levels; ++l) {
    bandwidths.push_back(bandwidth());
    latencies.push_back(latency());
  }
  return fmt::format(
      "bandwidth: [{}]\nlatency: [{}]\n", fmt::join(bandwidths, ", "), fmt::join(latencies, ", "));
}

std::vector<std::uint32_t> widths(std::uint32_t most_dims, std::uint32_t least) {
  std::vector<std::uint32_t> dims(in_range(1, most_dims));
  for (std::uint32_t& width : dims) {
    width = in_range(least, dims.size() == 3 ? 3 : 5);
  }
  return dims;
}

// An injection limit of devices, or none.
std::string injection() {
  return *rc::gen::element<std::string>("", "", "injection: 30 GB/s\n");
}

std::string ring() {
  return fmt::format("topology: ring\ndevices: {}\n", in_range(1, 12)) + speeds() + injection();
}

std::string rings() {
  return fmt::format("topology: rings\ndevices: {}\nrings: {}\n", in_range(1, 9), in_range(1, 3)) +
         speeds() + injection();
}

std::string torus() {
  const auto dims = widths(3, 1);
  return fmt::format("topology: torus\ndims: [{}]\n", fmt::join(dims, ", ")) +
         speed_per_level(dims.size()) + injection();
}

std::string mesh() {
  const auto dims = widths(3, 1);
  return fmt::format("topology: mesh\ndims: [{}]\n", fmt::join(dims, ", ")) +
         speed_per_level(dims.size());
}

std::string star() {
  return fmt::format(
             "topology: switch\ndevices: {}\nplanes: {}\n", in_range(1, 12), in_range(1, 3)) +
         speeds() + injection();
}

std::string fully_connected() {
  return fmt::format("topology: fully_connected\ndevices: {}\n", in_range(1, 9)) + speeds() +
         injection();
}

std::string fat_tree() {
  const auto dims = widths(3, 2);
  const bool per_level = *rc::gen::arbitrary<bool>();
  return fmt::format("topology: fat_tree\ndims: [{}]\n", fmt::join(dims, ", ")) +
         (per_level ? speed_per_level(dims.size())
                    : speeds() + fmt::format("oversubscription: {}\n", in_range(1, 3))) +
         *rc::gen::element<std::string>("", "routing: shortest\n");
}

std::string islands() {
  const auto island = *rc::gen::element<std::string>("switch:4@50GB/s,100ns",
                                                     "fully_connected:3@25GB/s,500ns",
                                                     "ring:4@50GB/s,100ns",
                                                     "torus:2x3@25GB/s,100ns",
                                                     "rings:3x2@25GB/s,100ns",
                                                     "mc_dla_ring:2x2@25GB/s,100ns",
                                                     "mesh:3@25GB/s");
  const auto between = *rc::gen::element<std::string>("switch:3@25GB/s,500ns",
                                                      "fat_tree:2x2@25GB/s,1us",
                                                      "ring:4@37GB/s,500ns",
                                                      "fully_connected:3@12GB/s",
                                                      "torus:2x2@50GB/s,1us",
                                                      "mesh:2x2@50GB/s,1us");
  return fmt::format("topology: islands\nisland: \"{}\"\nbetween: \"{}\"\n", island, between);
}

std::string eight_devices() {
  return fmt::format("topology: {}\n",
                     *rc::gen::element<std::string>("cube_mesh",
                                                    "cube_mesh\nhost: true",
                                                    "hc_dla",
                                                    "hc_dla\nrings: one_ring",
                                                    "mc_dla_star_a",
                                                    "mc_dla_star_b")) +
         speeds();
}

std::string memory_ring() {
  return fmt::format(
             "topology: mc_dla_ring\ndevices: {}\nrings: {}\nstore_and_forward: {}\n"
             "memory_node: {{dimm_bandwidth: {}}}\n",
             in_range(1, 9),
             in_range(1, 3),
             *rc::gen::element<std::string>("0 B", "4 KiB"),
             *rc::gen::element<std::string>("6 GB/s", "25.6 GB/s")) +
         speeds();
}

std::string memory_plane() {
  const std::uint32_t system_nodes = in_range(1, 4);
  const std::string between =
      *rc::gen::element<std::string>("", "trunks: 1\n", "trunks: 2\ntrunk_latency: 1 us\n");
  return fmt::format(
             "topology: mc_dla_plane\ndevices: {}\nsystem_nodes: {}\nlinks: {}\n"
             "memory_links: {}\nswitch_latency: {}\n{}",
             in_range(1, 4),
             system_nodes,
             in_range(2, 3),
             in_range(0, 1),
             latency(),
             system_nodes > 1 ? between : std::string()) +
         speeds() + injection();
}

std::string dragonfly() {
  return fmt::format("topology: dragonfly\ngroups: {}\nrouters: 2\ndevices: {}\nglobal_links: 2\n",
                     in_range(1, 4),
                     in_range(1, 2)) +
         speed_per_level(3);
}

// Groups of unequal devices around one or two switches, which refinement folds in part.
std::string unequal_groups() {
  return fmt::format(
      "topology: graph\n"
      "nodes: [{{name: a, count: {}}}, {{name: b, count: {}}}, {{name: s, kind: switch}}, "
      "{{name: t, kind: switch}}]\n"
      "links:\n"
      "  - {{from: a, to: s, bandwidth: {}, latency: {}}}\n"
      "  - {{from: b, to: t, bandwidth: {}, latency: {}}}\n"
      "  - {{from: s, to: t, bandwidth: {}, latency: {}, count: {}}}\n",
      in_range(2, 6),
      in_range(2, 6),
      bandwidth(),
      latency(),
      bandwidth(),
      latency(),
      bandwidth(),
      latency(),
      in_range(1, 2));
}

// Devices that reach their host over the links of collectives.
std::string hosted_groups() {
  return fmt::format(
      "topology: graph\n"
      "nodes: [{{name: a, count: {}}}, {{name: b, count: {}}}, {{name: s, kind: switch}}, "
      "{{name: t, kind: switch}}, {{name: h, kind: host_socket}}]\n"
      "links:\n"
      "  - {{from: a, to: s, bandwidth: {}, latency: {}}}\n"
      "  - {{from: b, to: t, bandwidth: {}, latency: {}}}\n"
      "  - {{from: s, to: t, bandwidth: {}, latency: {}}}\n"
      "  - {{from: t, to: h, bandwidth: {}, latency: {}}}\n",
      in_range(2, 4),
      in_range(2, 4),
      bandwidth(),
      latency(),
      bandwidth(),
      latency(),
      bandwidth(),
      latency(),
      bandwidth(),
      latency());
}

// A tree and additional links, each direction with its own speed.
std::string any_graph() {
  const std::uint32_t devices = in_range(2, 8);
  std::string yaml =
      fmt::format("topology: graph\nrouting: {}\nnodes: [{{name: d, count: {}}}]\nlinks:\n",
                  *rc::gen::element<std::string>("shortest", "multipath"),
                  devices);
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    yaml +=
        fmt::format("  - {{from: d{}, to: d{}, bandwidth: {}, bandwidth_back: {}, latency: {}}}\n",
                    a,
                    b,
                    bandwidth(),
                    bandwidth(),
                    latency());
  };
  for (std::uint32_t d = 1; d < devices; ++d) {
    link(in_range(0, d - 1), d);
  }
  for (std::uint32_t more = in_range(0, devices); more > 0; --more) {
    const std::uint32_t a = in_range(0, devices - 1);
    const std::uint32_t b = in_range(0, devices - 1);
    if (a != b) {
      link(a, b);
    }
  }
  return yaml;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> kAll{{"ring", ring},
                                        {"rings", rings},
                                        {"torus", torus},
                                        {"mesh", mesh},
                                        {"switch", star},
                                        {"fully_connected", fully_connected},
                                        {"fat_tree", fat_tree},
                                        {"islands", islands},
                                        {"eight_devices", eight_devices},
                                        {"mc_dla_ring", memory_ring},
                                        {"mc_dla_plane", memory_plane},
                                        {"dragonfly", dragonfly},
                                        {"unequal_groups", unequal_groups},
                                        {"hosted_groups", hosted_groups},
                                        {"any_graph", any_graph}};
  return kAll;
}

comm::Collective collective(const platform::Platform& platform) {
  comm::Collective result;
  const std::uint32_t devices = platform.device_count();
  result.op = comm::ops()[in_range(0, static_cast<std::uint32_t>(comm::ops().size()) - 1)].op;
  const bool pair = result.op == comm::Op::kSendReceive;
  if (pair && devices < 2) {
    result.op = comm::Op::kAllReduce;
  }
  std::uint32_t members = devices;
  if ((pair && devices > 2) || in_range(0, 2) == 0) {
    members = pair ? std::min(2U, devices) : in_range(1, devices);
    std::vector<std::uint32_t> ranks(devices);
    std::iota(ranks.begin(), ranks.end(), 0U);
    const auto seed = in_range(0, 1000);
    std::mt19937 shuffle(seed);
    std::shuffle(ranks.begin(), ranks.end(), shuffle);
    ranks.resize(members);
    if (*rc::gen::arbitrary<bool>()) {
      std::ranges::sort(ranks);
    }
    result.group = ranks;
  }
  result.size = Bytes(*rc::gen::element(1.0, 1000.0, 65537.0, 1e6, 12345678.9));
  result.root = comm::info(result.op).rooted ? in_range(0, members - 1) : 0;
  if (result.op == comm::Op::kAllToAll && *rc::gen::arbitrary<bool>()) {
    for (std::uint32_t i = 0; i < members; ++i) {
      result.weights.push_back(in_range(i == 0 ? 1 : 0, 5));
    }
  }
  return result;
}

// Any endpoint, from negligible to the bottleneck of everything.
comm::Endpoint endpoint() {
  const auto rate = [] { return BytesPerSecond(*rc::gen::element(3e9, 40e9, 250e9, 1e15)); };
  comm::Endpoint result;
  result.executor =
      *rc::gen::element(comm::Executor::kIdeal, comm::Executor::kCores, comm::Executor::kEngine);
  result.accounting = *rc::gen::element(comm::Accounting::kPaper, comm::Accounting::kExact);
  result.reads_per_sent = *rc::gen::element(1.5, 2.0);
  result.memory = rate();
  result.cores_move = rate();
  result.bus = rate();
  return result;
}

CollectiveOptions options(const platform::Platform& platform, const comm::Collective& collective) {
  const comm::GroupLayout layout = comm::make_group_layout(platform, collective.group);
  std::vector<std::string> able;
  for (const comm::Algorithm* algorithm : comm::algorithms()) {
    if (algorithm->supports(collective.op, layout)) {
      able.emplace_back(algorithm->name);
    }
  }
  CollectiveOptions result;
  if (!able.empty()) {
    result.algorithm = able[in_range(0, static_cast<std::uint32_t>(able.size()) - 1)];
  }
  result.chunks = *rc::gen::element(1U, 1U, 2U, 3U, 7U);
  result.window = *rc::gen::element(64U, 1U, 2U, 3U);
  result.steps = *rc::gen::arbitrary<bool>();
  result.endpoint = endpoint();
  // Engines with memory for a few chunks, of all phases of any algorithm.
  const double chunk = collective.size.si() / *result.chunks;
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  comm::EngineLimits& engine = result.endpoint.engine;
  engine.sram = Bytes(chunk * *rc::gen::element(kNoLimit, 30.0, 60.0));
  engine.fsms = *rc::gen::element(kNoLimit, 24.0, 40.0);
  engine.alus = BytesPerSecond(*rc::gen::element(3e9, 250e9, kNoLimit));
  engine.packet = Bytes(*rc::gen::element(0.0, 256.0));
  engine.split = *rc::gen::element(
      chip::EngineSplit::kHeuristic, chip::EngineSplit::kTime, chip::EngineSplit::kEqual);
  engine.order = *rc::gen::element(chip::EngineOrder::kFifo, chip::EngineOrder::kLifo);
  return result;
}

std::string to_text(const comm::Endpoint& endpoint) {
  return fmt::format("{}, {}, {} {} {}, engine of {} B, {} FSMs, {} B/s, packets of {} B, {}, {}",
                     enum_name(endpoint.executor),
                     enum_name(endpoint.accounting),
                     endpoint.memory.si(),
                     endpoint.cores_move.si(),
                     endpoint.bus.si(),
                     endpoint.engine.sram.si(),
                     endpoint.engine.fsms,
                     endpoint.engine.alus.si(),
                     endpoint.engine.packet.si(),
                     enum_name(endpoint.engine.split),
                     enum_name(endpoint.engine.order));
}

std::string to_text(const comm::Collective& collective, const CollectiveOptions& options) {
  return fmt::format(
      "{} of {} B, group [{}], root {}, weights [{}], {}, chunks {}, window {}{}, {}",
      comm::info(collective.op).name,
      collective.size.si(),
      fmt::join(collective.group, ","),
      collective.root,
      fmt::join(collective.weights, ","),
      options.algorithm,
      options.chunks.value_or(0),
      options.window.value_or(0),
      options.steps ? ", steps" : "",
      to_text(options.endpoint));
}

}  // namespace cairn::random_case
