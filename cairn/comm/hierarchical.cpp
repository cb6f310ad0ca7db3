// Dimension by dimension, over the rings that the dimensions of the platform form, in both
// directions at once, pipelined in chunks. Two forms for all-reduce, d_i the width of dimension i:
//
//   hierarchical  reduce-scatter over the first dimension, all-reduce over each further one,
//   all-gather
//                 over the first: what ACE calls 4-phase on a 3-D torus. Bytes sent per byte of
//                 payload: 2(d_0-1)/d_0 + sum over i>0 of 2(d_i-1)/(d_i d_0)
//   nested        reduce-scatter up through all dimensions but the last, all-reduce over the last,
//                 all-gather down: 2(d_i-1)/(d_i d_0 .. d_(i-1)) in dimension i
//
// Reduce-scatter and all-gather go up, or down, through all dimensions. With many chunks the
// slowest dimension sets the time.
#include <utility>

#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

bool supports(Op op, const Layout& layout) {
  return (op == Op::kAllReduce || op == Op::kReduceScatter || op == Op::kAllGather) &&
         !layout.grid.empty();
}

bool shift_invariant(Op /*op*/, const Layout& layout) {
  return symmetric_group(layout);
}

// One part: all its traffic goes up, or down, the rings of the dimensions. `fraction` of the part's
// payload is what a device is still responsible for.
class DimensionWalk {
 public:
  DimensionWalk(const Layout& layout, bool up, double share) : layout_(layout), up_(up) {
    part_.share = share;
  }

  void reduce_scatter(std::size_t dim) {
    pass_round(dim, steps(dim), steps(dim));
    fraction_ /= layout_.grid[dim].width;
  }

  void all_gather(std::size_t dim) {
    fraction_ *= layout_.grid[dim].width;
    pass_round(dim, steps(dim), 0);
  }

  void all_reduce(std::size_t dim) { pass_round(dim, 2 * steps(dim), steps(dim)); }

  void own_nothing_but_a_part() {
    for (const GridDimension& dimension : layout_.grid) {
      fraction_ /= dimension.width;
    }
  }

  Part take() { return std::move(part_); }

 private:
  // Of one round.
  [[nodiscard]] std::uint32_t steps(std::size_t dim) const { return layout_.grid[dim].width - 1; }

  void pass_round(std::size_t dim, std::uint32_t steps, std::uint32_t reducing) {
    const GridDimension& dimension = layout_.grid[dim];
    part_.begin_phase(steps, reducing, fraction_);
    for (std::uint32_t from = 0; from < layout_.senders(); ++from) {
      Message message{.from = from,
                      .to = layout_.neighbour(from, dim, up_),
                      .share = fraction_ / dimension.width};
      if (dimension.complete) {
        message.path = {.kind = Path::Kind::kRingStep,
                        .up = up_,
                        .index = static_cast<std::uint32_t>(dimension.platform_dim)};
      }
      part_.send(message);
    }
  }

  const Layout& layout_;
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

Schedule make_schedule(const Collective& collective, const Layout& layout, bool nested) {
  Schedule schedule;
  const std::size_t dims = layout.grid.size();
  for (const bool up : {true, false}) {
    DimensionWalk walk(layout, up, 0.5);
    if (collective.op == Op::kAllReduce) {
      all_reduce(walk, dims, nested);
    } else if (collective.op == Op::kReduceScatter) {
      for (std::size_t d = 0; d < dims; ++d) {
        walk.reduce_scatter(d);
      }
    } else {
      walk.own_nothing_but_a_part();
      for (std::size_t d = dims; d > 0; --d) {
        walk.all_gather(d - 1);
      }
    }
    schedule.parts.push_back(walk.take());
  }
  return schedule;
}

Schedule hierarchical_schedule(const Collective& collective, const Layout& layout) {
  return make_schedule(collective, layout, false);
}

Schedule nested_schedule(const Collective& collective, const Layout& layout) {
  return make_schedule(collective, layout, true);
}

bool supports_nested(Op op, const Layout& layout) {
  // With fewer than three dimensions, and for other operations, both forms are the same.
  return op == Op::kAllReduce && layout.grid.size() > 2;
}

std::uint32_t chunks(const Collective& collective, const Layout& layout) {
  return layout.grid.size() == 1 ? 1 : pipeline_chunks(collective.size, 1024);
}

double messages(Op /*op*/, const Layout& layout) {
  return 4.0 * layout.positions * static_cast<double>(layout.grid.size() + 1);
}

}  // namespace

constexpr Algorithm kHierarchical{.name = "hierarchical",
                                  .doc = "scatter over the first dimension, then over the others",
                                  .supports = supports,
                                  .shift_invariant = shift_invariant,
                                  .schedule = hierarchical_schedule,
                                  .messages = messages,
                                  .chunks = chunks,
                                  .by_dimension = true};

constexpr Algorithm kNested{.name = "nested",
                            .doc = "scatter up through the dimensions, gather down",
                            .supports = supports_nested,
                            .shift_invariant = shift_invariant,
                            .schedule = nested_schedule,
                            .messages = messages,
                            .chunks = chunks,
                            .by_dimension = true};

}  // namespace cairn::comm
