// Repetition in time. Chunks of a collective soon follow each other in equal intervals: the state
// of the simulation, counted from the present instant and the present chunk, is that of an earlier
// instant. As long as no task starts or ends, the same then happens again, so whole periods are
// skipped: the clock, chunk numbers and amounts grow by what they grew in one.
//
// Kernels and transfers that last longer than a period do not recur; they are in the state with
// their rate, and what they have left limits how much is skipped. The period is found, never
// assumed: only equal states are skipped.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "cairn/sim/buffer_admission.hpp"
#include "cairn/sim/engine.hpp"
#include "cairn/sim/phase_runner.hpp"
#include "cairn/sim/state_image.hpp"

namespace cairn::sim {

// Finds the shortest pattern in a sequence of intervals. It is a hint, cheaper than comparing
// states.
class IntervalPattern {
 public:
  void clear();
  void add(std::int64_t interval);

  // The number of intervals of a pattern that came at least `times` times after its first; 0: none.
  [[nodiscard]] std::uint32_t length(std::uint32_t times) const;

 private:
  static constexpr std::size_t kLongest = 32;

  std::array<std::int64_t, kLongest> last_{};        // a ring
  std::array<std::uint32_t, kLongest + 1> equal_{};  // by length: intervals like those before it
  std::size_t count_ = 0;
};

class Repetition {
 public:
  // Both must outlive this.
  Repetition(Engine& engine, BufferAdmission& admission)
      : engine_(&engine), admission_(&admission) {}

  // A phase program runs until remove(); `runner` must live as long.
  void add(std::uint32_t task, PhaseRunner& runner);
  void remove(std::uint32_t task);

  // A task has started or ended: earlier states do not recur.
  void forget();

  // To be called after all that happens at an instant: skips what can be skipped.
  void look();

 private:
  struct Seen {
    StateImage image{};
    ChunksByTask chunks{};
    SimTime at{};
    std::uint32_t admitted = 0;
  };

  void watch();
  [[nodiscard]] ChunksByTask recurring_chunks() const;
  [[nodiscard]] Recurring recurring(const ChunksByTask& chunks, std::uint32_t admitted) const;
  [[nodiscard]] std::optional<Seen> see() const;
  [[nodiscard]] bool keeps_order(const ChunksByTask& passed) const;
  void compare();

  Engine* engine_;
  BufferAdmission* admission_;
  std::map<std::uint32_t, PhaseRunner*> running_{};  // by task
  const PhaseRunner* watched_ = nullptr;             // its chunks give the intervals
  std::uint64_t passed_ = 0;                         // of the watched program
  SimTime last_{};                                   // when they passed
  IntervalPattern pattern_{};
  std::optional<Seen> seen_{};
  std::uint32_t intervals_left_ = 0;  // until the state may be that of `seen_`
  std::uint32_t patience_ = 1;        // repetitions of a pattern before states are compared
  bool done_ = false;                 // nothing more to skip until forget()
};

}  // namespace cairn::sim
