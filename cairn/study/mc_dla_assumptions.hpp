// Choices that the MC-DLA paper leaves open, as inputs.
#pragma once

#include <cstdint>
#include <string>

#include "cairn/base/schema.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/model/net.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/platform/topology/dgx1.hpp"

namespace cairn::study {

struct McDlaAssumptions {
  BytesPerSecond pcie_bandwidth{};
  Seconds pcie_latency{500e-9};
  std::uint32_t devices_per_uplink = 2;
  Seconds hop_latency{300e-9};
  Bytes store_and_forward{4096.0};
  platform::topology::HostCentricRings hc_rings =
      platform::topology::HostCentricRings::kHalfBandwidth;
  chip::Precision precision = chip::Precision::kFp16;
  double batch = 512.0;
  plan::BatchPer batch_per = plan::BatchPer::kDevice;
  plan::RecurrentSync recurrent_sync = plan::RecurrentSync::kEveryStep;
  plan::GradientSync gradient_sync = plan::GradientSync::kOverlapped;
  std::string reductions = "rings";
  plan::ModelParallelInput model_parallel_input = plan::ModelParallelInput::kSlice;
  plan::PartialSum partial_sum = plan::PartialSum::kAllReduce;
  model::PoolSaves pool_saves = model::PoolSaves::kIndices;
  model::ActivationSaves activation_saves = model::ActivationSaves::kMask;
  bool offload_state = false;
  memory::Overlap overlap = memory::Overlap::kLayer;
  bool recompute = true;
  bool contention = true;
  bool alexnet_grouped = false;
  double gemv_hidden = 2560.0;
  double lstm_1_hidden = 1024.0;
  double lstm_2_hidden = 4096.0;
  double gru_hidden = 2816.0;
  // The scale-out plane.
  std::uint32_t plane_devices = 4;
  std::uint32_t plane_links = 3;
  std::uint32_t plane_trunks = 8;
  Seconds plane_switch_latency{100e-9};
  BytesPerSecond infiniband_bandwidth{12.5e9};
  Seconds infiniband_latency{1e-6};
  std::uint32_t infiniband_devices_per_port = 2;

  // All host sockets together; set by the part of the study that needs it.
  Bytes host_memory = Bytes::infinity();

  Where where{};  // in the file, for errors about infeasible cases
};

const Schema<McDlaAssumptions>& schema_of(const McDlaAssumptions*);

}  // namespace cairn::study
