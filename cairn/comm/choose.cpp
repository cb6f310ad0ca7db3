#include "cairn/comm/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::comm {

namespace {

// What it may cost to write a trial down, in draws.
constexpr double kMostWritten = 4e6;

// About one draw per message and link on the way.
double draws_of(const Algorithm& algorithm, Op op, const Layout& layout) {
  const auto devices = layout.platform->graph.devices();
  const platform::Route far =
      platform::Router(*layout.platform)
          .route(devices[layout.device(0)], devices[layout.device(layout.positions / 2)]);
  const bool stated = layout.whole && algorithm.shift_invariant(op, layout);
  return algorithm.messages(op, layout) * static_cast<double>(far.hops.size()) /
         (stated ? layout.positions : 1.0);
}

void add(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

struct Trial {
  std::optional<std::uint32_t> chunks{};
  Seconds time = Seconds::infinity();
  std::uint32_t too_many = 0;           // chunks that would have cost too much to try
  std::optional<Infeasible> why_not{};  // of the last one that gave no time
};

// Many small chunks fill a pipeline, but each meets all latencies; so fewer are tried as well, the
// cheapest first.
std::vector<std::uint32_t> to_try(std::uint32_t least, std::uint32_t most) {
  std::vector<std::uint32_t> chunks{most};
  while (chunks.back() > least && chunks.back() > 1) {
    chunks.push_back(std::max(least, chunks.back() / 8));
  }
  std::ranges::reverse(chunks);
  return chunks;
}

Trial best_of(const Algorithm& algorithm,
              std::uint32_t least,
              std::uint32_t most,
              const TimeOf& time_of) {
  Trial best;
  for (const std::uint32_t chunks : to_try(least, most)) {
    const Feasible<Seconds> time = time_of(algorithm, chunks);
    if (!time) {
      best.too_many = is_too_costly(time.reason()) ? chunks : 0;
      best.why_not = time.reason();
      break;
    }
    if (*time < best.time) {
      best.chunks = chunks;
      best.time = *time;
    }
  }
  return best;
}

// Those that can do it, of those that the platform's protocols carry if it has any.
std::vector<const Algorithm*> able(const Collective& collective, const Layout& layout) {
  std::vector<const Algorithm*> result;
  const bool any = protocols_for(collective.op, {&layout, 1}).empty();
  for (const Algorithm* algorithm : algorithms()) {
    const bool carried =
        any || !protocols_for(collective.op, {&layout, 1}, algorithm->name).empty();
    if (carried && algorithm->supports(collective.op, layout)) {
      result.push_back(algorithm);
    }
  }
  return result;
}

bool cheap_to_write(const Algorithm& algorithm, Op op, const Layout& layout) {
  return draws_of(algorithm, op, layout) <= kMostWritten;
}

}  // namespace

bool is_too_costly(const Infeasible& reason) {
  return reason.limit == kTooCostly || reason.limit == kTooManyChunks;
}

std::uint32_t candidates_for(const Collective& collective, const Layout& layout) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(able(collective, layout), [&](const Algorithm* algorithm) {
        return cheap_to_write(*algorithm, collective.op, layout);
      }));
}

std::optional<Choice> choose_algorithm(const Collective& collective,
                                       const Layout& layout,
                                       std::optional<std::uint32_t> chunks,
                                       const TimeOf& time_of,
                                       const Endpoint& endpoint) {
  Choice choice;
  Seconds fastest = Seconds::infinity();
  for (const Algorithm* algorithm : able(collective, layout)) {
    Trial trial;
    if (cheap_to_write(*algorithm, collective.op, layout)) {
      if (cuts_by_itself(endpoint) && !chunks) {
        const Feasible<Seconds> time = time_of(*algorithm, {});
        if (time) {
          trial.time = *time;
        } else {
          trial.why_not = time.reason();
        }
      } else {
        const std::uint32_t wanted = chunks.value_or(
            chunks_at(endpoint, collective.size, algorithm->chunks(collective, layout)));
        trial = best_of(*algorithm, chunks.value_or(1), wanted, time_of);
      }
    }
    if (trial.time == Seconds::infinity() && trial.why_not && !is_too_costly(*trial.why_not)) {
      add(choice.infeasible, fmt::format("{} ({})", algorithm->name, trial.why_not->limit));
      continue;
    }
    if (trial.time == Seconds::infinity()) {
      add(choice.too_costly, std::string(algorithm->name));
      continue;
    }
    if (trial.too_many > 0) {
      add(choice.too_costly, fmt::format("{} in {} chunks", algorithm->name, trial.too_many));
    }
    add(choice.tried, fmt::format("{} {}", algorithm->name, to_text(trial.time)));
    if (trial.time < fastest) {
      choice.algorithm = algorithm;
      choice.chunks = trial.chunks;
      fastest = trial.time;
    }
  }
  return choice.algorithm == nullptr ? std::nullopt : std::optional(choice);
}

}  // namespace cairn::comm
