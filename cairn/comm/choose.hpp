// `auto`: the fastest algorithm for a collective, found by trying them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/endpoint.hpp"

namespace cairn::comm {

struct Choice {
  const Algorithm* algorithm = nullptr;
  std::optional<std::uint32_t> chunks{};  // absent: an engine's own
  std::string tried{};                    // "ring 9.015 ms, rings 5.019 ms"
  std::string too_costly{};               // "direct"
  std::string infeasible{};               // "direct (fabric.engine.sram)"
};

// The limit of trials that would cost too much.
inline constexpr const char* kTooCostly = "effort";
bool is_too_costly(const Infeasible& reason);

// How long the collective takes with an algorithm and a number of chunks, or with those that an
// engine cuts it into; or why it would cost too much to find out, or cannot be done.
using TimeOf = std::function<Feasible<Seconds>(const Algorithm& algorithm,
                                               std::optional<std::uint32_t> chunks)>;

// Algorithms that may be tried.
std::uint32_t candidates_for(const Collective& collective, const Layout& layout);

// Tries every algorithm that can do it, of those that the platform's protocols carry if it has any,
// but for those that would cost too much to try. `chunks`, if
// given, is what the user wants. Nothing if none can be tried.
std::optional<Choice> choose_algorithm(const Collective& collective,
                                       const Layout& layout,
                                       std::optional<std::uint32_t> chunks,
                                       const TimeOf& time_of,
                                       const Endpoint& endpoint = {});

}  // namespace cairn::comm
