#include "cairn/comm/protocol_selection.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cairn::comm {

namespace {

std::string_view algorithm_of(const Phase& phase, const AlgorithmChoice& choice) {
  return phase.algorithm.empty() ? choice.algorithm->name : phase.algorithm;
}

}  // namespace

bool is_in_library(Op op,
                   const GroupLayout& layout,
                   const CollectiveSchedule& schedule,
                   const AlgorithmChoice& choice) {
  for (const Part& part : schedule.parts) {
    for (const Phase& phase : part.phases) {
      if (!is_in_library(op, phase, part, layout, algorithm_of(phase, choice))) {
        return false;
      }
    }
  }
  return true;
}

std::vector<ProtocolSelection> selections_of(Op op,
                                             const GroupLayout& layout,
                                             const CollectiveSchedule& schedule,
                                             const AlgorithmChoice& choice) {
  std::vector<std::vector<const platform::Protocol*>> kinds;
  for (const Part& part : schedule.parts) {
    for (const Phase& phase : part.phases) {
      auto options = protocols_for(op, phase, part, layout, algorithm_of(phase, choice));
      if (!options.empty() && std::ranges::find(kinds, options) == kinds.end()) {
        kinds.push_back(std::move(options));
      }
    }
  }
  std::vector<ProtocolSelection> selections{{}};
  for (const auto& options : kinds) {
    std::vector<ProtocolSelection> longer;
    for (const ProtocolSelection& selection : selections) {
      for (const platform::Protocol* option : options) {
        longer.push_back(selection);
        longer.back().push_back(option);
      }
    }
    selections = std::move(longer);
  }
  return selections;
}

Seconds start_of(const ProtocolSelection& selection, Op op, Bytes size, std::uint32_t devices) {
  Seconds slowest(0.0);
  for (const platform::Protocol* protocol : selection) {
    slowest = std::max(slowest, start_of(*protocol, op, size, devices));
  }
  return slowest;
}

void take_protocols(const ProtocolSelection& selection,
                    const AlgorithmChoice& choice,
                    const Collective& collective,
                    std::uint32_t devices,
                    const GroupLayout& layout,
                    CollectiveSchedule& schedule) {
  ProtocolSelection taken;
  for (Part& part : schedule.parts) {
    for (Phase& phase : part.phases) {
      const auto options =
          protocols_for(collective.op, phase, part, layout, algorithm_of(phase, choice));
      if (options.empty()) {
        continue;
      }
      const auto selected = std::ranges::find_if(options, [&](const platform::Protocol* option) {
        return std::ranges::find(selection, option) != selection.end();
      });
      phase.protocol = selected != options.end() ? *selected : options.front();
      taken.push_back(phase.protocol);
    }
  }
  schedule.start = start_of(taken, collective.op, collective.size, devices);
}

}  // namespace cairn::comm
