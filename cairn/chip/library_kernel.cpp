#include "cairn/chip/library_kernel.hpp"

namespace cairn::chip {

const Schema<LibraryKernel>& schema_of(const LibraryKernel*) {
  static const auto kSchema =
      Schema<LibraryKernel>("kernel", "what the library's kernel of an operator takes")
          .required("operator", &LibraryKernel::op, "whose kernel it is", "softmax")
          .optional("work", &LibraryKernel::work, "operations for each that the operator needs")
          .positive()
          .optional("throughput",
                    &LibraryKernel::throughput,
                    "part of the reachable throughput of cores that it reaches")
          .positive()
          .optional("bandwidth",
                    &LibraryKernel::bandwidth,
                    "part of the reachable bandwidth of main memory that it reaches")
          .positive()
          .optional("latency", &LibraryKernel::latency, "besides that of any kernel")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::chip
