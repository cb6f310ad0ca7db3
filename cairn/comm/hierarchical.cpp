// Dimension by dimension of the platform, pipelined in chunks. Two forms for all-reduce, d_i the
// width of dimension i:
//
//   hierarchical  reduce-scatter over the first dimension, all-reduce over each further one,
//                 all-gather over the first: ACE's 4-phase algorithm on a 3-D torus. Bytes sent per
//                 byte of payload: 2(d_0-1)/d_0 + sum over i>0 of 2(d_i-1)/(d_i d_0)
//   nested        reduce-scatter up through all dimensions but the last, all-reduce over the last,
//                 all-gather down: 2(d_i-1)/(d_i d_0 .. d_(i-1)) in dimension i
//
// Reduce-scatter goes up through all dimensions, all-gather down. With many chunks the
// slowest dimension sets the time. Along a dimension of n devices, a reduce-scatter or an
// all-gather of S bytes takes (GridDimension::algorithm)
//
//   ring              n-1 steps of S/n, half of the payload in each direction
//   direct            one step, S/n to each of the n-1 others
//   halving_doubling  ceil(log2 n) steps, min(d, n-d) S/n over distance d = 1, 2, 4, ...
#include <algorithm>
#include <bit>
#include <utility>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/halving_doubling.hpp"

namespace cairn::comm {

namespace {

// The flat algorithm that runs along one dimension.
const Algorithm& flat_algorithm(DimensionAlgorithm algorithm) {
  switch (algorithm) {
    case DimensionAlgorithm::kDirect:
      return kDirect;
    case DimensionAlgorithm::kHalvingDoubling:
      return kHalvingDoubling;
    case DimensionAlgorithm::kRing:
      break;
  }
  return kRing;
}

const char* unsupported(Op op, const GroupLayout& layout) {
  if (!is_all_reduce_or_half(op)) {
    return kNotImplemented;
  }
  return layout.is_grid ? nullptr
                        : "needs a group that forms a grid along the platform's dimensions";
}

bool shift_invariant(Op /*op*/, const GroupLayout& layout) {
  return symmetric_group(layout);
}

// Builds one part, whose rings go up or down. A device is still responsible for `fraction_` of the
// part's payload.
class DimensionWalk {
 public:
  DimensionWalk(const GroupLayout& layout, bool up, double share) : layout_(layout), up_(up) {
    part_.share = share;
  }

  void reduce_scatter(std::size_t dim) {
    scatter(dim);
    fraction_ /= layout_.grid[dim].width;
  }

  void all_gather(std::size_t dim) {
    fraction_ *= layout_.grid[dim].width;
    gather(dim);
  }

  void all_reduce(std::size_t dim) {
    if (layout_.grid[dim].algorithm == DimensionAlgorithm::kRing) {
      pass_round(dim, 2 * (layout_.grid[dim].width - 1), layout_.grid[dim].width - 1);
      return;
    }
    scatter(dim);
    gather(dim);
  }

  void start_from_own_shard() {
    for (const GridDimension& dimension : layout_.grid) {
      fraction_ /= dimension.width;
    }
  }

  Part take() { return std::move(part_); }

 private:
  void scatter(std::size_t dim) { exchange(dim, true); }

  void gather(std::size_t dim) { exchange(dim, false); }

  void exchange(std::size_t dim, bool reduces) {
    const std::uint32_t width = layout_.grid[dim].width;
    switch (layout_.grid[dim].algorithm) {
      case DimensionAlgorithm::kRing:
        return pass_round(dim, width - 1, reduces ? width - 1 : 0);
      case DimensionAlgorithm::kDirect:
        return to_all_others(dim, reduces);
      case DimensionAlgorithm::kHalvingDoubling:
        return over_distances(dim, reduces);
    }
  }

  void begin_phase(std::size_t dim, std::uint32_t steps, std::uint32_t reducing, double resident) {
    part_.begin_phase(steps, reducing, resident);
    part_.phases.back().algorithm = flat_algorithm(layout_.grid[dim].algorithm).name;
  }

  void pass_round(std::size_t dim, std::uint32_t steps, std::uint32_t reducing) {
    const GridDimension& dimension = layout_.grid[dim];
    begin_phase(dim, steps, reducing, fraction_);
    for (std::uint32_t from = 0; from < layout_.senders(); ++from) {
      Message message{.from = from,
                      .to = layout_.along(from, dim, up_ ? 1 : dimension.width - 1),
                      .share = fraction_ / dimension.width};
      if (dimension.complete) {
        message.path = {.kind = Path::Kind::kRingStep,
                        .up = up_,
                        .index = static_cast<std::uint32_t>(dimension.platform_dim)};
      }
      part_.send(message);
    }
  }

