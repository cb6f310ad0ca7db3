// Memory in use on a device during a step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/explain/exposure.hpp"
#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

// Memory is allocated when the first action of a live range begins, and freed when its last action
// ends.
class MemoryOverTime {
 public:
  // `step` must outlive this.
  explicit MemoryOverTime(const lower::LoweredStep& step);

  // `intervals`: by action, on a device of the stage.
  [[nodiscard]] std::vector<MemoryPoint> points(const std::vector<Interval>& intervals,
                                                std::uint32_t stage,
                                                SimTime end) const;

  // The first of the points with the most memory in use.
  [[nodiscard]] MemoryPoint peak(const std::vector<Interval>& intervals,
                                 std::uint32_t stage,
                                 SimTime end) const;

 private:
  using Changes = std::vector<std::pair<SimTime, double>>;  // bytes more than before, in order

  static Changes changes_of(const memory::PassBody& body, const lower::PassTimes& pass);
  [[nodiscard]] Changes changes_outside(const std::vector<Interval>& intervals,
                                        std::uint32_t stage) const;
  // Calls visit(point) whenever the memory in use changes, and at the end.
  template <class Visit>
  void for_each_point(const std::vector<Interval>& intervals,
                      std::uint32_t stage,
                      SimTime end,
                      Visit visit) const;

  const memory::Schedule& schedule_;
  std::vector<Changes> in_body_;                         // counted from the start of the pass
  std::vector<std::vector<std::uint32_t>> live_ranges_;  // outside repeated passes, by stage
  std::vector<std::vector<std::uint32_t>> passes_;       // repeated ones, by stage: actions
};

}  // namespace cairn::explain
