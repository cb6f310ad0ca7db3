// Which algorithm does a collective: as a user names it, or as it was chosen.
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
  const Algorithm* algorithm = nullptr;  // nullptr: auto, the one with the least estimate
  // By dimension of the platform, for algorithms that go by dimension; empty: rings.
  std::vector<DimensionAlgorithm> dimensions{};

  [[nodiscard]] bool is_auto() const { return algorithm == nullptr; }

  bool operator==(const AlgorithmChoice&) const = default;
};

// "ring", "hierarchical", "hierarchical:ring,direct"; "auto".
std::string name_of(const AlgorithmChoice& choice);

// The same notation. Throws ConfigError at `where` for a name that is not known.
AlgorithmChoice parse_algorithm(std::string_view text, const Where& where);

// How collectives are to be done.
struct CollectivePolicy {
  AlgorithmChoice algorithm{};                 // of every operation ...
  std::map<Op, AlgorithmChoice> operations{};  // ... but these
  // Payloads are cut into chunks of this size where phases can overlap; 0 B: not at all. Absent: as
  // many as the estimate says is fastest.
  std::optional<Bytes> chunk_size{};
  std::optional<std::uint32_t> chunks{};  // their number, instead
  std::optional<std::uint32_t> window{};  // chunks on their way at once; absent: the endpoint's
  Seconds start{0.0};  // of each, before its first message, besides its protocols'

  [[nodiscard]] const AlgorithmChoice& algorithm_for(Op op) const;
};

// All-reduce, reduce-scatter and all-gather by this algorithm, in one chunk; others by auto.
CollectivePolicy reductions_by(const AlgorithmChoice& algorithm);

// Reads `algorithm`: a name, {hierarchical: [ring, direct]} by dimension, or a map from operation
// to either. Throws ConfigError.
void read_algorithms(const Config& config, CollectivePolicy& policy);

// The members of a group in the order in which the algorithm wants them: by rank if it goes by
// dimension, whichever order they are given in.
Group ordered_for(const AlgorithmChoice& choice, const Layout& all, Group group);

// The group as a layout of its own, each dimension with its algorithm.
Layout layout_for(const AlgorithmChoice& choice, const Layout& all, const Group& group);

}  // namespace cairn::comm
