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

bool has_gemms(LibraryOperator op) {
  using enum LibraryOperator;
  return op == kConvolution || op == kFullyConnected || op == kMatmul || op == kAttention ||
         op == kAttentionBackward || op == kRecurrent;
}

}  // namespace

const Schema<LibraryKernel>& schema_of(const LibraryKernel*) {
  static const auto kSchema =
      Schema<LibraryKernel>("kernel", "overhead of the library's kernel for an operator")
          .required("operator", &LibraryKernel::op, "operator of the kernel", "softmax")
          .optional(
              "work", &LibraryKernel::work, "element-wise operations per operation of the operator")
          .positive()
          .optional("throughput",
                    &LibraryKernel::throughput,
                    "fraction of the throughput that kernels reach")
          .positive()
          .at_most(1)
          .optional("bandwidth",
                    &LibraryKernel::bandwidth,
                    "fraction of the memory bandwidth that kernels reach")
          .positive()
          .at_most(1)
          .optional("latency", &LibraryKernel::latency, "in addition to that of any kernel")
          .not_negative()
          .optional("least", &LibraryKernel::least, "minimum time (chain of dependent steps)")
          .not_negative()
          .optional("fill",
                    &LibraryKernel::fill,
                    "prologue and epilogue of a tile, instead of tiles.fill")
          .not_negative()
          .used_if(
              [](const LibraryKernel& kernel) {
                return kernel.op == LibraryOperator::kAttention ||
                       kernel.op == LibraryOperator::kAttentionBackward;
              },
              "operator: attention or attention_backward")
          .optional("occupancy", &LibraryKernel::occupancy, "fraction of a core's maximum threads")
          .positive()
          .at_most(1)
          .optional("power", &LibraryKernel::power, "power of its MACs relative to a dense GEMM")
          .positive()
          .used_if([](const LibraryKernel& kernel) { return has_gemms(kernel.op); },
                   "operators that multiply matrices");
  return kSchema;
}

}  // namespace cairn::chip
