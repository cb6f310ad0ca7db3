// The state of a simulation at an instant, counted from that instant.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/law.hpp"

namespace cairn::sim {

struct StateImage {
  // Equal in two images: the same follows, as long as no task starts or ends.
  std::vector<std::uint64_t> shape{};
  // What grows between two images of one shape: chunk numbers, amounts, integrals over time.
  std::vector<double> counts{};

  void add(std::uint64_t word) { shape.push_back(word); }

  void add(double value) { shape.push_back(std::bit_cast<std::uint64_t>(value)); }

  // `time` as it is seen from `now`.
  void add(SimTime time, SimTime now) {
    add(static_cast<std::uint64_t>(time.picoseconds() - now.picoseconds()));
  }
};

// By how much the counts grow over `periods`; read in the order in which they were added.
class Growth {
 public:
  // Both images must outlive this.
  Growth(const StateImage& from, const StateImage& to, std::uint64_t periods)
      : from_(&from), to_(&to), periods_(static_cast<double>(periods)) {}

  double next() {
    const double growth = to_->counts[place_] - from_->counts[place_];
    ++place_;
    return growth * periods_;
  }

  std::uint32_t next_number() { return static_cast<std::uint32_t>(next()); }

 private:
  const StateImage* from_;
  const StateImage* to_;
  double periods_;
  std::size_t place_ = 0;
};

// Periods to skip.
struct Skip {
  std::int64_t picoseconds = 0;  // of one period
  std::uint64_t periods = 0;

  [[nodiscard]] SimTime move(SimTime time) const {
    return time == SimTime::never()
               ? time
               : SimTime::from_picoseconds(time.picoseconds() +
                                           picoseconds * static_cast<std::int64_t>(periods));
  }
};

// The chunks of a phase program that recur: each takes the place of the one before it.
struct RecurringChunks {
  std::uint32_t oldest = 0;  // in flight
  std::uint32_t slots = 1;   // a chunk is in the slot of its number modulo this
  std::uint32_t passed = 0;  // in the periods to skip
};

// By task; programs whose chunks do not recur, because they have too few, are absent.
using ChunksByTask = std::map<std::uint32_t, RecurringChunks>;

// How an engine tells the activities that recur from those that last longer than a period.
struct Recurring {
  // By tag; the same for an activity and its counterpart in the next period. Absent: it lasts.
  std::function<std::optional<std::uint64_t>(std::uint64_t)> identity;
  // Makes an activity its counterpart after the skipped periods.
  std::function<void(Activity&)> move;
};

}  // namespace cairn::sim
