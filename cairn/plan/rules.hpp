// In which layouts the operands of a contraction are wanted, by what an axis of the mesh does with
// it, and which side of the work becomes smaller.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/model/graph.hpp"
#include "cairn/plan/layout.hpp"

namespace cairn::plan {

// What the devices along an axis have different shares of.
enum class Role : std::uint8_t {
  kSamples,   // of the batch
  kChannels,  // of each layer's output; weights stay where they are, backward too
  kRow,       // rows of the result of every GEMM, forward or backward
  kColumn,    // columns of the result of every GEMM
  kInner,     // terms of the sum, forward; backward, what follows from where the weights are
  kWords,     // rows of a table that is looked up
  kNothing,   // all do the same
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
    case Role::kWords:
    case Role::kNothing:
      return {.forward = {kWhole, kWhole, kWhole, kNone},
              .data_gradient = {kWhole, kWhole, kWhole, kNone},
              .weight_gradient = {kWhole, kWhole, kWhole, kNone}};
  }
  return {};
}

// Rows of a table: `left` are their numbers, or (backward) numbers and gradients. Nobody sums over
// anything, so that along kInner the table is cut by columns, and along kRow all gradients are
// gathered instead of exchanging the whole table's. Along kWords a device has zeros for words that
// are not its own.
constexpr Rules table_rules_of(Role role) {
  using enum Split;
  using enum Side;
  switch (role) {
    case Role::kSamples:
      return rules_of(Role::kSamples);
    case Role::kWords:
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

// The same of several tables side by side, of whose rows only those are trained that were looked
// up: a device that has some of the tables needs the numbers of their rows only, and where samples
// are cut, all gradients and numbers are gathered.
constexpr Rules bag_rules_of(Role role) {
  using enum Split;
  using enum Side;
  switch (role) {
    case Role::kSamples:
    case Role::kRow:
      return table_rules_of(Role::kRow);
    case Role::kWords:
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

// The layout of what one side of a rule says, along all axes.
template <class Choose>
constexpr Layout layout_by(const std::array<Role, kAxesOfStage>& roles, const Choose& choose) {
  Layout layout;
  for (const Axis axis : kStageAxes) {
    layout[axis] = choose(roles[static_cast<std::size_t>(axis)]);
  }
  return layout;
}

}  // namespace cairn::plan
