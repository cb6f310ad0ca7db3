#include "cairn/study/mc_dla_systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/platform/topology/dc_dla.hpp"
#include "cairn/platform/topology/dgx1.hpp"
#include "cairn/platform/topology/islands.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/platform/topology/mc_dla_plane.hpp"
#include "cairn/platform/topology/switched.hpp"

namespace cairn::study {

namespace {

std::string recurrent(model::Cell cell, double hidden, std::uint32_t steps) {
  return fmt::format("recurrent, cell: {}, hidden: {}, steps: {}", enum_name(cell), hidden, steps);
}

platform::Platform make_platform(System system, const McDlaAssumptions& a, std::uint32_t devices) {
  namespace topology = platform::topology;
  switch (system) {
    case System::kDc:
    case System::kOracle:
      if (devices != kDevices) {
        return topology::make_dc_dla(
            {.devices = devices,
             .bandwidth = kLink,
             .latency = a.hop_latency,
             .pcie_bandwidth = a.pcie_bandwidth,
             .pcie_latency = a.pcie_latency,
             .devices_per_uplink = a.devices_per_uplink,
             .devices_per_socket = std::max(kDevicesPerSocket, devices / 2)});
      }
      return topology::make_cube_mesh({.bandwidth = kLink,
                                       .latency = a.hop_latency,
                                       .host = true,
                                       .pcie_bandwidth = a.pcie_bandwidth,
                                       .devices_per_uplink = a.devices_per_uplink,
                                       .pcie_latency = a.pcie_latency,
                                       .socket_memory_capacity = a.host_memory / kSockets});
    case System::kHc:
      return topology::make_hc_dla(
          {.bandwidth = kLink, .latency = a.hop_latency, .rings = a.hc_rings});
    case System::kStar:
      return topology::make_mc_dla_star_b(
          {.bandwidth = kLink, .latency = a.hop_latency, .store_and_forward = a.store_and_forward});
    case System::kLocal:
    case System::kAware:
      return topology::make_mc_dla_ring({.devices = devices,
                                         .bandwidth = kLink,
                                         .latency = a.hop_latency,
                                         .store_and_forward = a.store_and_forward});
  }
  throw Bug("a system without a platform");
}

}  // namespace

std::string_view to_text(System system) {
  constexpr std::array<std::string_view, kSystems.size()> kNames{
      "DC-DLA", "HC-DLA", "MC-DLA(S)", "MC-DLA(L)", "MC-DLA(B)", "DC-DLA(O)"};
  return kNames[static_cast<std::size_t>(system)];
}

model::ModelSource network_model(const std::string& network,
                                 const std::string& name,
                                 const McDlaAssumptions& a) {
  Config config = parse_config(fmt::format("{{network: {}}}", network), a.where.file);
  allow_unused(config);  // pool_saves has no effect without pooling
  return {std::move(config), name};
}

model::ModelSource workload_model(std::size_t index, const McDlaAssumptions& a) {
  const std::array<std::string, kWorkloads.size()> networks{
      fmt::format("alexnet, grouped: {}", a.alexnet_grouped),
      "googlenet",
      "vgg",
      "resnet",
      recurrent(model::Cell::kVanilla, a.gemv_hidden, 50),
      recurrent(model::Cell::kLstm, a.lstm_1_hidden, 25),
      recurrent(model::Cell::kLstm, a.lstm_2_hidden, 25),
      recurrent(model::Cell::kGru, a.gru_hidden, 187)};
  return network_model(fmt::format("{}, pool_saves: {}, activation_saves: {}",
                                   networks.at(index),
                                   enum_name(a.pool_saves),
                                   enum_name(a.activation_saves)),
                       std::string(kWorkloads.at(index).name),
                       a);
}

Design make_system(System system,
                   const chip::Device& device,
                   const McDlaAssumptions& a,
                   std::uint32_t devices) {
  const bool oracle = system == System::kOracle;
  Design design{
      .name = std::string(to_text(system)),
      .device = device,
      .platform = make_platform(system, a, devices),
      .memory = {.offload = oracle ? memory::Offload::kNone : memory::Offload::kEverything,
                 .overlap = a.overlap,
                 .recompute = a.recompute,
                 .offload_state = a.offload_state},
      .machine = {.collectives = comm::reductions_by(comm::parse_algorithm(a.reductions, a.where)),
                  .page_placement = system == System::kLocal
                                        ? platform::PagePlacement::kLocal
                                        : platform::PagePlacement::kBandwidthAware,
                  .contention = a.contention}};
  design.platform.name = design.name;
  return design;
}

Design make_host_centric(std::uint32_t host_links,
                         BytesPerSecond socket_memory,
                         const chip::Device& device,
                         const McDlaAssumptions& a) {
  Design design = make_system(System::kHc, device, a);
  design.platform = platform::topology::make_hc_dla({.bandwidth = kLink,
                                                     .latency = a.hop_latency,
                                                     .host_links = host_links,
                                                     .socket_memory_bandwidth = socket_memory});
  design.platform.name = design.name;
  return design;
}

Design make_scale_out(Between between,
                      std::uint32_t system_nodes,
                      const chip::Device& device,
                      const McDlaAssumptions& a) {
  namespace topology = platform::topology;
  const bool plane = between == Between::kPlane;
  Design design = make_system(System::kAware, device, a);
  design.name = plane ? "plane" : "InfiniBand";
  design.machine.collectives = comm::reductions_by({.algorithm = &comm::kHierarchical});
  design.platform = topology::make_mc_dla_plane({.devices = a.plane_devices,
                                                 .system_nodes = plane ? system_nodes : 1,
                                                 .links = a.plane_links,
                                                 .bandwidth = kLink,
                                                 .latency = a.hop_latency,
                                                 .switch_latency = a.plane_switch_latency,
                                                 .trunks = a.plane_trunks});
  if (!plane && system_nodes > 1) {
    // A message crosses two links of the rail.
    const auto rail =
        topology::make_switch({.devices = system_nodes,
                               .bandwidth = a.infiniband_bandwidth / a.infiniband_devices_per_port,
                               .latency = a.infiniband_latency / 2.0});
    design.platform = topology::join_islands(design.platform, rail);
  }
  design.platform.name = design.name;
  return design;
}

plan::Strategy make_strategy(plan::Parallelism parallelism, const McDlaAssumptions& a) {
  return {.parallelism = parallelism,
          .batch = a.batch,
          .batch_per = a.batch_per,
          .precision = a.precision,
          .gradient_sync = a.gradient_sync,
          .assumptions = {.recurrent_sync = a.recurrent_sync,
                          .model_parallel_input = a.model_parallel_input,
                          .partial_sum = a.partial_sum}};
}

chip::Device paper_device() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.name = "MC-DLA device";
  device.power = Watts(300.0);
  device.memory = {.capacity = Bytes::infinity(),
                   .bandwidth = BytesPerSecond(900e9),
                   .latency = Seconds(100e-9)};
  return device;
}

}  // namespace cairn::study
