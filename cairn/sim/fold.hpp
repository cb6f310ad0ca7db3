// Folding: ranks, lanes and resources that behave identically are simulated once.
//
// An equitable partition puts ranks, lanes and resources into classes such that each member of a
// class is connected to equally many members of every other class: every lane of class A leads from
// rank class X to rank class Y and draws equally often on resource class R; every resource of R is
// drawn on by equally many lanes of A. Members of a class then always do the same thing at the same
// time, because sharing treats equals equally, so simulating one of each suffices. Ranks that never
// wait for each other are all in one class. A resource keeps
// its full capacity and is drawn on by class A as often (Draw::count) as members of A use one
// member of it. Stations form classes too, one station for each rank of a class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/sim/program.hpp"

namespace cairn::sim {

struct FoldedProgram {
  Program program;                              // one of each class
  std::vector<std::uint32_t> resource;          // by resource class: a member, in the original
  std::vector<std::uint32_t> resource_members;  // by resource class
  std::vector<std::uint32_t> resource_class;    // by resource of the original
  std::vector<std::uint32_t> station_members;   // by station class
  std::vector<std::vector<std::uint32_t>> rank_members;  // by task, then rank class
  std::uint32_t rank_classes = 0;
  std::uint32_t lane_classes = 0;
};

// Finds the coarsest equitable partition by refinement (colour each member by its neighbours, until
// the number of colours is stable) and folds by it. Connected components for which that takes many
// rounds, such as a ring with one odd link, stay unfolded. std::nullopt if no members are equal, or
// folding is not possible: tasks that are single activities, an amount or a station that members of
// a class would get one after the other, issuers of one class that draw unequal amounts on a
// resource that others draw on.
std::optional<FoldedProgram> fold(const Program& program);

}  // namespace cairn::sim
