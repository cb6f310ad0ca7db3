// The layouts of a contraction's operands and its split side, by the role of a mesh axis.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/model/graph.hpp"
#include "cairn/plan/layout.hpp"

namespace cairn::plan {

// What an axis partitions.
enum class Role : std::uint8_t {
  kSamples,     // the samples of the batch
  kChannels,    // each layer's output channels (column-parallel); weights stay in place
  kRow,         // rows of the result of every GEMM, forward or backward
  kColumn,      // columns of the result of every GEMM
  kInner,       // the inner dimension forward (row-parallel); weights stay in place
  kVocabulary,  // rows of an embedding table
  kNothing,     // nothing: work is replicated
};

enum class Side : std::uint8_t { kM, kN, kK, kNone };

// left x right = result. Forward X W = Y; backward dY W^T = dX, and X^T dY = dW with X as `left`.
struct Rule {
  Split left;
  Split right;
  Split result;
  Side smaller;
};

struct Rules {
  Rule forward;
  Rule data_gradient;
  Rule weight_gradient;
};

// Y (m x n) = X (m x k) W (k x n); dX is m x k, dW is k x n. Rows of X, Y are samples, rows of W
// are inputs.
constexpr Rules rules_of(Role role) {
  using enum Split;
  using enum Side;
  switch (role) {
    case Role::kSamples:
      return {.forward = {kRows, kWhole, kRows, kM},
              .data_gradient = {kRows, kWhole, kRows, kM},
              .weight_gradient = {kRows, kRows, kPartial, kK}};
    case Role::kChannels:
      return {.forward = {kWhole, kColumns, kColumns, kN},
              .data_gradient = {kColumns, kColumns, kPartial, kK},
              .weight_gradient = {kWhole, kColumns, kColumns, kN}};
    case Role::kRow:
      return {.forward = {kRows, kWhole, kRows, kM},
              .data_gradient = {kRows, kWhole, kRows, kM},
              .weight_gradient = {kColumns, kWhole, kRows, kM}};
    case Role::kColumn:
      return {.forward = {kWhole, kColumns, kColumns, kN},
              .data_gradient = {kWhole, kRows, kColumns, kN},
              .weight_gradient = {kWhole, kColumns, kColumns, kN}};
    case Role::kInner:
      return {.forward = {kColumns, kRows, kPartial, kK},
              .data_gradient = {kWhole, kRows, kColumns, kN},
              .weight_gradient = {kColumns, kWhole, kRows, kM}};
    case Role::kVocabulary:
    case Role::kNothing:
      return {.forward = {kWhole, kWhole, kWhole, kNone},
              .data_gradient = {kWhole, kWhole, kWhole, kNone},
              .weight_gradient = {kWhole, kWhole, kWhole, kNone}};
  }
  return {};
}

// Embedding lookups: `left` are row indices, or (backward) indices and gradients. There is no inner
// dimension, so along kInner the table is split by columns, and along kRow the gradients of all
// samples are gathered instead of the whole table's. Along kVocabulary a device has zeros for
// tokens of other devices.
constexpr Rules table_rules_of(Role role) {
  using enum Split;
  using enum Side;
  switch (role) {
    case Role::kSamples:
      return rules_of(Role::kSamples);
    case Role::kVocabulary:
      return {.forward = {kWhole, kRows, kPartial, kNone},
              .data_gradient = {},
              .weight_gradient = {kWhole, kWhole, kRows, kNone}};
    case Role::kNothing:
      return rules_of(Role::kNothing);
    case Role::kRow:
      return {.forward = {kRows, kWhole, kRows, kM},
              .data_gradient = {},
              .weight_gradient = {kWhole, kWhole, kWhole, kNone}};
    case Role::kChannels:
    case Role::kColumn:
    case Role::kInner:
      break;
  }
  return {.forward = {kWhole, kColumns, kColumns, kN},
          .data_gradient = {},
          .weight_gradient = {kWhole, kColumns, kColumns, kN}};
}

// Embedding bags, of which only looked-up rows are trained: a device with some of the tables needs
// only their indices, and where samples are split, all gradients and indices are gathered.
constexpr Rules bag_rules_of(Role role) {
  using enum Split;
  using enum Side;
  switch (role) {
    case Role::kSamples:
    case Role::kRow:
      return table_rules_of(Role::kRow);
    case Role::kVocabulary:
    case Role::kNothing:
      return table_rules_of(role);
    case Role::kChannels:
    case Role::kColumn:
    case Role::kInner:
      break;
  }
  return {.forward = {kColumns, kColumns, kColumns, kN},
          .data_gradient = {},
          .weight_gradient = {kColumns, kColumns, kColumns, kN}};
}

// The layout of one operand of a rule along all axes.
template <class Choose>
constexpr TensorLayout layout_by(const std::array<Role, kStageAxes.size()>& roles,
                                 const Choose& choose) {
  TensorLayout layout;
  for (const Axis axis : kStageAxes) {
    layout[axis] = choose(roles[static_cast<std::size_t>(axis)]);
  }
  return layout;
}

}  // namespace cairn::plan
