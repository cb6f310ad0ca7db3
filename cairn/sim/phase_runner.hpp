// Runs one phase program on an engine. State is a counter per rank, lane and chunk in flight; a
// message exists only while it is in flight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/sim/buffer_admission.hpp"
#include "cairn/sim/engine.hpp"
#include "cairn/sim/program.hpp"
#include "cairn/sim/state_image.hpp"

namespace cairn::sim {

// An activity's tag: its task, and for phase programs its chunk slot and lane.
struct Tag {
  std::uint32_t task = 0;  // below 2^24
  std::uint32_t slot = 0;  // below 2^12
  std::uint32_t lane = 0;  // below 2^28

  static constexpr std::uint32_t kMaxSlots = 1U << 12U;
  // In place of a lane: the start-up delay of a phase program.
  static constexpr std::uint32_t kStart = (1U << 28U) - 1;

  [[nodiscard]] constexpr std::uint64_t pack() const {
    return (std::uint64_t{task} << 40U) | (std::uint64_t{slot} << 28U) | lane;
  }

  static constexpr Tag unpack(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed >> 40U),
            static_cast<std::uint32_t>(packed >> 28U) & (kMaxSlots - 1),
            static_cast<std::uint32_t>(packed) & ((1U << 28U) - 1)};
  }
};

class PhaseRunner {
 public:
  // `program` and `admission` must outlive the runner.
  PhaseRunner(const PhaseProgram& program, std::uint32_t task, BufferAdmission& admission);

  // All ranks enter the first phase now.
  void start(Engine& engine);

  // The activity with this tag has completed; ranks that waited for it proceed.
  void completed(Engine& engine, Tag tag);

  // A chunk may enter the station of its next phase.
  void granted(Engine& engine, const Request& request);

  [[nodiscard]] bool finished() const { return finished_ == ranks_.size(); }

  // Chunks that ranks have finished, counted by each rank, without those skipped.
  [[nodiscard]] std::uint64_t passed() const { return passed_; }

  // Whether the next chunks are like those in flight: none is the last one, which may be shorter.
  [[nodiscard]] bool may_recur() const { return newest() + 1 < chunks_; }

  // The oldest chunk that a rank has not finished.
  [[nodiscard]] std::uint32_t oldest() const;

  // Appends its state; if it may recur, with chunks counted from the oldest.
  void append_state(StateImage& image) const;

  // How many periods end before its last chunk begins at a rank. `growth`: over one.
  [[nodiscard]] std::uint64_t count_periods(Growth& growth) const;

  // Goes on as if that many more chunks had passed.
  void skip(std::uint32_t chunks);

  // A chunk is in the slot of its number modulo this.
  [[nodiscard]] std::uint32_t slots() const { return slots_; }

  [[nodiscard]] std::uint32_t chunks_left() const { return chunks_ - std::min(chunks_, newest()); }

  // Whether its messages of a lane are served in the order of their admission; otherwise, in that
  // of their chunks. Before and after the machines (DMA), the former holds for all parts together.
  [[nodiscard]] bool ages_by_number(std::uint32_t lane) const;

  [[nodiscard]] const PhaseProgram& program() const { return *program_; }

  // The chunk in a slot at a lane's sender: for labels in a timeline.
  [[nodiscard]] std::uint32_t chunk_of(Tag tag) const;

 private:
  // A rank's part in one phase: the lanes ends_[first_end .. end_end).
  struct Duty {
    std::uint32_t phase;
    std::uint32_t first_end;
    std::uint32_t end_end;
  };

  // The progress of a rank with the chunk of one slot.
  struct RankState {
    std::uint32_t chunk = 0;
    std::uint32_t duty = 0;  // into duties_
    std::uint32_t step = 0;
    std::uint32_t pending = 0;  // lanes of this step that have not delivered
    bool outside = true;        // its chunk is not yet admitted to its first station
  };

  void index_lanes();
  void begin_chunk(Engine& engine, std::uint32_t slot, std::uint32_t rank);
  void begin_duty(Engine& engine, std::uint32_t slot, std::uint32_t rank);
  void end_duty(Engine& engine, std::uint32_t slot, std::uint32_t rank);
  void offer(Engine& engine, std::uint32_t slot, std::uint32_t rank);
  void request_entry(std::uint32_t rank);
  [[nodiscard]] std::vector<Need> needs() const;
  void lane_done(Engine& engine, std::uint32_t slot, std::uint32_t rank);
  void launch(Engine& engine, std::uint32_t slot, std::uint32_t lane, std::uint32_t chunk);

  [[nodiscard]] const Occupancy& occupancy(std::uint32_t duty, std::uint32_t rank) const {
    return program_->occupancies[std::size_t{duties_[duty].phase} * program_->ranks + rank];
  }

  [[nodiscard]] bool has_occupancies() const { return !program_->occupancies.empty(); }

  [[nodiscard]] std::uint32_t newest() const;

  [[nodiscard]] bool takes_part(std::uint32_t rank) const {
    return first_duty_[rank] < first_duty_[rank + 1];
  }

  [[nodiscard]] RankState& state(std::uint32_t slot, std::uint32_t rank) {
    return ranks_[std::size_t{slot} * program_->ranks + rank];
  }

  const PhaseProgram* program_;
  std::uint32_t task_;
  BufferAdmission* admission_;
  std::uint32_t chunks_;
  std::uint32_t slots_;
  std::vector<std::uint32_t> ends_;        // lanes by rank, then phase; each at both its ends
  std::vector<Duty> duties_;               // by rank, then phase; phases without lanes left out
  std::vector<std::uint32_t> first_duty_;  // by rank, into duties_
  std::vector<std::uint32_t> phase_of_lane_;
  std::vector<RankState> ranks_;     // by slot and rank
  std::vector<std::uint8_t> ready_;  // by slot and lane: ends that have reached the step
  std::size_t finished_ = 0;         // rank states without a chunk left
  std::uint64_t passed_ = 0;
  std::vector<std::uint32_t> next_in_;  // by rank: the next chunk to be admitted
};

}  // namespace cairn::sim
