// The local tensors of a device of each stage, and the exchanges that reshard them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/plan/layout.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {

class Shards {
 public:
  // All must outlive this. `global`: the graph of all devices; `stages`, `passes` (Unrolled): by
  // operator of it.
  Shards(const model::Graph& global,
         const std::vector<std::uint32_t>& stages,
         const std::vector<std::uint32_t>& passes,
         const Strategy& strategy,
         const Mesh& mesh);

  // Sets the operator of the global graph that further calls belong to.
  void set_current_op(std::size_t op);

  // The fraction of a tensor of this kind on a device.
  [[nodiscard]] double share(model::TensorKind kind, const TensorLayout& layout) const;
  // The same for this tensor. Tables and looked-up rows are split between tables: the device with
  // the most tables sets the pace, ceil(tables / shards) / tables.
  [[nodiscard]] double share(Id<model::Tensor> tensor, const TensorLayout& layout) const;
  // ceil(batch / shards) / batch: the device with the most samples sets the pace.
  [[nodiscard]] double share_of_samples(std::uint32_t shards) const;

  // The local tensor in `layout`, without an exchange. The first layout is the one it is computed
  // in.
  Id<model::Tensor> declare(Id<model::Tensor> tensor, const TensorLayout& layout);

  // The local tensor in `layout`; exchanged if it was computed in another layout or stage. External
  // inputs have the layout in which they are first needed.
  Id<model::Tensor> reshard_to(Id<model::Tensor> tensor, const TensorLayout& layout);

  // The same, exchanged again even if cached; the result is not cached.
  Id<model::Tensor> reshard_uncached(Id<model::Tensor> tensor, const TensorLayout& layout);

  // Reshards now, with high priority, a tensor that will be needed in `layout`.
  void reshard_early(Id<model::Tensor> tensor, const TensorLayout& layout);

  // The layout a tensor was computed in, in any stage; for a view, that of its storage. Nothing for
  // external inputs that were not used yet.
  [[nodiscard]] std::optional<TensorLayout> home_of(Id<model::Tensor> tensor) const;

  // Registers `here` as a copy of the tensor in `layout`.
  void add_copy(Id<model::Tensor> tensor, const TensorLayout& layout, Id<model::Tensor> here);

  // Appends a task; sets its pass and layer.
  void emit(Exchange exchange);
  // `pass`: to which it belongs, if not to the current one.
  void emit_for(std::uint32_t pass, Exchange exchange);
  void emit(model::Operator op);

  [[nodiscard]] model::Graph& graph() { return plan_.graph; }

  [[nodiscard]] std::uint32_t stage() const { return stage_; }

  [[nodiscard]] std::uint32_t pass() const { return pass_; }

  // The last operator emitted in the current pass. Precondition: there is one.
  [[nodiscard]] Id<model::Operator> last_of_pass() const { return last_of_pass_[pass_]; }

  // The tensor's bytes in elements of the training precision.
  [[nodiscard]] double exchanged_elements(const model::Tensor& tensor) const;

  Plan take();

 private:
  struct Version {
    TensorLayout layout{};
    Id<model::Tensor> tensor{};
    std::uint32_t stage = 0;
  };

  // The first version of a tensor in a stage, in which it was computed there.
  [[nodiscard]] std::optional<Version> first(Id<model::Tensor> tensor, std::uint32_t stage) const;
  // Its version in this layout in the current stage; nullptr if none.
  [[nodiscard]] const Version* find(Id<model::Tensor> tensor, const TensorLayout& layout) const;
  void add_version(Id<model::Tensor> tensor, const TensorLayout& layout, Id<model::Tensor> here);
  // Traffic of changing the layout, relative to the tensor's elements.
  [[nodiscard]] double cost(Id<model::Tensor> tensor,
                            TensorLayout from,
                            const TensorLayout& to) const;
  void settle(Id<model::Tensor> tensor, const TensorLayout& wanted);
  void fetch_from_stage(Id<model::Tensor> tensor, std::uint32_t maker, const TensorLayout& wanted);
  Id<model::Tensor> convert(Id<model::Tensor> tensor,
                            Version from,
                            const TensorLayout& layout,
                            bool keep);
  Version change(Id<model::Tensor> tensor, const Version& from, Axis axis, Split to, bool keep);
  Version take_part(Id<model::Tensor> tensor, const Version& from, Axis axis, Split to, bool keep);

  const model::Graph& global_;
  const std::vector<std::uint32_t>& stages_;
  const std::vector<std::uint32_t>& passes_;
  const Strategy& strategy_;
  Mesh mesh_;
  std::uint32_t stage_ = 0;
  std::uint32_t layer_ = 0;
  std::uint32_t pass_ = 0;
  bool backward_ = false;
  bool high_priority_ = false;
  std::vector<std::vector<Version>> local_;            // by global tensor, in all stages
  std::vector<std::optional<std::uint32_t>> made_in_;  // by global tensor: stage
  std::vector<std::uint32_t> made_in_pass_;            // by global tensor
  std::vector<Id<model::Operator>> last_of_pass_;      // by pass, of those emitted so far
  std::vector<std::optional<double>> tables_;          // by global tensor: embedding tables in it
  Plan plan_;
};

}  // namespace cairn::plan
