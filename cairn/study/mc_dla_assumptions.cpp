#include "cairn/study/mc_dla_assumptions.hpp"

#include "cairn/model/networks/networks.hpp"

namespace cairn::study {

const Schema<McDlaAssumptions>& schema_of(const McDlaAssumptions*) {
  using A = McDlaAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "what the MC-DLA paper leaves unsaid")
          .required("pcie_bandwidth",
                    &A::pcie_bandwidth,
                    "of a PCIe gen3 link, each direction",
                    "11 GB/s")
          .positive()
          .optional("pcie_latency", &A::pcie_latency, "of a PCIe link")
          .not_negative()
          .optional("devices_per_uplink", &A::devices_per_uplink, "that share a link to the host")
          .at_least(1)
          .at_most(4)
          .optional("hop_latency", &A::hop_latency, "of a device link")
          .not_negative()
          .optional("store_and_forward", &A::store_and_forward, "by a memory-node")
          .not_negative()
          .optional("hc_rings", &A::hc_rings, "what HC-DLA's device links form")
          .optional("precision", &A::precision, "of training")
          .optional("batch", &A::batch, "samples")
          .whole()
          .at_least(1)
          .optional("batch_per", &A::batch_per, "data-parallel: of each device, or of all")
          .optional("recurrent_sync", &A::recurrent_sync, "of recurrent weight gradients")
          .optional("gradient_sync", &A::gradient_sync, "whether kernels wait for dW")
          .optional("reductions", &A::reductions, "the algorithm of all-reduce and all-gather")
          .optional("model_parallel_input", &A::model_parallel_input, "that is kept of X")
          .optional("partial_sum", &A::partial_sum, "of dX")
          .optional("pool_saves", &A::pool_saves, "for its backward pass")
          .optional("activation_saves", &A::activation_saves, "for its backward pass")
          .optional("overlay_state", &A::overlay_state, "gates and cell states are moved too")
          .optional("overlap", &A::overlap, "of transfers and kernels")
          .optional("recompute", &A::recompute, "of short layers")
          .optional("contention", &A::contention, "of collectives, transfers and kernels")
          .optional("alexnet_grouped", &A::alexnet_grouped, "three of its convolutions in halves")
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
                    "of a system node of the plane, and as many memory-nodes")
          .at_least(2)
          .optional("plane_links", &A::plane_links, "of a node of the plane, each to a switch")
          .at_least(1)
          .optional("plane_trunks", &A::plane_trunks, "from a switch to the other system nodes")
          .at_least(1)
          .optional("plane_switch_latency", &A::plane_switch_latency, "of a device-side switch")
          .not_negative()
          .optional("infiniband_bandwidth", &A::infiniband_bandwidth, "of a port, each direction")
          .positive()
          .optional("infiniband_latency", &A::infiniband_latency, "from device to device")
          .not_negative()
          .optional(
              "infiniband_devices_per_port", &A::infiniband_devices_per_port, "that share a port")
          .at_least(1);
  return kSchema;
}

}  // namespace cairn::study
