// The memory of micro-batches as a loop: from the live ranges of three micro-batches to those of
// all.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cairn/memory/planned_passes.hpp"

namespace cairn::memory {

// How the actions of a schedule of all micro-batches stand for those of three.
struct Repetition {
  std::vector<Id<Action>> new_id{};                     // by planned action, if not repeated
  std::vector<std::vector<std::uint32_t>> bodies_of{};  // by pass: index in Schedule::bodies
  std::map<Id<Action>, std::uint32_t> in_body{};        // by planned action: position in its body
  std::vector<std::vector<Id<Action>>> repeats{};    // of a body, by micro-batch; the second first
  std::vector<std::vector<Id<Action>>> transfers{};  // by number and micro-batch

  // The action that repeats a body in a micro-batch.
  [[nodiscard]] Id<Action> repeat(std::uint32_t body, std::uint32_t micro_batch) const {
    return repeats[body].at(micro_batch - 1);
  }

  // Of a kernel or collective of a repeated pass: index in Schedule::bodies.
  [[nodiscard]] std::uint32_t body_of(const PlannedPasses& planned, Id<Action> id) const {
    return bodies_of[planned.action(id).pass][planned.segment(id)];
  }
};

// Adds the live ranges to `schedule`, those within a pass to its bodies. Throws plan::NotRepeated.
void repeat_live_ranges(const plan::Plan& plan,
                        const PlannedPasses& planned,
                        const std::vector<LiveRange>& ranges,
                        const Repetition& repetition,
                        Schedule& schedule);

}  // namespace cairn::memory
