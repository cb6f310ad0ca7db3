#include "cairn/sim/phase_runner.hpp"

#include <algorithm>
#include <limits>

#include "cairn/base/failure.hpp"

namespace cairn::sim {

PhaseRunner::PhaseRunner(const PhaseProgram& program,
                         std::uint32_t task,
                         BufferAdmission& admission)
    : program_(&program),
      task_(task),
      admission_(&admission),
      chunks_(program.chunks()),
      slots_(std::min({program.window, chunks_, Tag::kMaxSlots})) {
  ensure(slots_ > 0, "a phase program needs a window of at least one chunk");
  ensure(program.lanes.size() < Tag::kStart, "too many lanes in one phase program");
  ensure(program.occupancies.empty() ||
             program.occupancies.size() == program.phases.size() * std::size_t{program.ranks},
         "a phase program with occupancies for some of its phases");
  index_lanes();
  ranks_.resize(std::size_t{slots_} * program.ranks);
  ready_.resize(std::size_t{slots_} * program.lanes.size());
}

// A lane is listed at both its ends; at a rank class that sends to itself, twice.
void PhaseRunner::index_lanes() {
  const std::vector<Lane>& lanes = program_->lanes;
  std::vector<std::uint32_t> first_end(program_->ranks + 1, 0);
  for (const Lane& lane : lanes) {
    ++first_end[lane.from + 1];
    ++first_end[lane.to + 1];
  }
  for (std::size_t rank = 0; rank < program_->ranks; ++rank) {
    first_end[rank + 1] += first_end[rank];
  }
  ends_.resize(first_end.back());
  phase_of_lane_.resize(lanes.size());
  std::vector<std::uint32_t> next(first_end.begin(), first_end.end() - 1);
  for (std::size_t p = 0; p < program_->phases.size(); ++p) {
    for (std::uint32_t l = program_->phases[p].first_lane; l < program_->phases[p].end_lane; ++l) {
      phase_of_lane_[l] = static_cast<std::uint32_t>(p);
      ends_[next[lanes[l].from]++] = l;
      ends_[next[lanes[l].to]++] = l;
    }
  }
  for (std::size_t rank = 0; rank < program_->ranks; ++rank) {
    first_duty_.push_back(static_cast<std::uint32_t>(duties_.size()));
    for (std::uint32_t i = first_end[rank]; i < first_end[rank + 1]; ++i) {
      const std::uint32_t phase = phase_of_lane_[ends_[i]];
      if (i == first_end[rank] || duties_.back().phase != phase) {
        duties_.push_back({.phase = phase, .first_end = i, .end_end = i});
      }
      duties_.back().end_end = i + 1;
    }
  }
  first_duty_.push_back(static_cast<std::uint32_t>(duties_.size()));
}

void PhaseRunner::start(Engine& engine) {
  if (has_occupancies()) {
    next_in_.assign(program_->ranks, 0);
    admission_->enlist(task_, *program_, needs());
  }
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    for (std::uint32_t rank = 0; rank < program_->ranks; ++rank) {
      RankState& s = state(slot, rank);
      s.chunk = slot;
      s.duty = first_duty_[rank];
      if (!takes_part(rank)) {
        ++finished_;
      } else {
        begin_chunk(engine, slot, rank);
      }
    }
  }
}

// What the ranks request, in the order of begin_duty().
std::vector<Need> PhaseRunner::needs() const {
  std::vector<Need> needs;
  for (std::uint32_t rank = 0; rank < program_->ranks; ++rank) {
    for (std::uint32_t duty = first_duty_[rank]; duty < first_duty_[rank + 1]; ++duty) {
      const Occupancy& here = occupancy(duty, rank);
      const bool takes_room =
          duty == first_duty_[rank] || occupancy(duty - 1, rank).station != here.station;
      if (takes_room || here.machine) {
        needs.push_back({.station = here.station,
                         .takes_room = takes_room,
                         .room = here.room,
                         .machine = here.machine});
      }
    }
  }
  return needs;
}

void PhaseRunner::begin_chunk(Engine& engine, std::uint32_t slot, std::uint32_t rank) {
  if (!has_occupancies()) {
    begin_duty(engine, slot, rank);
  } else if (state(slot, rank).chunk == next_in_[rank]) {
    request_entry(rank);
  }
}

// Chunks are admitted one after the other.
void PhaseRunner::request_entry(std::uint32_t rank) {
  const std::uint32_t chunk = next_in_[rank];
  const std::uint32_t slot = chunk % slots_;
  const RankState& s = state(slot, rank);
  if (chunk >= chunks_ || s.chunk != chunk || !s.outside) {
    return;  // its slot is not free yet
  }
  const Occupancy& here = occupancy(s.duty, rank);
  admission_->request({.task = task_,
                       .chunk = chunk,
                       .rank = rank,
                       .slot = slot,
                       .station = here.station,
                       .takes_room = true,
                       .room = here.room * program_->chunk_bytes(chunk),
                       .machine = here.machine,
                       .enters = true});
}

