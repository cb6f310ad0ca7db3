#include "cairn/report/drawn_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace cairn::report {

namespace {

constexpr double kRounding = 1e-10;  // relative, of sums of draws

// Time between two consecutive events: no draw begins or ends within it.
struct Segment {
  struct Share {
    std::uint32_t draw = 0;
    double amount = 0.0;
  };

  Seconds from{0.0};
  double seconds = 0.0;
  double total = 0.0;
  std::vector<Share> shares{};
};

// The nearest segment with free capacity in one direction; full segments are skipped.
class NextWithRoom {
 public:
  explicit NextWithRoom(std::size_t count) : next_(count) {
    std::iota(next_.begin(), next_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t at) {
    while (next_[at] != at) {
      next_[at] = next_[next_[at]];
      at = next_[at];
    }
    return at;
  }

  void close(std::size_t at, std::size_t neighbour) { next_[at] = neighbour; }

 private:
  std::vector<std::size_t> next_;
};

class Spread {
 public:
  Spread(std::span<const DrawTime> draws, double capacity) : draws_(draws), capacity_(capacity) {
    std::vector<Seconds> times;
    for (const DrawTime& draw : draws) {
      times.insert(times.end(), {draw.asked, draw.begin, draw.end});
    }
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    for (std::size_t t = 0; t + 1 < times.size(); ++t) {
      segments_.push_back({.from = times[t], .seconds = (times[t + 1] - times[t]).si()});
    }
    end_ = times.empty() ? Seconds(0.0) : times.back();
  }

  void evenly() {
    for (std::uint32_t d = 0; d < draws_.size(); ++d) {
      const Seconds begin = draws_[d].begin < draws_[d].end ? draws_[d].begin : draws_[d].asked;
      const double whole = (draws_[d].end - begin).si();
      for (std::size_t s = at(begin); s < at(draws_[d].end); ++s) {
        add(s, d, draws_[d].drawn * segments_[s].seconds / whole);
      }
    }
  }

  // Moves excess to other segments, longest draws first. Returns whether everything fits.
  bool level() {
    // Each has one more entry than there are segments: before the first, or after the last.
    NextWithRoom earlier(segments_.size() + 1);
    NextWithRoom later(segments_.size() + 1);
    bool fits = true;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (room(s) >= -kRounding * limit(s)) {
        continue;
      }
      close(s, earlier, later);
      std::vector<Segment::Share> shares = segments_[s].shares;
      std::ranges::stable_sort(shares, std::greater<>(), [this](const Segment::Share& share) {
        return draws_[share.draw].end - draws_[share.draw].asked;
      });
      for (const Segment::Share& share : shares) {
        move(s, share, earlier, later);
      }
      fits = fits && room(s) >= -kRounding * limit(s);
    }
    return fits;
  }

  // Earliest deadline first: feasible whenever any assignment is.
  void earliest_end_first() {
    std::vector<std::uint32_t> order(draws_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [this](std::uint32_t d) { return draws_[d].asked; });
    using Open = std::pair<Seconds, std::uint32_t>;
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    std::vector<double> left(draws_.size());
    auto next = order.begin();
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      segments_[s].shares.clear();
      segments_[s].total = 0.0;
      for (; next != order.end() && draws_[*next].asked <= segments_[s].from; ++next) {
        left[*next] = draws_[*next].drawn;
        open.emplace(draws_[*next].end, *next);
      }
      const Seconds end = s + 1 < segments_.size() ? segments_[s + 1].from : end_;
      while (!open.empty() && (room(s) > 0.0 || open.top().first <= end)) {
        const auto [due, draw] = open.top();
        const double amount = due <= end ? left[draw] : std::min(left[draw], room(s));
        add(s, draw, amount);
        left[draw] -= amount;
        if (left[draw] > 0.0) {
          break;
        }
        open.pop();
      }
    }
  }

  [[nodiscard]] std::vector<RatePoint> rates() const {
    std::vector<RatePoint> points;
    double last = 0.0;
    for (const Segment& segment : segments_) {
      double rate = segment.total / segment.seconds;
      rate = rate > capacity_ && rate < capacity_ * (1.0 + 2.0 * kRounding) ? capacity_ : rate;
      if (std::abs(rate - last) > kRounding * last) {
        points.push_back({segment.from, rate});
        last = rate;
      }
    }
    if (last > 0.0) {
      points.push_back({end_, 0.0});
    }
    return points;
  }

 private:
  [[nodiscard]] std::size_t at(Seconds time) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(segments_, time, {}, &Segment::from) -
                                    segments_.begin());
  }

  [[nodiscard]] double limit(std::size_t s) const { return capacity_ * segments_[s].seconds; }

  [[nodiscard]] double room(std::size_t s) const { return limit(s) - segments_[s].total; }

  void add(std::size_t s, std::uint32_t draw, double amount) {
    segments_[s].shares.push_back({draw, amount});
    segments_[s].total += amount;
  }

  // Segment s is at s + 1 in `earlier` and at s in `later`.
  static void close(std::size_t s, NextWithRoom& earlier, NextWithRoom& later) {
    earlier.close(s + 1, s);
    later.close(s, s + 1);
  }

  void move(std::size_t s,
            const Segment::Share& share,
            NextWithRoom& earlier,
            NextWithRoom& later) {
    const std::size_t first = at(draws_[share.draw].asked);
    const std::size_t past = at(draws_[share.draw].end);
    double movable = share.amount;
    while (movable > 0.0 && room(s) < 0.0) {
      const std::size_t before = earlier.find(s + 1);  // one higher; 0: none
      const std::size_t after = later.find(s);
      const bool can_before = before > first;
      const bool can_after = after < past;
      if (!can_before && !can_after) {
        return;
      }
      const bool goes_before =
          can_before && (!can_after || segments_[s].from - segments_[before - 1].from <=
                                           segments_[after].from - segments_[s].from);
      const std::size_t to = goes_before ? before - 1 : after;
      const double amount = std::min({movable, -room(s), std::max(0.0, room(to))});
      if (amount > 0.0) {
        add(to, share.draw, amount);
        add(s, share.draw, -amount);
        movable -= amount;
      }
      if (room(to) <= kRounding * limit(to)) {
        close(to, earlier, later);
      }
    }
  }

  std::span<const DrawTime> draws_;
  double capacity_;
  std::vector<Segment> segments_;
  Seconds end_{0.0};
};

}  // namespace

std::vector<RatePoint> drawn_rate(std::span<const DrawTime> draws, double capacity) {
  Spread spread(draws, capacity);
  spread.evenly();
  if (!spread.level()) {
    spread.earliest_end_first();
  }
  return spread.rates();
}

}  // namespace cairn::report
