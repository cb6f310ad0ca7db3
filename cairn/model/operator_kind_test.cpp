#include "cairn/model/operator_kind.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

// Operators of a transformer, a CNN, a recurrent network and a recommendation model.
std::map<std::string, Graph> networks() {
  std::map<std::string, Graph> graphs;
  graphs["gpt"] = build(Gpt{.layers = 1, .hidden = 48, .heads = 6, .vocab = 96, .seq = 8}, 2.0, {});
  graphs["resnet"] = build(ResNet{}, 2.0, {});
  graphs["gnmt"] = build(Gnmt{}, 2.0, {});
  graphs["dlrm"] = build(Dlrm{}, 2.0, {});
  for (auto& [name, graph] : graphs) {
    graph = with_backward_pass(std::move(graph), {});
  }
  return graphs;
}

TEST(OperatorKind, OnlyOperatorsWithoutProductsAreCheap) {
  for (const auto& [name, graph] : networks()) {
    for (const Operator& op : graph.operators) {
      if (op.macs() > 0.0) {
        EXPECT_FALSE(op.properties().is_cheap) << name << ": " << op.name;
      }
    }
  }
}

TEST(OperatorKind, ProductsOfActivationsHaveNoWeight) {
  for (const auto& [name, graph] : networks()) {
    for (const Operator& op : graph.operators) {
      if (op.properties().multiplies_activations) {
        EXPECT_GT(op.macs(), 0.0) << name << ": " << op.name;
        EXPECT_FALSE(op.weight) << name << ": " << op.name;
      }
    }
  }
}

TEST(OperatorKind, LayersOfAClassMultiplyAndLookUpsDoNot) {
  for (const auto& [name, graph] : networks()) {
    for (const Operator& op : graph.operators) {
      if (op.properties().layer != LayerClass::kOther && op.pass == Pass::kForward) {
        EXPECT_TRUE(op.weight && op.contraction) << name << ": " << op.name;
      }
      if (op.properties().looks_up_rows) {
        EXPECT_EQ(op.macs(), 0.0) << name << ": " << op.name;
      }
    }
  }
}

}  // namespace
}  // namespace cairn::model
