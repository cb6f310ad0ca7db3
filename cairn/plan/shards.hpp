// The tensors of a model as the devices of each stage have them, and the exchanges that change the
// layout of one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/plan/layout.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {

class Shards {
 public:
  // All must outlive this. `global`: of all devices; `stages`, `passes` (Unrolled): by operator of
  // it.
  Shards(const model::Graph& global,
         const std::vector<std::uint32_t>& stages,
         const std::vector<std::uint32_t>& passes,
         const Strategy& strategy,
         const Mesh& mesh);

  // What follows belongs to this operator of the global graph.
  void at(std::size_t op);

  // The part of a tensor of that kind that a device has.
  [[nodiscard]] double share(model::TensorKind kind, const Layout& layout) const;
  // The same of this one. Tables, and what is looked up of them, are cut between tables: the device
  // with the most of them sets the pace, ceil(tables / shards) / tables.
  [[nodiscard]] double share(Id<model::Tensor> tensor, const Layout& layout) const;
  // ceil(batch / shards) / batch: the device with the most samples sets the pace.
  [[nodiscard]] double share_of_samples(std::uint32_t shards) const;

  // A tensor as a device of this stage has it in `layout`; without an exchange. The first layout is
  // the one it is made in.
  Id<model::Tensor> declare(Id<model::Tensor> tensor, const Layout& layout);

  // A tensor as a device reads it in `layout`; exchanged if it was made in another, or in another
  // stage. What comes from outside is there in the layout in which it is first wanted.
  Id<model::Tensor> need(Id<model::Tensor> tensor, const Layout& layout);

  // The same, exchanged again even if it is there (and not kept).
  Id<model::Tensor> need_again(Id<model::Tensor> tensor, const Layout& layout);

  // Exchanges now what will be wanted in `layout`, before other exchanges.
  void need_early(Id<model::Tensor> tensor, const Layout& layout);

  // The layout a tensor was made in, in this stage or another; a view's is that of what it is a
  // view of. Nothing for what comes from outside and was not used yet.
  [[nodiscard]] std::optional<Layout> home_of(Id<model::Tensor> tensor) const;

  // From now on the tensor is also there in `layout`, as `here`.
  void also(Id<model::Tensor> tensor, const Layout& layout, Id<model::Tensor> here);

  // Adds a step; the stage and layer are filled in.
  void emit(Exchange exchange);
  void emit(model::Operator op);

  [[nodiscard]] model::Graph& graph() { return plan_.graph; }

  [[nodiscard]] std::uint32_t stage() const { return stage_; }

  // As many of the precision that is trained in as have the tensor's bytes.
  [[nodiscard]] double exchanged_elements(const model::Tensor& tensor) const;

  Plan take();

 private:
  struct Version {
    Layout layout{};
    Id<model::Tensor> tensor{};
  };

  // A tensor in one stage; the first version is the one it was made in.
  using Versions = std::vector<Version>;

  [[nodiscard]] const Versions& versions(Id<model::Tensor> tensor) const {
    return local_[stage_][tensor.index()];
  }

  Versions& versions(Id<model::Tensor> tensor) { return local_[stage_][tensor.index()]; }

  [[nodiscard]] static const Version* find(const Versions& versions, const Layout& layout);
  // What changing the layout would move, in elements.
  [[nodiscard]] double cost(Id<model::Tensor> tensor, Layout from, const Layout& to) const;
  void settle(Id<model::Tensor> tensor, const Layout& wanted);
  void fetch_from_stage(Id<model::Tensor> tensor, std::uint32_t maker, const Layout& wanted);
  Id<model::Tensor> convert(Id<model::Tensor> tensor,
                            Version from,
                            const Layout& layout,
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
  bool goes_first_ = false;
  std::vector<std::vector<Versions>> local_;           // by stage, then global tensor
  std::vector<std::optional<std::uint32_t>> made_in_;  // by global tensor: stage
  std::vector<std::uint32_t> made_in_pass_;            // by global tensor
  std::vector<Id<model::Operator>> last_of_pass_;      // by pass, of those emitted so far
  std::vector<std::optional<double>> tables_;          // by global tensor: that lie side by side
  Plan plan_;
};

}  // namespace cairn::plan
