// The algorithm of a collective: given by the user, or chosen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/comm/layout.hpp"

namespace cairn::comm {

struct AlgorithmChoice {
  const Algorithm* algorithm = nullptr;  // nullptr: auto, the lowest estimate
  // By dimension of the platform, for algorithms by dimension; empty: rings.
  std::vector<DimensionAlgorithm> dimensions{};

  [[nodiscard]] bool is_auto() const { return algorithm == nullptr; }

  bool operator==(const AlgorithmChoice&) const = default;
};

// "ring", "hierarchical", "hierarchical:ring,direct"; "auto".
std::string name_of(const AlgorithmChoice& choice);

// Inverse of name_of. Throws ConfigError at `where` for an unknown name.
AlgorithmChoice parse_algorithm(std::string_view text, const Where& where);

// Algorithms and chunks of collectives.
struct CollectivePolicy {
  AlgorithmChoice algorithm{};                 // default of every operation
  std::map<Op, AlgorithmChoice> operations{};  // overrides `algorithm`
  // Chunk size where phases can overlap; 0 B: one chunk. Absent: the number of chunks with the
  // lowest estimate.
  std::optional<Bytes> chunk_size{};
  std::optional<std::uint32_t> chunks{};  // number of chunks; overrides chunk_size
  std::optional<std::uint32_t> window{};  // chunks in flight; absent: the endpoint's
  Seconds start{0.0};  // start-up time of each collective, besides that of its protocols

  [[nodiscard]] const AlgorithmChoice& algorithm_for(Op op) const;

  bool operator==(const CollectivePolicy&) const = default;
};

// This algorithm for all-reduce, reduce-scatter and all-gather, in one chunk; auto for the rest.
CollectivePolicy reductions_by(const AlgorithmChoice& algorithm);

// Reads `algorithm`: a name, {hierarchical: [ring, direct]} by dimension, or a map from operation
// to one of these. Throws ConfigError.
void read_algorithms(const Config& config, CollectivePolicy& policy);

// The members of a group in the order that the algorithm requires: by rank for algorithms by
// dimension, otherwise as given.
Group ordered_for(const AlgorithmChoice& choice, const GroupLayout& all, Group group);

// The group as a layout, with the algorithm of each dimension.
GroupLayout layout_for(const AlgorithmChoice& choice, const GroupLayout& all, const Group& group);

}  // namespace cairn::comm
