#include "cairn/chip/host_copies.hpp"

namespace cairn::chip {

const Schema<HostCopies>& schema_of(const HostCopies*) {
  static const auto kSchema =
      Schema<HostCopies>("host", "copies between the device and its host")
          .required("bandwidth", &HostCopies::bandwidth, "one way", "55 GB/s")
          .positive()
          .required("both_ways", &HostCopies::both_ways, "of both together", "97 GB/s")
          .positive()
          .optional("start", &HostCopies::start, "before the first byte")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::chip
