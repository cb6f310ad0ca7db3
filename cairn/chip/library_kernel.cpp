#include "cairn/chip/library_kernel.hpp"

#include <algorithm>
#include <utility>

namespace cairn::chip {

LibraryOperator forward_of(LibraryOperator op) {
  using Op = LibraryOperator;
  constexpr std::array<std::pair<Op, Op>, 3> kPairs{
      {{Op::kPoolBackward, Op::kPool},
       {Op::kNormalizationBackward, Op::kNormalization},
       {Op::kLayerNormBackward, Op::kLayerNorm}}};
  const auto* found = std::ranges::find(kPairs, op, &std::pair<Op, Op>::first);
  return found == kPairs.end() ? op : found->second;
}

namespace {

bool has_products(LibraryOperator op) {
  using enum LibraryOperator;
  return op == kConvolution || op == kFullyConnected || op == kMatmul || op == kAttention ||
         op == kAttentionBackward || op == kRecurrent;
}

}  // namespace

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
          .at_most(1)
          .optional("bandwidth",
                    &LibraryKernel::bandwidth,
                    "part of the reachable bandwidth of main memory that it reaches")
          .positive()
          .at_most(1)
          .optional("latency", &LibraryKernel::latency, "besides that of any kernel")
          .not_negative()
          .optional("least", &LibraryKernel::least, "that it takes, however little there is to do")
          .not_negative()
          .optional("fill", &LibraryKernel::fill, "to begin and end a tile, instead of tiles.fill")
          .not_negative()
          .used_if(
              [](const LibraryKernel& kernel) {
                return kernel.op == LibraryOperator::kAttention ||
                       kernel.op == LibraryOperator::kAttentionBackward;
              },
              "operator: attention or attention_backward")
          .optional("occupancy",
                    &LibraryKernel::occupancy,
                    "part of the threads that a core has room for")
          .positive()
          .at_most(1)
          .optional(
              "power", &LibraryKernel::power, "of its products, as part of that of dense matrices'")
          .positive()
          .used_if([](const LibraryKernel& kernel) { return has_products(kernel.op); },
                   "operators that multiply matrices");
  return kSchema;
}

}  // namespace cairn::chip
