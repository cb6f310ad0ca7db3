#include "cairn/platform/protocol.hpp"

namespace cairn::platform {

const Schema<Protocol>& schema_of(const Protocol*) {
  static const auto kSchema =
      Schema<Protocol>("protocol", "how a library sends messages")
          .required("name", &Protocol::name, "what results call it", "LL128")
          .optional("ops", &Protocol::ops, "collectives that it carries (none: all)")
          .optional("algorithms", &Protocol::algorithms, "by which (none: all)")
          .optional("start", &Protocol::start, "of a collective, once")
          .not_negative()
          .optional("latency", &Protocol::latency, "of a message, beside that of links")
          .not_negative()
          .optional("efficiency", &Protocol::efficiency, "part of a link's bandwidth for payload")
          .positive()
          .at_most(1)
          .optional("copy",
                    &Protocol::copy,
                    "a device takes its buffer through once at this rate, beside what links do")
          .positive();
  return kSchema;
}

}  // namespace cairn::platform
