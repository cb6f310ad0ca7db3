#include "cairn/platform/protocol.hpp"

namespace cairn::platform {

const Schema<Protocol>& schema_of(const Protocol*) {
  static const auto kSchema =
      Schema<Protocol>("protocol", "communication protocol of a library")
          .required("name", &Protocol::name, "name shown in results", "LL128")
          .optional("ops", &Protocol::ops, "collectives it applies to (default: all)")
          .optional("algorithms", &Protocol::algorithms, "algorithms it applies to (default: all)")
          .optional("start", &Protocol::start, "start-up time of a collective")
          .not_negative()
          .optional("latency", &Protocol::latency, "latency per message, besides that of links")
          .not_negative()
          .optional("efficiency", &Protocol::efficiency, "fraction of link bandwidth for payload")
          .positive()
          .at_most(1)
          .optional("copy",
                    &Protocol::copy,
                    "rate at which a device copies its buffer once, in addition to the link time")
          .positive();
  return kSchema;
}

}  // namespace cairn::platform
