#include "cairn/tech/link.hpp"

namespace cairn::tech {

const Schema<Link>& schema_of(const Link*) {
  static const auto kSchema =
      Schema<Link>("link", "wire or lane between dies or packages")
          .optional("description", &Link::description, "one line")
          .required("source", &Link::source, "where its figures are from", "a standard")
          .required("rate", &Link::rate, "bandwidth of one link per direction", "20 Gb/s")
          .positive()
          .required("energy", &Link::energy, "energy per bit sent", "13 pJ/bit")
          .positive()
          .required("area", &Link::area, "die area of one link", "0.045 mm2")
          .positive()
          .required(
              "links_per_length", &Link::links_per_length, "links per length of die edge", "20 /mm")
          .positive()
          .required("voltage", &Link::voltage, "operating voltages", "{nominal: 1.2 V, ...}")
          .required("latency", &Link::latency, "time to the first byte", "5 us")
          .not_negative()
          .optional("utilization", &Link::utilization, "part of the rate used by the payload")
          .positive()
          .at_most(1)
          .optional("cost", &Link::cost, "price of one link")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
