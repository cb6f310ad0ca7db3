// Whether a collective, alone, takes exactly as long with its steps collapsed as step by step.
//
// With one chunk on its way, step s of phase p takes lane i at most  t_i = l_i + b_i / x_i
// (certain_pace.hpp), so a chunk takes at most
//
//   T = sum over phases of k_p max over i of t_i
//
// either way: nobody waits for longer than the slowest. It takes no less, either way, if some rank
// is always held up by a slowest lane. The critical lanes of a phase are those that
//
//   - are slowest:  t_i = max over i of t_i,
//   - start at the latest possible moment: one of their ends was on a critical lane before, and
//   - take all of t_i: on a resource that limits them to x_i there are only critical lanes of equal
//     latency and bytes, which so meet in every step.
//
// As long as every phase of every chunk has critical lanes, both forms take T.
#pragma once

#include <span>

#include "cairn/sim/certain_pace.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::sim {

// `parts` start together; `pace` is that of the collective they belong to.
bool steps_are_critical(const Program& program,
                        const CertainPace& pace,
                        std::span<const PhaseProgram* const> parts);

}  // namespace cairn::sim
