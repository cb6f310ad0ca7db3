// The product of two cycles splits into two Hamiltonian cycles (Kotzig 1973).
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/platform/two_factor.hpp"

namespace cairn::platform {

// Splits the product of a cycle and a circle of `width` vertices; vertex (v, j) is v + j * stride.
//
// Both even, or both odd: a helix. At every vertex v of the cycle the walk goes once round the
// circle and continues at the next v one position further; upwards or, at the first d vertices,
// downwards, with d such that it closes:
//
//   length - 2 d = 0  modulo the width.
//
// d is the smallest for which the remaining edges form one cycle as well. (With d = 0 and
// length = width these are the Lee-distance Gray codes of Bae and Bose, IEEE Trans. Computers
// 52(10), 2003.)
//
// One even, one odd: a staircase. The copies of the cycle (rows) are a two-factor, the copies of
// the circle (columns) another. A switch at a square exchanges two row edges for two column edges
//
//        p --- q            p     q
//                    ->     |     |
//        r --- s            r     s
//
// and merges two rows and two columns. With k rows, k odd, and k + 1 columns: the squares (i, i),
// i < k - 1, merge all rows into a cycle that runs along them to and fro, and all columns but the
// last. The square (k - 1, k - 1), between the last row and the first, merges the last; as k is odd
// these two rows run the same way, and switching two edges that run the same way keeps one cycle.
// Then, two columns (or rows) at a time: a switch e_j between the rows j and j + 1 may be replaced
// by e_j e_{j-1} e_j beside each other, the new columns between them, which connects the same ends
// among the rows and among the columns (the relation of Temperley and Lieb, both ways).
//
// Empty for width two and an odd cycle: each Hamiltonian cycle takes one of the parallel edges
// (v, 0)-(v, 1), so the edges along the cycle alternate between the two, which needs an even cycle.
std::vector<Cycle> split_product(const Cycle& cycle, std::uint32_t width, std::uint32_t stride);

}  // namespace cairn::platform
