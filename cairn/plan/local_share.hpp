// A device's share of an operator's work, or why there is none for each.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/plan/operand_rules.hpp"
#include "cairn/plan/shards.hpp"

namespace cairn::plan {

// The operator without what it reads, writes and keeps, of which a device has other tensors.
model::Operator without_tensors(const model::Operator& op);

class LocalShare {
 public:
  // All must outlive this.
  LocalShare(const model::Graph& global,
             const OperandRules& rules,
             const Shards& shards,
             const Mesh& mesh)
      : global_(global), rules_(rules), shards_(shards), mesh_(mesh) {}

  // Of an operator with a weight. Of the sides of its contraction, `samples` is the one that
  // samples lie along.
  model::Operator of(const model::Operator& op, Rule Rules::* pass, Side samples);

  // Tables lie side by side, and a device that has some of their rows looks up as many of each
  // sample's. The one with the most tables sets the pace. Nothing is done where none are looked up.
  void take_tables(const model::Operator& op, const Layout& table, model::Operator& mine);

  // Some of the products of feature maps.
  void take_products(const model::Operator& op, const Layout& layout, model::Operator& mine);

  // The device with the most samples and heads sets the pace.
  void take_heads(const model::Operator& op, const Layout& layout, model::Operator& mine);

  // Why the first operator that cannot be spread cannot.
  [[nodiscard]] const std::optional<Infeasible>& cannot() const { return cannot_; }

  void refuse(std::string why);

 private:
  void refuse_few(const model::Operator& op, double there, const char* what, std::uint32_t shards);

  const model::Graph& global_;
  const OperandRules& rules_;
  const Shards& shards_;
  const Mesh& mesh_;
  std::optional<Infeasible> cannot_{};
};

}  // namespace cairn::plan
