// Two binary trees, each carrying half the payload, pipelined in chunks. A device that is a leaf in
// one tree is an inner node of the other, so that all links are used (Sanders, Speck & Traeff,
// "Two-tree algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 2009).
//
// Nodes 1..n-1 form an in-order binary tree below node 0, which has one child: the odd numbers are
// leaves, and node x with lowest set bit b has its parent at (x with bit b cleared) | 2b, or, if
// there is no such node, at x with bit b cleared.
//
//   broadcast, reduce:  depth (l + m/B) + (chunks - 1) m/B    with chunks of m bytes in each tree
//   all-reduce:         reduce, then broadcast; up to twice that where the upward edges of one
//                       tree are the downward edges of the other
#include <algorithm>
#include <utility>
#include <vector>

#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

const char* unsupported(Op op, const GroupLayout& /*layout*/) {
  return op == Op::kAllReduce || op == Op::kBroadcast || op == Op::kReduce ? nullptr
                                                                           : kNotImplemented;
}

bool shift_invariant(Op /*op*/, const GroupLayout& /*layout*/) {
  return false;
}

std::uint32_t parent_of(std::uint32_t node, std::uint32_t n) {
  const std::uint32_t bit = node & (~node + 1);
  const std::uint32_t above = (node ^ bit) | (bit << 1U);
  return above < n ? above : node ^ bit;
}

// A tree over positions: parent[root] = root.
struct Tree {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> depth;   // links to the root
  std::vector<std::uint32_t> height;  // links to the farthest leaf below
  std::uint32_t root = 0;
};

// The second tree renumbers nodes 1..n-1 so that odd and even nodes are swapped.
Tree make_tree(std::uint32_t n, std::uint32_t root, bool second) {
  const auto position = [&](std::uint32_t node) {
    if (second && node > 0) {
      node = n % 2 == 0 ? node % (n - 1) + 1 : n - node;
    }
    return (node + root) % n;
  };
  Tree tree{.parent = std::vector<std::uint32_t>(n),
            .depth = std::vector<std::uint32_t>(n, 0),
            .height = std::vector<std::uint32_t>(n, 0),
            .root = root};
  tree.parent[root] = root;
  for (std::uint32_t node = 1; node < n; ++node) {
    tree.parent[position(node)] = position(parent_of(node, n));
  }
  for (std::uint32_t p = 0; p < n; ++p) {
    std::uint32_t links = 0;
    for (std::uint32_t at = p; at != root; at = tree.parent[at]) {
      ++links;
      std::uint32_t& height = tree.height[tree.parent[at]];
      height = std::max(height, links);
    }
    tree.depth[p] = links;
  }
  return tree;
}

// Sends up (towards the root) or down, level by level.
void add_levels(const Tree& tree, bool up, Part& part) {
  const std::vector<std::uint32_t>& level = up ? tree.height : tree.depth;
  const std::uint32_t last = *std::ranges::max_element(level);
  for (std::uint32_t l = up ? 0 : 1; l <= last; ++l) {
    part.begin_phase(1, up ? 1 : 0);
    for (std::uint32_t p = 0; p < tree.parent.size(); ++p) {
      if (p != tree.root && level[p] == l) {
        part.send({.from = up ? p : tree.parent[p], .to = up ? tree.parent[p] : p, .share = 1.0});
      }
    }
  }
}

CollectiveSchedule make_schedule(const Collective& collective, const GroupLayout& layout) {
  CollectiveSchedule schedule;
  for (const bool second : {false, true}) {
    const std::uint32_t root = collective.op == Op::kAllReduce ? 0 : collective.root;
    const Tree tree = make_tree(layout.positions, root, second);
    Part part{.share = 0.5};
    if (collective.op != Op::kBroadcast) {
      add_levels(tree, true, part);
    }
    if (collective.op != Op::kReduce) {
      add_levels(tree, false, part);
    }
    schedule.parts.push_back(std::move(part));
  }
  return schedule;
}

std::uint32_t chunks(const Collective& collective, const GroupLayout& /*layout*/) {
  return pipeline_chunks(collective.size, 256);
}

double messages(Op /*op*/, const GroupLayout& layout) {
  return 4.0 * layout.positions;
}

}  // namespace

constexpr Algorithm kDoubleBinaryTree{.name = "double_binary_tree",
                                      .doc = "two trees with half the payload each, pipelined",
                                      .unsupported = unsupported,
                                      .shift_invariant = shift_invariant,
                                      .schedule = make_schedule,
                                      .messages = messages,
                                      .chunks = chunks};

}  // namespace cairn::comm
