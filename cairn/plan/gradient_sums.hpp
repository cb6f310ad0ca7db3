// Weight gradients: where the steps and micro-batches of a device add up, and when sums over
// devices are made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cairn/plan/shards.hpp"

namespace cairn::plan {

class GradientSums {
 public:
  GradientSums(const model::Graph& global, const Strategy& strategy, Shards& shards);

  // What follows belongs to this operator of the global graph.
  void at(std::size_t op) { current_ = op; }

  // Emits `mine`, one device's share of `op`, which makes a weight gradient in `layout`, and the
  // sum over devices if this was the last contribution.
  void add(const model::Operator& op, model::Operator mine, const Layout& layout);

  // The sum over devices, if the current operator is the last that writes the gradient.
  void finish(Id<model::Tensor> gradient, const Layout& layout);

  // Sums that waited for others go out now.
  void flush();

  // True if a replica has the sum of its part of the gradient only (Strategy::zero).
  [[nodiscard]] bool is_scattered(Id<model::Tensor> gradient) const {
    return scattered_.contains(gradient);
  }

  // The buffers that the gradient's sums are in, if there are several.
  [[nodiscard]] std::vector<Id<model::Tensor>> buffers(Id<model::Tensor> gradient) const;

 private:
  // Two buffers by turns, so that one can be filled while the other is summed.
  struct Turns {
    std::array<std::optional<Id<model::Tensor>>, 2> buffer{};
    std::uint32_t filled = 0;
  };

  void add_by_own_kernel(model::Operator mine, Id<model::Tensor> sum);
  Id<model::Tensor> by_turns(Id<model::Tensor> gradient, const Layout& layout);
  void emit(Exchange bucket);
  void sum(Id<model::Tensor> gradient, Id<model::Tensor> here, const Layout& layout, bool now);

  const model::Graph& global_;
  const Strategy& strategy_;
  Shards& shards_;
  std::vector<std::size_t> last_use_;  // by global tensor: the last operator that writes it
  std::vector<std::uint32_t> uses_;    // by global tensor: operators that write it
  std::vector<Turns> turns_;           // by global tensor; empty if not needed
  std::size_t current_ = 0;
  std::vector<Exchange> buckets_{};  // of a stage, one for each set of axes
  std::set<Id<model::Tensor>> scattered_{};
};

}  // namespace cairn::plan
