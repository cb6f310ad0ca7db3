#include "cairn/comm/engine_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::comm {

namespace {

// Simulated in about twenty seconds. A message takes about a microsecond, plus as much for every
// kChunksThatCostAMessage chunks in an engine, because each of these may be the next to proceed.
constexpr double kMaxMessages = 2e7;
constexpr double kChunksThatCostAMessage = 512.0;

double messages_per_chunk(const sim::PhaseProgram& part) {
  double messages = 0.0;
  for (const sim::Phase& phase : part.phases) {
    messages += 1.0 * phase.steps * (phase.end_lane - phase.first_lane);
  }
  return messages;
}

}  // namespace

std::uint32_t chunks_of(Bytes payload, const CollectiveSchedule& schedule, Bytes chunk) {
  constexpr double kMax = std::numeric_limits<std::uint32_t>::max();
  double largest = 0.0;
  for (const Part& part : schedule.parts) {
    largest = std::max(largest, part.share);
  }
  return static_cast<std::uint32_t>(
      std::clamp(std::ceil(payload * largest / chunk - 1e-9), 1.0, kMax));
}

std::optional<Infeasible> too_many_chunks(const sim::Program& program, const Endpoint& endpoint) {
  if (!engine_sets_chunk_size(endpoint)) {
    return std::nullopt;
  }
  double chunks = 0.0;
  double cost = 0.0;
  for (const sim::Task& task : program.tasks) {
    if (const auto* part = std::get_if<sim::PhaseProgram>(&task.what)) {
      const double at_once = std::min(part->window, part->chunks());
      chunks += part->chunks();
      cost += 1.0 * part->chunks() * messages_per_chunk(*part) *
              (1.0 + at_once / kChunksThatCostAMessage);
    }
  }
  if (cost <= kMaxMessages) {
    return std::nullopt;
  }
  return Infeasible{
      Lack::kEngineChunks,
      fmt::format("payloads have {} chunks of {}, which take {:.0f} times too long to simulate "
                  "(use larger chunks)",
                  many(chunks),
                  to_text(*endpoint.engine.chunk),
                  std::ceil(cost / kMaxMessages))};
}

}  // namespace cairn::comm
