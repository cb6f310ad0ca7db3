// What devices do by themselves: compute, and move data to their backing store and back. As tasks
// of a program, so that devices that behave alike can be found, and as demands of a machine.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cairn/lower/machine.hpp"
#include "cairn/platform/backing_store.hpp"

namespace cairn::lower {

class DeviceRanks {
 public:
  // Devices of a stage that stand for all `shards` of it.
  struct Stage {
    std::uint32_t shards = 1;
    std::vector<std::uint32_t> devices{};
  };

  // All must outlive this.
  DeviceRanks(const platform::Platform& platform,
              const chip::Device& device,
              const MachineOptions& options,
              comm::ProgramBuilder& builder)
      : platform_(platform), device_(device), options_(options), builder_(builder) {}

  // A task with one rank per device of the stage; each computes, moves out and moves in, and
  // occupies its cores if that matters, one phase after the other. Devices of different stages
  // never do the same, so that each stage is a task of its own. From the first task on, in order.
  void add(const Stage& stage);

  // Every device of all stages so far has somewhere to move data to.
  [[nodiscard]] bool has_store() const { return has_store_; }

  // All devices store alike: with x bytes of each, a memory holds x times the shares it has of
  // them. The fullest is full first.
  [[nodiscard]] Bytes store_capacity() const;

  // The classes of devices of a program that was folded, or not, and what they draw on. `members`:
  // of each, by task, of which the first are those of the stages.
  void take(comm::CollectiveProgram& program,
            std::span<const std::vector<std::uint32_t>> members,
            Machine& machine) const;

 private:
  using StoreKey = std::pair<Id<platform::Node>, std::uint32_t>;  // and the group of its memory

  // Collectives use cores that kernels use.
  [[nodiscard]] bool shares_cores() const;
  sim::Demand transfer(Id<sim::Resource> memory,
                       const std::vector<platform::StorePart>& store,
                       bool out);
  Id<sim::Resource> store_resource(const platform::StorePart& part);

  const platform::Platform& platform_;
  const chip::Device& device_;
  const MachineOptions& options_;
  comm::ProgramBuilder& builder_;
  std::uint32_t stages_ = 0;
  std::vector<DeviceIssuers> issuers_{};  // by device of all stages so far
  bool has_store_ = true;
  std::map<StoreKey, Id<sim::Resource>> stores_{};
  std::map<StoreKey, double> stored_shares_{};
};

}  // namespace cairn::lower
