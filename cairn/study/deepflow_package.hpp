// The best strategy and chip by number of nodes in a package (DeepFlow, Fig. 11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cairn/study/system_search.hpp"

namespace cairn::study {

// Results for a number of nodes per package.
struct PackageFound {
  std::uint32_t nodes = 1;
  RankedStrategy same_chip{};  // on the best chip for one node per package
  RankedStrategy best{};       // on `chip`
  GeneratedChip chip{};        // the best chip for this number of nodes
  std::size_t tried = 0;
  std::size_t pruned = 0;
};

// By case; the first number of nodes is 1, the baseline of the others.
using PackagesFound = std::map<std::string, std::vector<PackageFound>>;

// The case with the assumed model and links.
inline constexpr const char* kBaseCase = "base";

// Findings, tables and the figure. `cases`: names in `found` beside the base case; `nodes`: their
// numbers of nodes per package.
StudyResult packages_found(const PackagesFound& found,
                           const std::vector<std::string>& cases,
                           const std::vector<std::uint32_t>& nodes);

}  // namespace cairn::study
