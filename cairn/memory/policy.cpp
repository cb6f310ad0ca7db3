#include "cairn/memory/policy.hpp"

namespace cairn::memory {

const Schema<Compression>& schema_of(const Compression*) {
  static const auto kSchema =
      Schema<Compression>("compression", "compression ratio of offloaded activations, by source")
          .optional("convolution", &Compression::convolution, "from a convolution")
          .at_least(1)
          .optional(
              "fully_connected", &Compression::fully_connected, "from a fully connected layer")
          .at_least(1)
          .optional("recurrent", &Compression::recurrent, "from a step of a recurrent layer")
          .at_least(1)
          .optional("other", &Compression::other, "from any other operator, or an input")
          .at_least(1);
  return kSchema;
}

namespace {

constexpr const char* kOffloads = "offload: everything, convolutions or on_demand";

bool offloads(const Policy& policy) {
  return policy.offload != Offload::kNone;
}

}  // namespace

const Schema<Policy>& schema_of(const Policy*) {
  static const auto kSchema =
      Schema<Policy>("memory", "offload and recomputation of activations; where tables are stored")
          .optional("offload", &Policy::offload, "activations to offload to the backing store")
          .optional("overlap", &Policy::overlap, "synchronization of transfers and kernels")
          .used_if(offloads, kOffloads)
          .optional("window", &Policy::window, "layers that a prefetch may run ahead")
          .at_least(1)
          .used_if([](const Policy& p) { return offloads(p) && p.overlap != Overlap::kNone; },
                   "an offload, and overlap: layer or free")
          .optional("recompute",
                    &Policy::recompute,
                    "recompute cheap operators where that is faster than offloading")
          .used_if(offloads, kOffloads)
          .optional("offload_state",
                    &Policy::offload_state,
                    "also offload gates, cell states, masks and indices")
          .used_if(offloads, kOffloads)
          .optional("in_order",
                    &Policy::in_order,
                    "transfers of each direction run in order, as in a stream")
          .used_if(offloads, kOffloads)
          .optional("tables", &Policy::tables, "where embedding tables are stored")
          .optional("compression", &Policy::compression, "compression of offloaded activations")
          .used_if(offloads, kOffloads)
          .optional("capacity",
                    &Policy::capacity,
                    "exceeding device memory is infeasible (limit), or only reported (ignored)");
  return kSchema;
}

}  // namespace cairn::memory
