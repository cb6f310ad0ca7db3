// A phase program's part in skipping periods (repetition.hpp).
#include <algorithm>
#include <limits>

#include "cairn/sim/phase_runner.hpp"

namespace cairn::sim {

std::uint32_t PhaseRunner::oldest() const {
  std::uint32_t oldest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (takes_part(static_cast<std::uint32_t>(i % program_->ranks))) {
      oldest = std::min(oldest, ranks_[i].chunk);
    }
  }
  return oldest;
}

std::uint32_t PhaseRunner::newest() const {
  std::uint32_t newest = 0;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (takes_part(static_cast<std::uint32_t>(i % program_->ranks))) {
      newest = std::max(newest, ranks_[i].chunk);
    }
  }
  return newest;
}

void PhaseRunner::append_state(StateImage& image) const {
  const std::uint32_t first = may_recur() ? oldest() : 0;
  const std::size_t lanes = program_->lanes.size();
  image.add(std::uint64_t{task_} << 1U | (may_recur() ? 1U : 0U));
  image.counts.push_back(first);
  for (std::uint32_t s = 0; s < slots_; ++s) {
    const std::size_t slot = (first + s) % slots_;
    for (std::uint32_t rank = 0; rank < program_->ranks; ++rank) {
      if (!takes_part(rank)) {
        continue;
      }
      const RankState& state = ranks_[slot * program_->ranks + rank];
      image.add(std::uint64_t{state.chunk - first} << 32U | state.duty);
      image.add(std::uint64_t{state.step} << 32U | state.pending << 1U | (state.outside ? 1U : 0U));
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      image.add(std::uint64_t{ready_[slot * lanes + lane]});
    }
  }
  for (const std::uint32_t next : next_in_) {
    image.add(std::uint64_t{next - first});
  }
}

std::uint64_t PhaseRunner::count_periods(Growth& growth) const {
  const std::uint32_t chunks = growth.next_number();
  return chunks == 0 ? std::numeric_limits<std::uint64_t>::max()
                     : (chunks_ - 2 - newest()) / chunks;
}

void PhaseRunner::skip(std::uint32_t chunks) {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (takes_part(static_cast<std::uint32_t>(i % program_->ranks))) {
      ranks_[i].chunk += chunks;
    }
  }
  for (std::uint32_t& next : next_in_) {
    next += chunks;
  }
  const std::size_t by = slots_ - chunks % slots_;
  const auto rotate = [&](auto& values, std::size_t width) {
    std::rotate(
        values.begin(), values.begin() + static_cast<std::ptrdiff_t>(by * width), values.end());
  };
  rotate(ranks_, program_->ranks);
  rotate(ready_, program_->lanes.size());
}

}  // namespace cairn::sim
