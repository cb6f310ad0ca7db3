// What the lanes of a collective are certain to get while it runs alone with one chunk on its way.
//
// Sharing gives the lanes of one collective equal rates on a contended resource, and what one lane
// cannot use goes to the others. So if lanes that draw n_r in all per unit of progress can be on
// resource r at once, none of them ever runs slower than
//
//   x_i = min(v_i, min over r of C_r / n_r).
//
// A rank is in one phase at a time, so those of its lanes that belong to different phases are never
// on their way together, neither at their senders nor at their receivers:
//
//   n_r = sum over parts of min(sum over senders of max over phases of what its lanes draw,
//                               sum over receivers likewise).
//
// Ranks in lockstep are all in the same phase, so that
//
//   n_r = sum over parts of max over phases of what all lanes draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/sim/program.hpp"

namespace cairn::sim {

// How the ranks of a collective get on.
enum class Progress : std::uint8_t {
  kEachForItself,
  kLockstep,  // all do the same at the same time, as devices that cannot be told apart
};

class CertainPace {
 public:
  // `parts`: the phase programs of one collective.
  CertainPace(const Program& program,
              std::span<const PhaseProgram* const> parts,
              Progress progress = Progress::kEachForItself);

  // n_r.
  [[nodiscard]] double most_drawn(Id<Resource> resource) const {
    return most_drawn_[resource.index()];
  }

  // n_r / C_r: what the resource adds to a step, per byte.
  [[nodiscard]] double seconds_per_byte(Id<Resource> resource) const {
    return most_drawn_[resource.index()] / program_->resources[resource.index()].capacity;
  }

  // 1 / x_i of a lane with this demand.
  [[nodiscard]] double seconds_per_byte(const Demand& demand) const;

 private:
  const Program* program_;
  std::vector<double> most_drawn_;  // by resource
};

}  // namespace cairn::sim