  void to_all_others(std::size_t dim, bool reduces) {
    const std::uint32_t width = layout_.grid[dim].width;
    begin_phase(dim, 1, reduces ? 1 : 0, fraction_);
    for (std::uint32_t from = 0; from < layout_.senders(); ++from) {
      for (std::uint32_t offset = 1; offset < width; ++offset) {
        part_.send(
            {.from = from, .to = layout_.along(from, dim, offset), .share = fraction_ / width});
      }
    }
  }

  void over_distances(std::size_t dim, bool reduces) {
    const std::uint32_t n = layout_.grid[dim].width;
    for (const HalvingStep& step : halving_steps(n, reduces)) {
      begin_phase(dim, 1, reduces ? 1 : 0, fraction_ * step.held / n);
      const std::uint32_t offset = reduces == up_ ? step.distance : n - step.distance;
      for (std::uint32_t from = 0; from < layout_.senders(); ++from) {
        part_.send({.from = from,
                    .to = layout_.along(from, dim, offset),
                    .share = fraction_ * step.sent / n});
      }
    }
  }

  const GroupLayout& layout_;
  bool up_;
  double fraction_ = 1.0;
  Part part_;
};

void all_reduce(DimensionWalk& walk, std::size_t dims, bool nested) {
  const std::size_t scattered = nested ? dims - 1 : (dims > 1 ? 1 : 0);
  for (std::size_t d = 0; d < scattered; ++d) {
    walk.reduce_scatter(d);
  }
  for (std::size_t d = scattered; d < dims; ++d) {
    walk.all_reduce(d);
  }
  for (std::size_t d = scattered; d > 0; --d) {
    walk.all_gather(d - 1);
  }
}

// Rings and halving-doubling use both directions at once; direct exchange needs one part only.
bool goes_both_ways(const GroupLayout& layout) {
  return std::ranges::any_of(layout.grid, [](const GridDimension& dimension) {
    return dimension.algorithm != DimensionAlgorithm::kDirect;
  });
}

CollectiveSchedule make_schedule(const Collective& collective,
                                 const GroupLayout& layout,
                                 bool nested) {
  CollectiveSchedule schedule;
  const std::size_t dims = layout.grid.size();
  const std::uint32_t ways = goes_both_ways(layout) ? 2 : 1;
  for (std::uint32_t way = 0; way < ways; ++way) {
    DimensionWalk walk(layout, way == 0, 1.0 / ways);
    if (collective.op == Op::kAllReduce) {
      all_reduce(walk, dims, nested);
    } else if (collective.op == Op::kReduceScatter) {
      for (std::size_t d = 0; d < dims; ++d) {
        walk.reduce_scatter(d);
      }
    } else {
      walk.start_from_own_shard();
      for (std::size_t d = dims; d > 0; --d) {
        walk.all_gather(d - 1);
      }
    }
    schedule.parts.push_back(walk.take());
  }
  return schedule;
}

CollectiveSchedule hierarchical_schedule(const Collective& collective, const GroupLayout& layout) {
  return make_schedule(collective, layout, false);
}

CollectiveSchedule nested_schedule(const Collective& collective, const GroupLayout& layout) {
  return make_schedule(collective, layout, true);
}

const char* unsupported_nested(Op op, const GroupLayout& layout) {
  if (op != Op::kAllReduce) {
    return kNotImplemented;
  }
  // With fewer dimensions, and for other operations, nested and hierarchical are identical.
  return layout.is_grid && layout.grid.size() > 2
             ? nullptr
             : "needs a group that forms a grid along three or more of the platform's dimensions";
}

std::uint32_t chunks(const Collective& collective, const GroupLayout& layout) {
  return layout.grid.size() == 1 ? 1 : pipeline_chunks(collective.size, 1024);
}

double messages(Op /*op*/, const GroupLayout& layout) {
  double each = 0.0;
  for (const GridDimension& dimension : layout.grid) {
    each += dimension.algorithm == DimensionAlgorithm::kRing     ? 1.0
            : dimension.algorithm == DimensionAlgorithm::kDirect ? dimension.width
                                                                 : std::bit_width(dimension.width);
  }
  return 4.0 * layout.positions * (each + 1.0);
}

}  // namespace

constexpr Algorithm kHierarchical{.name = "hierarchical",
                                  .doc = "reduce-scatter in dimension 0, all-reduce in the others",
                                  .unsupported = unsupported,
                                  .shift_invariant = shift_invariant,
                                  .schedule = hierarchical_schedule,
                                  .messages = messages,
                                  .chunks = chunks,
                                  .by_dimension = true};

constexpr Algorithm kNested{.name = "nested",
                            .doc = "reduce-scatter up the dimensions, all-gather back down",
                            .unsupported = unsupported_nested,
                            .shift_invariant = shift_invariant,
                            .schedule = nested_schedule,
                            .messages = messages,
                            .chunks = chunks,
                            .by_dimension = true};

}  // namespace cairn::comm
