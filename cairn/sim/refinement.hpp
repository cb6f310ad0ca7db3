// The coarsest equitable partition of a program (fold.hpp), by refinement: each member is coloured
// by its neighbours until no further round splits a class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/sim/program.hpp"

namespace cairn::sim {

// Class numbers by first appearance, and the first member of each class.
struct Classes {
  std::vector<std::uint32_t> of;     // by member
  std::vector<std::uint32_t> first;  // by class
  std::vector<std::uint32_t> size;   // by class
};

struct Partition {
  Classes lanes{};  // of all tasks, in order
  Classes ranks{};  // of all tasks, in order
  Classes resources{};
  Classes stations{};
};

// Connected components for which refinement takes many rounds, or that have few equal members, stay
// apart: each of their members is a class. Nothing if no two members are in one class.
// Precondition: all tasks are phase programs.
std::optional<Partition> find_partition(const Program& program);

}  // namespace cairn::sim
