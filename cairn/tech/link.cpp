#include "cairn/tech/link.hpp"

namespace cairn::tech {

const Schema<Link>& schema_of(const Link*) {
  static const auto kSchema =
      Schema<Link>("link", "a wire, or a lane, between dies or packages")
          .optional("description", &Link::description, "one line")
          .required("source", &Link::source, "where its figures are from", "a standard")
          .required("rate", &Link::rate, "of one link in one direction", "20 Gb/s")
          .positive()
          .required("energy", &Link::energy, "to send a bit", "13 pJ/bit")
          .positive()
          .required("area", &Link::area, "on the die, of one link", "0.045 mm2")
          .positive()
          .required("links_per_length", &Link::links_per_length, "leaving the die's edge", "20 /mm")
          .positive()
          .required("voltage", &Link::voltage, "it works at", "{nominal: 1.2 V, ...}")
          .required("latency", &Link::latency, "until the first byte", "5 us")
          .not_negative()
          .optional("utilization", &Link::utilization, "what encoding and headers leave")
          .positive()
          .at_most(1)
          .optional("cost", &Link::cost, "of one link")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
