#include "cairn/sim/repetition.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::sim {

namespace {

// Programs with fewer chunks end before anything can be skipped.
constexpr std::uint32_t kMinChunks = 8;

}  // namespace

void IntervalPattern::clear() {
  equal_.fill(0);
  count_ = 0;
}

void IntervalPattern::add(std::int64_t interval) {
  for (std::size_t length = 1; length <= std::min(count_, kLongest); ++length) {
    const bool equal = last_[(count_ - length) % kLongest] == interval;
    equal_[length] = equal ? equal_[length] + 1 : 0;
  }
  last_[count_ % kLongest] = interval;
  ++count_;
}

std::uint32_t IntervalPattern::length(std::uint32_t times) const {
  for (std::uint32_t length = 1; length <= kLongest; ++length) {
    if (equal_[length] >= length * times) {
      return length;
    }
  }
  return 0;
}

void Repetition::add(std::uint32_t task, PhaseRunner& runner) {
  running_.emplace(task, &runner);
}

void Repetition::remove(std::uint32_t task) {
  running_.erase(task);
}

void Repetition::forget() {
  watched_ = nullptr;
  seen_.reset();
  done_ = false;
}

// The program with the most chunks left.
void Repetition::watch() {
  std::uint32_t most = kMinChunks;
  for (const auto& [task, runner] : running_) {
    if (runner->chunks_left() > most) {
      most = runner->chunks_left();
      watched_ = runner;
    }
  }
  done_ = watched_ == nullptr;
  if (!done_) {
    passed_ = watched_->passed();
    last_ = engine_->now();
    pattern_.clear();
    patience_ = 1;
  }
}

void Repetition::look() {
  if (done_ || running_.empty()) {
    return;
  }
  if (watched_ == nullptr) {
    return watch();
  }
  if (watched_->passed() == passed_) {
    return;
  }
  passed_ = watched_->passed();
  const SimTime now = engine_->now();
  pattern_.add(now.picoseconds() - std::exchange(last_, now).picoseconds());
  if (seen_) {
    if (--intervals_left_ == 0) {
      compare();
    }
    return;
  }
  intervals_left_ = pattern_.length(patience_);
  if (intervals_left_ > 0) {
    seen_ = see();
    done_ = !seen_;
  }
}

ChunksByTask Repetition::recurring_chunks() const {
  ChunksByTask chunks;
  for (const auto& [task, runner] : running_) {
    if (runner->may_recur()) {
      chunks[task] = {.oldest = runner->oldest(), .slots = runner->slots()};
    }
  }
  return chunks;
}

// `admitted`: chunks to stations in the periods to skip.
Recurring Repetition::recurring(const ChunksByTask& chunks, std::uint32_t admitted) const {
  return {.identity = [&chunks](std::uint64_t packed) -> std::optional<std::uint64_t> {
            Tag tag = Tag::unpack(packed);
            const auto of_task = chunks.find(tag.task);
            if (of_task == chunks.end() || tag.lane == Tag::kStart) {
              return std::nullopt;
            }
            const RecurringChunks& here = of_task->second;
            tag.slot = (tag.slot + here.slots - here.oldest % here.slots) % here.slots;
            return tag.pack();
          },
          .move =
              [this, &chunks, admitted](Activity& activity) {
                Tag tag = Tag::unpack(activity.tag);
                const RecurringChunks& here = chunks.at(tag.task);
                tag.slot = (tag.slot + here.passed) % here.slots;
                activity.tag = tag.pack();
                activity.age +=
                    running_.at(tag.task)->ages_by_number(tag.lane) ? admitted : here.passed;
              }};
}

std::optional<Repetition::Seen> Repetition::see() const {
  Seen seen{.chunks = recurring_chunks(), .at = engine_->now(), .admitted = admission_->admitted()};
  for (const auto& [task, runner] : running_) {
    runner->append_state(seen.image);
  }
  if (!engine_->append_state(recurring(seen.chunks, 0), seen.image)) {
    return std::nullopt;
  }
  admission_->append_state(seen.chunks, seen.image);
  return seen;
}

// Whether chunks of one issuer stay older or younger than each other, and parts of one collective
// go on alternating: their programs pass equally many chunks of equally many.
bool Repetition::keeps_order(const ChunksByTask& passed) const {
  const auto passed_by = [&](std::uint32_t task) {
    const auto chunks = passed.find(task);
    return chunks == passed.end() ? 0 : chunks->second.passed;
  };
  for (auto a = running_.begin(); a != running_.end(); ++a) {
    for (auto b = std::next(a); b != running_.end(); ++b) {
      const PhaseProgram& first = a->second->program();
      const PhaseProgram& second = b->second->program();
      const bool stations = !first.occupancies.empty() || !second.occupancies.empty();
      const bool compete = first.issuer == second.issuer && (stations || first.turn == second.turn);
      const bool alternate = stations && first.chunks() != second.chunks();
      if (compete && (alternate || passed_by(a->first) != passed_by(b->first))) {
        return false;
      }
    }
  }
  return true;
}

void Repetition::compare() {
  const Seen before = *std::exchange(seen_, std::nullopt);
  auto now = see();
  if (!now || now->image.shape != before.image.shape || now->at == before.at) {
    patience_ *= 2;
    return;
  }
  done_ = true;
  for (auto& [task, chunks] : now->chunks) {
    chunks.passed = chunks.oldest - before.chunks.at(task).oldest;
  }
  if (!keeps_order(now->chunks)) {
    return;
  }
  Skip skip{.picoseconds = now->at.picoseconds() - before.at.picoseconds(),
            .periods = std::numeric_limits<std::uint64_t>::max()};
  Growth one(before.image, now->image, 1);
  for (const auto& [task, runner] : running_) {
    skip.periods = std::min(skip.periods, runner->count_periods(one));
  }
  skip.periods = std::min(skip.periods,
                          engine_->count_periods(recurring(now->chunks, 0), skip.picoseconds, one));
  if (skip.periods == 0) {
    return;
  }
  Growth growth(before.image, now->image, skip.periods);
  for (auto& [task, runner] : running_) {
    runner->skip(growth.next_number());
  }
  for (auto& [task, chunks] : now->chunks) {
    chunks.passed *= static_cast<std::uint32_t>(skip.periods);
  }
  const auto admitted =
      (now->admitted - before.admitted) * static_cast<std::uint32_t>(skip.periods);
  engine_->skip(recurring(now->chunks, admitted), skip, growth);
  admission_->skip(now->chunks, skip, growth);
}

}  // namespace cairn::sim
