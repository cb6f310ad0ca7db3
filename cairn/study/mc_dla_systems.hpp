// The eight workloads and six systems of the MC-DLA paper.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/design.hpp"
#include "cairn/study/mc_dla_assumptions.hpp"

namespace cairn::study {

enum class System : std::uint8_t { kDc, kHc, kStar, kLocal, kAware, kOracle };

inline constexpr std::array kSystems{
    System::kDc, System::kHc, System::kStar, System::kLocal, System::kAware, System::kOracle};

// "DC-DLA", "HC-DLA", "MC-DLA(S)", "MC-DLA(L)", "MC-DLA(B)", "DC-DLA(O)".
std::string_view to_text(System system);

inline constexpr BytesPerSecond kLink{25e9};  // Table II, each direction
inline constexpr std::uint32_t kDevices = 8;
inline constexpr std::uint32_t kDevicesPerSocket = 4;
inline constexpr double kSockets = kDevices / kDevicesPerSocket;

struct WorkloadName {
  std::string_view name;
  bool convolutional;
};

// Table III.
inline constexpr std::array<WorkloadName, 8> kWorkloads{{{"AlexNet", true},
                                                         {"GoogLeNet", true},
                                                         {"VGG-E", true},
                                                         {"ResNet", true},
                                                         {"RNN-GEMV", false},
                                                         {"RNN-LSTM-1", false},
                                                         {"RNN-LSTM-2", false},
                                                         {"RNN-GRU", false}}};

// Workload `index` of kWorkloads.
model::ModelSource workload_model(std::size_t index, const McDlaAssumptions& assumptions);

// A network as a user would write it: "resnet, bottleneck: true".
model::ModelSource network_model(const std::string& network,
                                 const std::string& name,
                                 const McDlaAssumptions& assumptions);

// The system without model and strategy, which the workload sets. The paper's systems have eight
// devices; with other numbers only DC-DLA, MC-DLA(L), MC-DLA(B) and the oracle are defined.
Design make_system(System system,
                   const chip::Device& device,
                   const McDlaAssumptions& assumptions,
                   std::uint32_t devices = kDevices);

// HC-DLA with this many of a device's six links to the host. The three rings share the others.
Design make_host_centric(std::uint32_t host_links,
                         BytesPerSecond socket_memory,
                         const chip::Device& device,
                         const McDlaAssumptions& assumptions);

// The interconnect of system nodes: switches of the device-side links (Fig. 15), or InfiniBand in
// addition to these links.
enum class Between : std::uint8_t { kPlane, kInfiniBand };

// System nodes of assumptions.plane_devices devices each. With InfiniBand, devices with the same
// index in their system node form a rail: a non-blocking switch, to which each device has its share
// of a port. Messages are sent directly from device memory.
Design make_scale_out(Between between,
                      std::uint32_t system_nodes,
                      const chip::Device& device,
                      const McDlaAssumptions& assumptions);

// Data- or model-parallel training.
plan::Strategy make_strategy(plan::Parallelism parallelism, const McDlaAssumptions& assumptions);

// Table II. The paper does not state the memory capacity, and its times do not depend on it.
chip::Device paper_device();

}  // namespace cairn::study
