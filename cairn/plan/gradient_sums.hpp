// Weight gradients: where the steps and micro-batches of a device add up, and when sums over
// devices are made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cairn/base/failure.hpp"
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

  // A stage of a pipeline has worked on a micro-batch. Blocking sums go out: they waited for the
  // whole pass, so that the stage before has not.
  void end_pass();

  // The axes along which each device has the sum of its part of the gradient only
  // (Strategy::zero); nothing if it has all of it.
  [[nodiscard]] std::optional<Axes> scattered_along(Id<model::Tensor> gradient) const {
    const auto found = scattered_.find(gradient);
    return found == scattered_.end() ? std::nullopt : std::optional(found->second);
  }

  // Why sums that Strategy::zero wants scattered cannot be.
  [[nodiscard]] const std::optional<Infeasible>& cannot_scatter() const { return cannot_scatter_; }

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

  [[nodiscard]] bool wait_for_the_pass() const {
    return strategy_.gradient_sync == GradientSync::kBlocking && strategy_.stages > 1;
  }

  // It is as large as it should be: goes out, or waits for the end of the pass.
  void release(Exchange bucket);
  // Those of the axes along which each device has the same of the gradient's weight.
  [[nodiscard]] Axes replicas_along(Id<model::Tensor> gradient, Axes axes) const;
  // That sums of the gradient are wanted scattered and are not.
  void complain(Id<model::Tensor> gradient, const char* why);
  void sum(Id<model::Tensor> gradient, Id<model::Tensor> here, const Layout& layout, bool now);

  const model::Graph& global_;
  const Strategy& strategy_;
  Shards& shards_;
  std::vector<std::size_t> last_use_;  // by global tensor: the last operator that writes it
  std::vector<std::uint32_t> uses_;    // by global tensor: operators that write it
  std::vector<Turns> turns_;           // by global tensor; empty if not needed
  std::size_t current_ = 0;
  std::vector<Exchange> buckets_{};   // of a stage, one for each set of axes
  std::vector<Exchange> blocking_{};  // full ones of a stage, until its pass ends
  std::map<Id<model::Tensor>, Id<model::Tensor>> weight_of_{};  // by gradient, if updates need it
  std::map<Id<model::Tensor>, Axes> scattered_{};
  std::optional<Infeasible> cannot_scatter_{};
};

}  // namespace cairn::plan
