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

// Without model and strategy, which are the workload's. The paper's systems have eight devices;
// of another number of devices only DC-DLA, MC-DLA(L), MC-DLA(B) and the oracle are defined.
Design make_system(System system,
                   const chip::Device& device,
                   const McDlaAssumptions& assumptions,
                   std::uint32_t devices = kDevices);

// HC-DLA with this many of a device's six links to the host. What is left of them is spread over
// the three rings.
Design make_host_centric(std::uint32_t host_links,
                         BytesPerSecond socket_memory,
                         const chip::Device& device,
                         const McDlaAssumptions& assumptions);

// How system nodes are joined: by switches of their own device-side links (Fig. 15), or beside
// these by InfiniBand.
enum class Between : std::uint8_t { kPlane, kInfiniBand };

// System nodes of assumptions.plane_devices devices each. With InfiniBand, devices with the same
// place in their system node form a rail, a switch without limits, to which each has its part of a
// port; messages go there straight from device memory.
Design make_scale_out(Between between,
                      std::uint32_t system_nodes,
                      const chip::Device& device,
                      const McDlaAssumptions& assumptions);

// Of data- or model-parallel training.
plan::Strategy make_strategy(plan::Parallelism parallelism, const McDlaAssumptions& assumptions);

// Table II. The paper does not say how much memory it has, and its times do not depend on it.
chip::Device paper_device();

}  // namespace cairn::study
