#include "cairn/memory/policy.hpp"

namespace cairn::memory {

const Schema<Compression>& schema_of(const Compression*) {
  static const auto kSchema =
      Schema<Compression>("compression", "bytes of a feature map over bytes moved, by what made it")
          .optional("convolution", &Compression::convolution, "made by a convolution")
          .at_least(1)
          .optional("fully_connected", &Compression::fully_connected, "by a fully connected layer")
          .at_least(1)
          .optional("recurrent", &Compression::recurrent, "by a step of a recurrent layer")
          .at_least(1)
          .optional("other", &Compression::other, "by anything else, or given from outside")
          .at_least(1);
  return kSchema;
}

const Schema<Policy>& schema_of(const Policy*) {
  static const auto kSchema =
      Schema<Policy>("memory", "what stays in a device's memory between forward and backward pass")
          .optional("overlay", &Policy::overlay, "feature maps that are moved to the backing store")
          .optional("overlap", &Policy::overlap, "how transfers and kernels wait for each other")
          .optional("window", &Policy::window, "layers that a prefetch may run ahead")
          .at_least(1)
          .optional("recompute", &Policy::recompute, "do short operators again instead of moving")
          .optional("overlay_state",
                    &Policy::overlay_state,
                    "move gates, cell states, masks and indices too")
          .optional("in_order",
                    &Policy::in_order,
                    "transfers of each direction run one after the other, as in a stream")
          .optional("tables", &Policy::tables, "where tables lie whose rows are looked up")
          .optional("compression", &Policy::compression, "of what is moved")
          .optional("capacity",
                    &Policy::capacity,
                    "what does not fit is infeasible, or is only said (ignored)");
  return kSchema;
}

}  // namespace cairn::memory
