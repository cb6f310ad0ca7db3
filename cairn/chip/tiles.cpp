#include "cairn/chip/tiles.hpp"

namespace cairn::chip {

namespace {

constexpr double kLongestSide = 65536.0;

}  // namespace

const Schema<UnalignedTiles>& schema_of(const UnalignedTiles*) {
  static const auto kSchema =
      Schema<UnalignedTiles>("unaligned", "kernels for matrices whose rows are not aligned")
          .optional("alignment",
                    &UnalignedTiles::alignment,
                    "row alignment below which these kernels are used")
          .positive()
          .optional("side", &UnalignedTiles::side, "side of a square tile")
          .whole()
          .at_least(1)
          .optional("slice", &UnalignedTiles::slice, "steps of k that are loaded together")
          .whole()
          .at_least(1)
          .optional("at_once", &UnalignedTiles::at_once, "maximum tiles in flight per core")
          .whole()
          .at_least(1)
          .required("per_cycle", &UnalignedTiles::per_cycle, "bytes a core loads per cycle", "14 B")
          .positive()
          .optional("windows_per_cycle",
                    &UnalignedTiles::windows_per_cycle,
                    "bytes a core loads per cycle for a convolution (none: per_cycle)")
          .positive()
          .optional("latency", &UnalignedTiles::latency, "time of a slice with one tile in flight")
          .not_negative();
  return kSchema;
}

const Schema<Tiles>& schema_of(const Tiles*) {
  static const auto kSchema =
      Schema<Tiles>("tiles", "how the kernel library tiles outputs")
          .optional("sides", &Tiles::sides, "available tile sides (none: any)")
          .whole()
          .at_least(1)
          .at_most(kLongestSide)
          .optional("accumulators",
                    &Tiles::accumulators,
                    "accumulator capacity per core (none: its levels)")
          .positive()
          .optional("at_once", &Tiles::at_once, "maximum tiles in flight per core")
          .whole()
          .at_least(1)
          .optional("fill", &Tiles::fill, "prologue and epilogue of a tile, without compute")
          .not_negative()
          .optional("splits", &Tiles::splits, "maximum split-K factor")
          .whole()
          .at_least(1)
          .optional("join", &Tiles::join, "time to reduce split-K partial sums")
          .not_negative()
          .optional("cluster", &Tiles::cluster, "tiles that start together, in one group of cores")
          .whole()
          .at_least(1)
          .optional("window_slice",
                    &Tiles::window_slice,
                    "channels of a convolution tap loaded together (none: im2col)")
          .whole()
          .at_least(1)
          .optional("unaligned", &Tiles::unaligned, "kernels for matrices with unaligned rows");
  return kSchema;
}

}  // namespace cairn::chip
