// Weight gradients: accumulation over steps and micro-batches on a device, and reduction across
// devices.
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

  // Sets the operator of the global graph that further calls belong to.
  void set_current_op(std::size_t op) { current_ = op; }

  // Emits `mine`, one device's share of `op`, which computes a weight gradient in `layout`, and the
  // reduction across devices if this was the last contribution.
  void add(const model::Operator& op, model::Operator mine, const TensorLayout& layout);

  // Emits the reduction across devices if the current operator is the last writer of the gradient.
  void finish(Id<model::Tensor> gradient, const TensorLayout& layout);

  // Emits all pending reductions.
  void flush();

  // Called when a pipeline stage has finished its last pass. Emits its blocking reductions, which
  // were deferred so that other stages do not wait for them.
  void end_stage();

  // The axes along which the gradient is reduce-scattered (Strategy::zero); nothing if it is
  // all-reduced.
  [[nodiscard]] std::optional<Axes> scattered_along(Id<model::Tensor> gradient) const {
    const auto found = scattered_.find(gradient);
    return found == scattered_.end() ? std::nullopt : std::optional(found->second);
  }

  // Why a gradient cannot be reduce-scattered as Strategy::zero needs.
  [[nodiscard]] const std::optional<Infeasible>& scatter_infeasible() const {
    return scatter_infeasible_;
  }

  // The double buffers of the gradient; empty if it has one buffer.
  [[nodiscard]] std::vector<Id<model::Tensor>> buffers(Id<model::Tensor> gradient) const;

 private:
  // One buffer is filled while the other is reduced.
  struct DoubleBuffer {
    std::array<std::optional<Id<model::Tensor>>, 2> buffer{};
    std::uint32_t filled = 0;
  };

  void accumulate_in_own_kernel(model::Operator mine, Id<model::Tensor> sum);
  Id<model::Tensor> next_buffer(Id<model::Tensor> gradient, const TensorLayout& layout);
  void emit(Exchange bucket);

  [[nodiscard]] bool defers_to_end_of_stage() const {
    return strategy_.gradient_sync == GradientSync::kBlocking && strategy_.stages > 1;
  }

  // Emits a full bucket, or defers it to the end of the stage's last pass.
  void release(Exchange bucket);
  // Releases all open buckets.
  void close_buckets();
  // The axes among `axes` along which the gradient's weight is replicated.
  [[nodiscard]] Axes replicas_along(Id<model::Tensor> gradient, Axes axes) const;
  // Records that the gradient cannot be reduce-scattered.
  void reject_scatter(Id<model::Tensor> gradient, const char* why);
  void reduce(Id<model::Tensor> gradient,
              Id<model::Tensor> here,
              const TensorLayout& layout,
              bool now);

  const model::Graph& global_;
  const Strategy& strategy_;
  Shards& shards_;
  std::vector<std::size_t> last_use_;         // by global tensor: the last operator that writes it
  std::vector<std::uint32_t> uses_;           // by global tensor: operators that write it
  std::vector<DoubleBuffer> double_buffers_;  // by global tensor; empty if not needed
  std::size_t current_ = 0;
  std::vector<Exchange> buckets_{};   // open buckets of a stage, one per set of axes
  std::vector<Exchange> blocking_{};  // full buckets, until their stage has finished
  std::map<Id<model::Tensor>, Id<model::Tensor>> weight_of_{};  // by gradient, if updates need it
  std::map<Id<model::Tensor>, Axes> scattered_{};
  std::optional<Infeasible> scatter_infeasible_{};
};

}  // namespace cairn::plan
