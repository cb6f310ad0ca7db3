// From a schedule to a program for the engine: here compute, communication and memory meet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/lower/machine.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::lower {

// What a task of the program carries out.
struct Origin {
  Id<memory::Action> action{};
  std::uint32_t device_class = 0;  // of collectives: the first of the stage that sends
  bool issue = false;              // not the action, but what the host does before it
};

// Of a resource of the machine, for an exchange that does not share it.
struct ResourceCopy {
  Id<sim::Resource> copy{};
  Id<sim::Resource> original{};
};

struct StepProgram {
  sim::Program program{};
  std::vector<Origin> origin{};             // by task
  std::vector<std::uint32_t> first_task{};  // by action; its tasks are consecutive ...
  std::vector<std::uint32_t> end_task{};    // ... up to this one
  std::vector<ResourceCopy> copies{};
};

// `costs` by operator of the plan.
StepProgram lower_schedule(const plan::Plan& plan,
                           const memory::Schedule& schedule,
                           std::span<const kernel::Cost> costs,
                           const Machine& machine);

// A training step that is ready to be simulated.
struct LoweredStep {
  std::shared_ptr<const plan::Plan> plan{};
  std::vector<kernel::Cost> costs{};  // by operator of the plan
  Machine machine{};
  std::shared_ptr<const memory::Schedule> schedule{};
  StepProgram program{};
};

// More exchanges than can be put in the order that is asked for.
std::optional<Infeasible> check_exchanges(const memory::Schedule& schedule);

// Infeasible: it would take too long to simulate.
Feasible<LoweredStep> lower_step(std::shared_ptr<const plan::Plan> plan,
                                 std::vector<kernel::Cost> costs,
                                 Machine machine,
                                 std::shared_ptr<const memory::Schedule> schedule,
                                 const comm::Endpoint& endpoint);

// What an exchange of a plan is for a machine; among all devices of a stage, whichever axes these
// differ along.
CollectiveKey key_of(const plan::Exchange& exchange, const plan::Plan& plan);

// The collectives that the plan needs a machine for.
std::vector<CollectiveKey> collectives_of(const plan::Plan& plan);

// The tasks of one collective; all of them start together and the collective ends with the last.
std::vector<sim::PhaseProgram> collective_parts(const Machine& machine, const CollectiveKey& key);

}  // namespace cairn::lower
