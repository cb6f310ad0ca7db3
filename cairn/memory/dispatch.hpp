// How a device's kernels come to run: which at a time, how fast the host issues them, and in which
// order.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/memory/sequence.hpp"

namespace cairn::memory {

enum class KernelOrder : std::uint8_t {
  kProgram,  // one after the other, as the plan has them: a stream
  kReady,    // whichever has what it reads; of several, the first of the plan
};

// What of a device kernels in the background have for themselves (model::Tables); all others have
// the rest. One multiprocessor and the 80 GB/s that it can move, as Rashidi et al. (ISCA 2021) take
// for look-ups and updates of tables.
struct Background {
  std::uint32_t sms = 1;
  BytesPerSecond memory{80e9};

  bool operator==(const Background&) const = default;
};

const Schema<Background>& schema_of(const Background*);

struct Dispatch {
  std::uint32_t at_once = 1;  // more than one: whichever are ready
  KernelOrder order = KernelOrder::kProgram;
  // What the host takes for each kernel and exchange that it issues, in the order of the program,
  // while those before it run; it waits for what another stage sends. Updates count as one kernel.
  Seconds issue{0.0};
  Background background{};
  // What each kernel takes of what the device's model says: time, work and traffic.
  double scale = 1.0;
  Sequence sequence{};

  bool operator==(const Dispatch&) const = default;

  [[nodiscard]] bool one_by_one() const { return at_once == 1 && order == KernelOrder::kProgram; }
};

const Schema<Dispatch>& schema_of(const Dispatch*);

}  // namespace cairn::memory

template <>
struct cairn::EnumNames<cairn::memory::KernelOrder> {
  using E = cairn::memory::KernelOrder;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kProgram, "program"}, {E::kReady, "ready"}}};
};
