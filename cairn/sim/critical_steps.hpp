// Whether a collective, alone, takes exactly as long with its steps collapsed as step by step.
//
// With one chunk in flight, step s of phase p takes lane i at most  t_i = l_i + b_i / x_i
// (guaranteed_rate.hpp), so a chunk takes at most
//
//   T = sum over phases of k_p max over i of t_i
//
// either way: no lane waits for longer than the slowest. It takes no less, either way, if some rank
// always waits for a slowest lane. The critical lanes of a phase are those that
//
//   - are slowest:  t_i = max over i of t_i,
//   - start at the latest possible moment: one of their ends was on a critical lane before, and
//   - take all of t_i: on a resource that limits them to x_i there are only critical lanes of equal
//     latency and bytes, which therefore overlap in every step.
//
// As long as every phase of every chunk has critical lanes, both forms take T.
#pragma once

#include <span>

#include "cairn/sim/guaranteed_rate.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::sim {

// `parts` start together; `guaranteed` are the rates of the collective they belong to.
bool steps_are_critical(const Program& program,
                        const GuaranteedRate& guaranteed,
                        std::span<const PhaseProgram* const> parts);

}  // namespace cairn::sim
