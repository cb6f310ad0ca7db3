#include "cairn/comm/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/quantity_text.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::comm {

namespace {

// What one trial may cost, in draws looked at.
constexpr double kMostTried = 2e6;

// How many chunks a trial can afford. It looks at about one draw per message, link on the way and
// chunk, and, where every device is simulated, as many again for every other chunk on its way.
double affordable_chunks(const Algorithm& algorithm,
                         Op op,
                         const Layout& layout,
                         std::uint32_t window) {
  const auto devices = layout.platform->graph.devices();
  const platform::Route far =
      platform::Router(*layout.platform)
          .route(devices[layout.device(0)], devices[layout.device(layout.positions / 2)]);
  const bool stated = algorithm.shift_invariant(op, layout);
  const double draws = algorithm.messages(op, layout) * static_cast<double>(far.hops.size()) /
                       (stated ? layout.positions : 1.0);
  const double affordable = kMostTried / draws;
  const double in_flight = stated ? 1.0 : std::clamp(std::sqrt(affordable), 1.0, 1.0 * window);
  return affordable / in_flight;
}

// Many small chunks fill a pipeline, but each meets all latencies; so fewer are tried as well.
std::uint32_t fewer(std::uint32_t chunks) {
  return chunks > 8 ? chunks / 8 : (chunks > 1 ? 1 : 0);
}

struct Trial {
  std::uint32_t chunks = 1;
  Seconds time = Seconds::infinity();
};

Trial best_of(const Algorithm& algorithm,
              std::uint32_t most,
              std::uint32_t least,
              const TimeOf& time_of) {
  Trial best;
  for (std::uint32_t chunks = most; chunks >= least && chunks > 0; chunks = fewer(chunks)) {
    const std::optional<Seconds> time = time_of(algorithm, chunks);
    if (time && *time < best.time) {
      best = {chunks, *time};
    }
  }
  return best;
}

}  // namespace

std::optional<Choice> choose_algorithm(const Collective& collective,
                                       const Layout& layout,
                                       std::optional<std::uint32_t> chunks,
                                       std::uint32_t window,
                                       const TimeOf& time_of) {
  Choice choice;
  Seconds fastest = Seconds::infinity();
  for (const Algorithm* algorithm : algorithms()) {
    if (!algorithm->supports(collective.op, layout)) {
      continue;
    }
    const std::uint32_t wanted = chunks.value_or(algorithm->chunks(collective, layout));
    const double affordable = affordable_chunks(*algorithm, collective.op, layout, window);
    const auto most = static_cast<std::uint32_t>(std::min(affordable, 1.0 * wanted));
    const Trial trial = best_of(*algorithm, most, chunks.value_or(1), time_of);
    if (trial.time == Seconds::infinity()) {
      continue;
    }
    choice.tried += fmt::format(
        "{}{} {}", choice.tried.empty() ? "" : ", ", algorithm->name, to_text(trial.time));
    if (trial.time < fastest) {
      choice.algorithm = algorithm;
      choice.chunks = trial.chunks;
      fastest = trial.time;
    }
  }
  return choice.algorithm == nullptr ? std::nullopt : std::optional(choice);
}

}  // namespace cairn::comm
