// The guaranteed rates of a collective's lanes while it runs alone with one chunk in flight.
//
// Sharing gives the lanes of one collective equal rates on a contended resource, and the share that
// one lane cannot use goes to the others. So if lanes that draw n_r in total per unit of progress
// can be on resource r at once, none of them ever runs slower than
//
//   x_i = min(v_i, min over r of C_r / n_r).
//
// A rank is in one phase at a time, so its lanes of different phases are never active together,
// neither at their senders nor at their receivers:
//
//   n_r = sum over parts of min(sum over senders of max over phases of the draws of its lanes,
//                               the same sum over receivers).
//
// Ranks in lockstep are all in the same phase, so that
//
//   n_r = sum over parts of max over phases of the draws of all lanes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/sim/program.hpp"

namespace cairn::sim {

// How the ranks of a collective progress.
enum class Progress : std::uint8_t {
  kIndependent,  // independently
  kLockstep,     // all do the same at the same time, as symmetric devices do
};

class GuaranteedRate {
 public:
  // `parts`: the phase programs of one collective.
  GuaranteedRate(const Program& program,
                 std::span<const PhaseProgram* const> parts,
                 Progress progress = Progress::kIndependent);

  // n_r.
  [[nodiscard]] double max_drawn(Id<Resource> resource) const {
    return max_drawn_[resource.index()];
  }

  // n_r / C_r: the time that the resource adds to a step, per byte.
  [[nodiscard]] double seconds_per_byte(Id<Resource> resource) const {
    return max_drawn_[resource.index()] / program_->resources[resource.index()].capacity;
  }

  // 1 / x_i of a lane with this demand.
  [[nodiscard]] double seconds_per_byte(const Demand& demand) const;

 private:
  const Program* program_;
  std::vector<double> max_drawn_;  // by resource
};

}  // namespace cairn::sim
