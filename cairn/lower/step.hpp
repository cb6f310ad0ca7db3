// Lowers a schedule to a simulator program of compute, communication and memory transfers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/lower/machine.hpp"
#include "cairn/lower/pass_times.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::lower {

// The action that a task of the program belongs to.
struct Origin {
  Id<memory::Action> action{};
  std::uint32_t device_class = 0;  // for collectives: the first class of the sending stage
  bool issue = false;              // the launch by the host, not the action itself
};

// A private copy of a resource of the machine, for a contention-free exchange.
struct ResourceCopy {
  Id<sim::Resource> copy{};
  Id<sim::Resource> original{};
};

struct StepProgram {
  sim::Program program{};
  std::vector<Origin> origin{};             // by task
  std::vector<std::uint32_t> first_task{};  // by action; its tasks are consecutive
  std::vector<std::uint32_t> end_task{};    // by action; exclusive
  std::vector<ResourceCopy> copies{};
};

// `costs` by operator of the plan; `passes` by body of the schedule.
StepProgram lower_schedule(const plan::Plan& plan,
                           const memory::Schedule& schedule,
                           std::span<const kernel::Cost> costs,
                           const Machine& machine,
                           std::span<const PassTimes> passes = {});

// A training step, ready for simulation.
struct LoweredStep {
  std::shared_ptr<const plan::Plan> plan{};
  std::vector<kernel::Cost> costs{};  // by operator of the plan
  Machine machine{};
  std::shared_ptr<const memory::Schedule> schedule{};
  std::vector<PassTimes> passes{};  // by body of the schedule
  StepProgram program{};
  std::optional<plan::NotRepeated> not_repeated{};  // absent: micro-batches are a loop
};

// Infeasible if there are more exchanges in a step than can be ordered by fifo or lifo.
std::optional<Infeasible> check_exchanges(const memory::LaunchPolicy& launch, double exchanges);
std::optional<Infeasible> check_exchanges(const memory::Schedule& schedule);

// `passes`: time_passes of the schedule. Infeasible if check_exchanges fails or simulation would
// take too long.
Feasible<LoweredStep> lower_step(std::shared_ptr<const plan::Plan> plan,
                                 std::vector<kernel::Cost> costs,
                                 Machine machine,
                                 std::shared_ptr<const memory::Schedule> schedule,
                                 std::vector<PassTimes> passes,
                                 const comm::Endpoint& endpoint);

// Adds the traffic of the passes that are repeated to the timeline of a step's program.
void add_passes(const LoweredStep& step, sim::Timeline& timeline);

}  // namespace cairn::lower
