#include "apps/cairn/search_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/effort.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::app {

SearchProgress::SearchProgress(const explore::Request& request, std::size_t stored)
    : request_(request), stored_(stored), most_(explore::max_trials(request)) {}

void SearchProgress::on_done(const explore::DesignTrial& trial) {
  const search::Outcome outcome = explore::outcome_of(trial.finding, request_);
  const std::lock_guard lock(mutex_);
  ++done_;
  if (outcome.is_feasible()) {
    const double value = outcome.objectives.front();
    best_ = best_ ? std::min(*best_, value) : value;
  }
}

void SearchProgress::on_bounds(std::size_t done, std::size_t of) {
  const std::lock_guard lock(mutex_);
  bounds_ = done;
  bounds_of_ = of;
}

std::string SearchProgress::line(long seconds) const {
  const std::lock_guard lock(mutex_);
  if (done_ == 0 && bounds_ < bounds_of_) {
    return fmt::format("[{}] lower bounds of {} of {} designs",
                       report::bar(static_cast<double>(bounds_) / static_cast<double>(bounds_of_)),
                       bounds_,
                       bounds_of_);
  }
  const double evaluated = static_cast<double>(done_ - std::min(done_, stored_));
  const double speed = evaluated / static_cast<double>(std::max(seconds, 1L));
  std::string text =
      fmt::format("[{}] {} of at most {} designs",
                  report::bar(static_cast<double>(done_) / static_cast<double>(most_)),
                  done_,
                  most_);
  text += fmt::format(", {}/s", many(speed, 3));
  if (best_) {
    const explore::Metric& metric = *request_.objectives.front();
    text += fmt::format(", {} {}", explore::in_words(metric), explore::to_text(metric, *best_));
  }
  if (speed > 0.0) {
    const double left = static_cast<double>(most_ - std::min(most_, done_)) / speed;
    text += fmt::format(", at most {:.0f} s left", std::ceil(left));
  }
  return text;
}

}  // namespace cairn::app
