#include "cairn/chip/host_copies.hpp"

namespace cairn::chip {

const Schema<HostCopies>& schema_of(const HostCopies*) {
  static const auto kSchema =
      Schema<HostCopies>("host", "copies between device and host memory")
          .required("bandwidth", &HostCopies::bandwidth, "in one direction alone", "55 GB/s")
          .positive()
          .required("both_ways", &HostCopies::both_ways, "sum of both directions", "97 GB/s")
          .positive()
          .optional("start", &HostCopies::start, "latency before the first byte")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::chip