// A rank that goes to another station requests room there, and a machine if it needs one.
void PhaseRunner::begin_duty(Engine& engine, std::uint32_t slot, std::uint32_t rank) {
  if (!has_occupancies()) {
    offer(engine, slot, rank);
    return;
  }
  const RankState& s = state(slot, rank);
  const Occupancy& before = occupancy(s.duty - 1, rank);
  const Occupancy& here = occupancy(s.duty, rank);
  const bool takes_room = before.station != here.station;
  if (!takes_room && !here.machine) {
    offer(engine, slot, rank);
    return;
  }
  const double bytes = program_->chunk_bytes(s.chunk);
  admission_->request({.task = task_,
                       .chunk = s.chunk,
                       .rank = rank,
                       .slot = slot,
                       .station = here.station,
                       .takes_room = takes_room,
                       .room = here.room * bytes,
                       .machine = here.machine,
                       .leaves = before.station,
                       .leaves_room = before.room * bytes});
}

void PhaseRunner::granted(Engine& engine, const Request& request) {
  if (request.enters) {
    state(request.slot, request.rank).outside = false;
    ++next_in_[request.rank];
    request_entry(request.rank);
  }
  offer(engine, request.slot, request.rank);
}

// After its last phase a rank takes up the slot's next chunk.
void PhaseRunner::end_duty(Engine& engine, std::uint32_t slot, std::uint32_t rank) {
  RankState& s = state(slot, rank);
  if (has_occupancies() && occupancy(s.duty, rank).machine) {
    admission_->release_machine(occupancy(s.duty, rank).station);
  }
  if (++s.duty < first_duty_[rank + 1]) {
    begin_duty(engine, slot, rank);
    return;
  }
  if (has_occupancies()) {
    const Occupancy& last = occupancy(s.duty - 1, rank);
    admission_->release_room(last.station, last.room * program_->chunk_bytes(s.chunk));
  }
  ++passed_;
  s.duty = first_duty_[rank];
  s.chunk += slots_;
  s.outside = true;
  if (s.chunk >= chunks_) {
    ++finished_;
  } else {
    begin_chunk(engine, slot, rank);
  }
}

// Marks the rank ready on its lanes of the present step; starts those whose other end is ready.
void PhaseRunner::offer(Engine& engine, std::uint32_t slot, std::uint32_t rank) {
  RankState& s = state(slot, rank);
  const Duty& duty = duties_[s.duty];
  s.pending = duty.end_end - duty.first_end;
  std::uint8_t* ready = ready_.data() + std::size_t{slot} * program_->lanes.size();
  for (std::uint32_t i = duty.first_end; i < duty.end_end; ++i) {
    if (++ready[ends_[i]] == 2) {
      launch(engine, slot, ends_[i], s.chunk);
    }
  }
}

void PhaseRunner::launch(Engine& engine,
                         std::uint32_t slot,
                         std::uint32_t index,
                         std::uint32_t chunk) {
  const Lane& lane = program_->lanes[index];
  const Phase& phase = program_->phases[phase_of_lane_[index]];
  const double bytes = lane.work * program_->chunk_bytes(chunk);
  const std::uint32_t place = ages_by_number(index) ? admission_->number_of(task_, chunk) : chunk;
  Activity activity{.demand = lane.demand,
                    .issuer = program_->issuer,
                    .work = bytes,
                    .age = ((std::uint64_t{program_->turn} * kPlaces + phase.place) << 32U) | place,
                    .priority = program_->priority,
                    .activity_class = phase_of_lane_[index],
                    .rank = lane.from,
                    .tag = Tag{task_, slot, index}.pack()};
  if (phase.collapsed) {
    // k steps of b bytes and latency l: k b bytes at no more than b / (l + b / B). Zero bytes
    // are replaced by the smallest positive number, since the form divides by b.
    const double b = std::max(bytes, std::numeric_limits<double>::min());
    activity.work = b * phase.steps;
    activity.speed_limit = b / (lane.step_latency.si() + b / lane.step_rate);
  }
  engine.submit(activity);
}

bool PhaseRunner::ages_by_number(std::uint32_t lane) const {
  return has_occupancies() &&
         !program_
              ->occupancies[std::size_t{phase_of_lane_[lane]} * program_->ranks +
                            program_->lanes[lane].from]
              .machine;
}

void PhaseRunner::completed(Engine& engine, Tag tag) {
  ready_[std::size_t{tag.slot} * program_->lanes.size() + tag.lane] = 0;
  const Lane& lane = program_->lanes[tag.lane];
  lane_done(engine, tag.slot, lane.from);
  lane_done(engine, tag.slot, lane.to);
}

void PhaseRunner::lane_done(Engine& engine, std::uint32_t slot, std::uint32_t rank) {
  RankState& s = state(slot, rank);
  if (--s.pending > 0) {
    return;
  }
  const Phase& phase = program_->phases[duties_[s.duty].phase];
  if (phase.collapsed || ++s.step == phase.steps) {
    s.step = 0;
    end_duty(engine, slot, rank);
    return;
  }
  offer(engine, slot, rank);
}

std::uint32_t PhaseRunner::chunk_of(Tag tag) const {
  return ranks_[std::size_t{tag.slot} * program_->ranks + program_->lanes[tag.lane].from].chunk;
}

}  // namespace cairn::sim
