// Kernel launch on a device: concurrency, order, and the time that the host takes per launch.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/memory/sequence.hpp"

namespace cairn::memory {

enum class KernelOrder : std::uint8_t {
  kProgram,  // one after the other in plan order: a stream
  kReady,    // when their inputs are ready; ties in plan order
};

// Resources of a device that are reserved for background kernels (model::Tables); all other kernels
// have the rest. Defaults: one SM and the 80 GB/s that it can move, as Rashidi et al. (ISCA 2021)
// assume for table lookups and updates.
struct Background {
  std::uint32_t sms = 1;
  BytesPerSecond memory{80e9};

  bool operator==(const Background&) const = default;
};

const Schema<Background>& schema_of(const Background*);

struct LaunchPolicy {
  std::uint32_t at_once = 1;  // maximum of concurrent kernels; more than one implies kReady
  KernelOrder order = KernelOrder::kProgram;
  // Host time to launch each kernel and exchange, in program order, while earlier ones run; the
  // host waits for data from other stages. Consecutive weight updates count as one kernel.
  Seconds issue{0.0};
  Background background{};
  // Factor on time, work and traffic of every kernel, relative to the device's model.
  double scale = 1.0;
  Sequence sequence{};

  bool operator==(const LaunchPolicy&) const = default;

  [[nodiscard]] bool one_by_one() const { return at_once == 1 && order == KernelOrder::kProgram; }
};

const Schema<LaunchPolicy>& schema_of(const LaunchPolicy*);

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::KernelOrder> {
  using E = cairn::memory::KernelOrder;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kProgram, "program"}, {E::kReady, "ready"}}};
};
