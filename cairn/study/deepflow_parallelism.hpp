// What is found at each logic node, with more and more of the design searched (DeepFlow, Fig. 10).
#pragma once

#include <string>
#include <vector>

#include "cairn/study/system_search.hpp"

namespace cairn::study {

// The best that is found with so much of the design free.
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
  Found architecture{};
  Found model{};
  MadeChip chip{};
};

// Findings, tables and the figure. At least one node.
StudyResult parallelism_found(std::vector<NodeFound> nodes, chip::Precision precision);

}  // namespace cairn::study
