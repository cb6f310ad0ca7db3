// The event queue is data: 24-byte entries in a heap, first-in first-out among equal times.
//
// Simulations of symmetric systems schedule thousands of events for the same instant, one after the
// other. From the second on, those form a *run*: one heap entry for all of them, so that each costs
// O(1) instead of O(log n). An event is cancelled by its subject, which remembers the order number
// of its pending event and ignores others; the heap is never searched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/base/sim_time.hpp"

namespace cairn::sim {

struct Event {
  SimTime at;
  std::uint64_t order = 0;    // unique, increasing with push
  std::uint32_t subject = 0;  // activity slot
  std::uint32_t kind = 0;     // Engine::EventKind
};

static_assert(sizeof(Event) == 24);

class EventQueue {
 public:
  // Returns the event's order number (never 0).
  std::uint64_t push(SimTime at, std::uint32_t subject, std::uint32_t kind) {
    const std::uint64_t order = ++last_order_;
    ++size_;
    if (at != last_at_) {
      last_at_ = at;
      open_run_ = kNone;
      add({at, order, subject, kind & 0xFFU, kNone});
    } else if (open_run_ != kNone) {
      runs_[open_run_].push_back({order, subject, kind});
    } else {
      open_run_ = new_run();
      add({at, order, subject, kind & 0xFFU, open_run_ & kNone});
    }
    return order;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] std::size_t size() const { return size_; }

  // The event that pop() would return. Precondition: not empty.
  [[nodiscard]] Event top() const {
    const Entry& entry = heap_.front();
    return {entry.at, entry.order, entry.subject, entry.kind};
  }

  // Removes and returns the earliest event; among equal times the one pushed first.
  Event pop() {
    const Event event = top();
    Entry& entry = heap_.front();
    --size_;
    if (entry.run == kNone) {
      remove_top();
    } else {
      promote_next(entry);
    }
    return event;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFF;

  struct Entry {
    SimTime at;
    std::uint64_t order;
    std::uint32_t subject;
    std::uint32_t kind : 8;
    std::uint32_t run : 24;  // further events of the same time, or kNone
  };

  static_assert(sizeof(Entry) == 24);

  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.at > b.at || (a.at == b.at && a.order > b.order);
    }
  };

  struct Member {
    std::uint64_t order;
    std::uint32_t subject;
    std::uint32_t kind;
  };

  // A queue of the events behind an entry, in order of push.
  class Run {
   public:
    void push_back(const Member& member) { members_.push_back(member); }

    [[nodiscard]] bool empty() const { return next_ == members_.size(); }

    const Member& pop_front() { return members_[next_++]; }

    void clear() {
      members_.clear();
      next_ = 0;
    }

   private:
    std::vector<Member> members_;
    std::size_t next_ = 0;
  };

  // The next event of the run takes the entry's place at the top: its order number is higher, but
  // no event of the same time can be between, since a run takes consecutive pushes only.
  void promote_next(Entry& entry) {
    Run& run = runs_[entry.run];
    if (run.empty()) {
      if (open_run_ == entry.run) {
        open_run_ = kNone;
        last_at_ = SimTime::never();
      }
      run.clear();
      free_runs_.push_back(entry.run);
      remove_top();
      return;
    }
    const Member& next = run.pop_front();
    entry.order = next.order;
    entry.subject = next.subject;
    entry.kind = next.kind & 0xFFU;
  }

  std::uint32_t new_run() {
    if (free_runs_.empty()) {
      runs_.emplace_back();
      return static_cast<std::uint32_t>(runs_.size() - 1) & kNone;
    }
    const std::uint32_t run = free_runs_.back();
    free_runs_.pop_back();
    return run & kNone;
  }

  void add(const Entry& entry) {
    heap_.push_back(entry);
    std::ranges::push_heap(heap_, Later{});
  }

  void remove_top() {
    std::ranges::pop_heap(heap_, Later{});
    heap_.pop_back();
  }

  std::vector<Entry> heap_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_runs_;
  SimTime last_at_ = SimTime::never();  // of the last push
  std::uint32_t open_run_ = kNone;      // the run that takes further events of that time
  std::uint64_t last_order_ = 0;
  std::size_t size_ = 0;
};

}  // namespace cairn::sim
