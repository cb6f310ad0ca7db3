// The table of collective algorithms; each is defined in its own file.
#pragma once

#include <span>
#include <string_view>

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

// Reason of Algorithm::unsupported for an operation that the algorithm does not implement.
inline constexpr const char* kNotImplemented = "does not implement this operation";

// For algorithms that gain nothing from chunks.
std::uint32_t one_chunk(const Collective& collective, const GroupLayout& layout);

struct Algorithm {
  std::string_view name;
  std::string_view doc;
  // Why it cannot run the operation in the group; nullptr if it can.
  const char* (*unsupported)(Op op, const GroupLayout& layout);
  // True if every position sends what position 0 sends, shifted by its coordinates. On a
  // shift-symmetric platform one position then represents all.
  bool (*shift_invariant)(Op op, const GroupLayout& layout);
  // Preconditions: the operation is supported; at least two positions.
  CollectiveSchedule (*schedule)(const Collective& collective, const GroupLayout& layout);
  // Approximate number of messages of the schedule: the cost of building it.
  double (*messages)(Op op, const GroupLayout& layout);
  // Default number of chunks of the payload.
  std::uint32_t (*chunks)(const Collective& collective, const GroupLayout& layout) = one_chunk;
  // Follows the platform's dimensions, whatever the order of devices in the group.
  bool by_dimension = false;

  [[nodiscard]] bool supports(Op op, const GroupLayout& layout) const {
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

// True for all devices of a shift-symmetric platform, and for any group of an exchange-symmetric
// one. Precondition for folding a shift-invariant algorithm by the platform's stated symmetry.
bool symmetric_group(const GroupLayout& layout);

// Chunks of a pipelined algorithm: of at least 64 KiB each, and at most `max_chunks`, so that
// filling the pipeline costs little.
std::uint32_t pipeline_chunks(Bytes size, std::uint32_t max_chunks);

}  // namespace cairn::comm
