// The algorithms Cairn knows, in one table; each lives in a file of its own.
#pragma once

#include <span>
#include <string_view>

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

// What Algorithm::unsupported says of an operation that it has no schedule for.
inline constexpr const char* kNotOfThisAlgorithm = "has no schedule for it";

struct Algorithm {
  std::string_view name;
  std::string_view doc;
  // Why it cannot do the operation in the group; nullptr if it can.
  const char* (*unsupported)(Op op, const Layout& layout);
  // True if every position sends what position 0 sends, shifted by its coordinates. On a
  // shift-symmetric platform one position then stands for all.
  bool (*shift_invariant)(Op op, const Layout& layout);
  // Preconditions: supported; at least two positions.
  Schedule (*schedule)(const Collective& collective, const Layout& layout);
  // How many messages the whole schedule has, about: what it costs to write it down.
  double (*messages)(Op op, const Layout& layout);
  // Into how many chunks the payload is best cut, if the user does not say.
  std::uint32_t (*chunks)(const Collective& collective, const Layout& layout);
  // Goes by the dimensions of the platform, whichever order devices are given in.
  bool by_dimension = false;

  [[nodiscard]] bool supports(Op op, const Layout& layout) const {
    return unsupported(op, layout) == nullptr;
  }
};

// One definition per file.
extern const Algorithm kRing;
extern const Algorithm kRings;
extern const Algorithm kDirect;
extern const Algorithm kHalvingDoubling;
extern const Algorithm kDoubleBinaryTree;
extern const Algorithm kHierarchical;
extern const Algorithm kNested;

std::span<const Algorithm* const> algorithms();

// nullptr for an unknown name.
const Algorithm* find_algorithm(std::string_view name);

// All devices of a platform that is shift-symmetric, or some of one that is exchange-symmetric:
// what every shift-invariant algorithm needs in order to be folded by statement.
bool symmetric_group(const Layout& layout);

// For pipelines: chunks small enough that filling the pipeline hardly counts, but no smaller than
// 64 KiB, and at most `most`.
std::uint32_t pipeline_chunks(Bytes size, std::uint32_t most);

// For algorithms that gain nothing from chunks.
std::uint32_t one_chunk(const Collective& collective, const Layout& layout);

}  // namespace cairn::comm
