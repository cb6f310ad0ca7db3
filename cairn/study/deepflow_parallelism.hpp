// The best design at each logic node, with more and more of the design searched (DeepFlow, Fig.
// 10).
#pragma once

#include <string>
#include <vector>

#include "cairn/study/system_search.hpp"

namespace cairn::study {

// The best design of one search.
struct Found {
  Seconds time{};
  std::string strategy{};
  double hidden = 0.0;
  double batch = 0.0;
};

struct NodeFound {
  std::string name{};  // "n12"
  std::string text{};  // "12 nm"
  Found naive{};       // data parallelism on the template's chip
  Found parallelism{};
  Found architecture{};  // chip and strategy
  Found model{};         // model, chip and strategy
  GeneratedChip chip{};
};

// Findings, tables and the figure. Precondition: at least one node.
StudyResult parallelism_found(std::vector<NodeFound> nodes, chip::Precision precision);

}  // namespace cairn::study
