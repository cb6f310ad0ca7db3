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

namespace {

constexpr const char* kOverlays = "overlay: everything, convolutions or what_does_not_fit";

bool overlays(const Policy& policy) {
  return policy.overlay != Overlay::kNone;
}

}  // namespace

const Schema<Policy>& schema_of(const Policy*) {
  static const auto kSchema =
      Schema<Policy>("memory", "what stays in a device's memory between forward and backward pass")
          .optional("overlay", &Policy::overlay, "feature maps that are moved to the backing store")
          .optional("overlap", &Policy::overlap, "how transfers and kernels wait for each other")
          .used_if(overlays, kOverlays)
          .optional("window", &Policy::window, "layers that a prefetch may run ahead")
          .at_least(1)
          .used_if([](const Policy& p) { return overlays(p) && p.overlap != Overlap::kNone; },
                   "an overlay, and overlap: layer or free")
          .optional("recompute", &Policy::recompute, "do short operators again instead of moving")
          .used_if(overlays, kOverlays)
          .optional("overlay_state",
                    &Policy::overlay_state,
                    "move gates, cell states, masks and indices too")
          .used_if(overlays, kOverlays)
          .optional("in_order",
                    &Policy::in_order,
                    "transfers of each direction run one after the other, as in a stream")
          .used_if(overlays, kOverlays)
          .optional("tables", &Policy::tables, "where tables lie whose rows are looked up")
          .optional("compression", &Policy::compression, "of what is moved")
          .used_if(overlays, kOverlays)
          .optional("capacity",
                    &Policy::capacity,
                    "what does not fit is infeasible, or is only said (ignored)");
  return kSchema;
}

}  // namespace cairn::memory
