#include "cairn/study/mc_dla_assumptions.hpp"

#include "cairn/model/networks/networks.hpp"

namespace cairn::study {

const Schema<McDlaAssumptions>& schema_of(const McDlaAssumptions*) {
  using A = McDlaAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "choices the MC-DLA paper leaves open")
          .required("pcie_bandwidth",
                    &A::pcie_bandwidth,
                    "bandwidth of a PCIe gen3 link, per direction",
                    "11 GB/s")
          .positive()
          .optional("pcie_latency", &A::pcie_latency, "latency of a PCIe link")
          .not_negative()
          .optional(
              "devices_per_uplink", &A::devices_per_uplink, "devices that share a link to the host")
          .at_least(1)
          .at_most(4)
          .optional("hop_latency", &A::hop_latency, "latency of a device link")
          .not_negative()
          .optional("store_and_forward",
                    &A::store_and_forward,
                    "bytes a memory-node stores before forwarding")
          .not_negative()
          .optional("hc_rings", &A::hc_rings, "rings of HC-DLA's device links")
          .optional("precision", &A::precision, "training precision")
          .optional("batch", &A::batch, "samples")
          .whole()
          .at_least(1)
          .optional("batch_per",
                    &A::batch_per,
                    "scope of the batch, if data-parallel: each device, or all")
          .optional("recurrent_sync",
                    &A::recurrent_sync,
                    "when recurrent weight gradients are all-reduced")
          .optional("gradient_sync", &A::gradient_sync, "whether kernels wait for dW")
          .optional("reductions", &A::reductions, "algorithm of all-reduce and all-gather")
          .optional("model_parallel_input", &A::model_parallel_input, "part of X kept for dW")
          .optional("partial_sum", &A::partial_sum, "collective for partial sums of dX")
          .optional("pool_saves", &A::pool_saves, "saved for the backward pass of pooling")
          .optional("activation_saves", &A::activation_saves, "saved for the backward pass of ReLU")
          .optional("offload_state", &A::offload_state, "offload gates and cell states too")
          .optional("overlap", &A::overlap, "overlap of transfers and kernels")
          .optional("recompute", &A::recompute, "recompute cheap layers")
          .optional(
              "contention", &A::contention, "contention of collectives, transfers and kernels")
          .optional("alexnet_grouped", &A::alexnet_grouped, "group three of AlexNet's convolutions")
          .optional("gemv_hidden", &A::gemv_hidden, "hidden units of RNN-GEMV")
          .whole()
          .at_least(1)
          .optional("lstm_1_hidden", &A::lstm_1_hidden, "hidden units of RNN-LSTM-1")
          .whole()
          .at_least(1)
          .optional("lstm_2_hidden", &A::lstm_2_hidden, "hidden units of RNN-LSTM-2")
          .whole()
          .at_least(1)
          .optional("gru_hidden", &A::gru_hidden, "hidden units of RNN-GRU")
          .whole()
          .at_least(1)
          .optional("plane_devices",
                    &A::plane_devices,
                    "devices per system node, and as many memory-nodes")
          .at_least(2)
          .optional("plane_links", &A::plane_links, "links per node, each to another switch")
          .at_least(1)
          .optional("plane_trunks", &A::plane_trunks, "trunks per switch to other system nodes")
          .at_least(1)
          .optional(
              "plane_switch_latency", &A::plane_switch_latency, "latency of a device-side switch")
          .not_negative()
          .optional("infiniband_bandwidth",
                    &A::infiniband_bandwidth,
                    "bandwidth of a port, per direction")
          .positive()
          .optional("infiniband_latency", &A::infiniband_latency, "latency between devices")
          .not_negative()
          .optional("infiniband_devices_per_port",
                    &A::infiniband_devices_per_port,
                    "devices that share a port")
          .at_least(1);
  return kSchema;
}

}  // namespace cairn::study
