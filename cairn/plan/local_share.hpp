// A device's share of an operator's work, or why a share would be empty.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/plan/operand_rules.hpp"
#include "cairn/plan/shards.hpp"

namespace cairn::plan {

// The operator without tensor references, which differ on a device.
model::Operator without_tensors(const model::Operator& op);

class LocalShare {
 public:
  // All must outlive this.
  LocalShare(const model::Graph& global,
             const OperandRules& rules,
             const Shards& shards,
             const Mesh& mesh)
      : global_(global), rules_(rules), shards_(shards), mesh_(mesh) {}

  // The share of an operator with a weight. `samples`: the side of its contraction that runs over
  // samples.
  model::Operator of(const model::Operator& op, Rule Rules::* pass, Side samples);

  // Tables are distributed; a device with part of their rows looks up the same part of each
  // sample's. The device with the most tables sets the pace. No effect without lookups.
  void take_tables(const model::Operator& op, const TensorLayout& table, model::Operator& mine);

  // A part of the batched GEMMs of a matmul.
  void take_gemms(const model::Operator& op, const TensorLayout& layout, model::Operator& mine);

  // Heads are distributed evenly; the device with the most samples sets the pace.
  void take_heads(const model::Operator& op, const TensorLayout& layout, model::Operator& mine);

  // The first operator that cannot be partitioned, and why.
  [[nodiscard]] const std::optional<Infeasible>& infeasible() const { return infeasible_; }

  void reject(std::string why);

 private:
  void reject_too_few(const model::Operator& op,
                      double there,
                      const char* what,
                      std::uint32_t shards);

  void check_heads(const model::Operator& op, double heads, const char* what, std::uint32_t shards);

  const model::Graph& global_;
  const OperandRules& rules_;
  const Shards& shards_;
  const Mesh& mesh_;
  std::optional<Infeasible> infeasible_{};
};

}  // namespace cairn::plan
