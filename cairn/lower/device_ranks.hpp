// Local activities of devices: kernels, offloads and prefetches. They are tasks of a program, so
// that classes of identical devices can be found, and demands of a machine.
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
  // Devices that represent all `shards` of a stage.
  struct Stage {
    std::uint32_t shards = 1;
    std::vector<std::uint32_t> devices{};
  };

  // All arguments must outlive this.
  DeviceRanks(const platform::Platform& platform,
              const chip::Device& device,
              const MachineOptions& options,
              comm::ProgramBuilder& builder)
      : platform_(platform), device_(device), options_(options), builder_(builder) {}

  // Adds a task with one rank per device of the stage; each computes, offloads, prefetches, and
  // occupies its cores if they are shared, one phase after the other. Devices of different stages
  // are never identical, so each stage has its own task. Tasks of stages come first, in order.
  void add(const Stage& stage);

  // Every device of all stages so far has a backing store.
  [[nodiscard]] bool has_store() const { return has_store_; }

  // Capacity per device. All devices store the same number of bytes, x: a memory stores x times the
  // sum of its shares, and the fullest memory is the limit.
  [[nodiscard]] Bytes store_capacity() const;

  // Adds the device classes of a program, folded or not, with their demands. `members`: of each
  // class, by task; tasks of stages come first.
  void take(comm::CollectiveProgram& program,
            std::span<const std::vector<std::uint32_t>> members,
            Machine& machine) const;

 private:
  using StoreKey = std::pair<Id<platform::Node>, std::uint32_t>;  // node, group of its memory

  // Whether collectives and kernels compete for cores.
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
