#include "cairn/comm/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

using platform::Protocol;

bool among(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool stays_in(std::uint32_t island,
              const Phase& phase,
              const Part& part,
              const GroupLayout& layout) {
  if (island == 0) {
    return true;
  }
  for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
    const Message& message = part.messages[m];
    if (layout.device(message.from) / island != layout.device(message.to) / island) {
      return false;
    }
  }
  return true;
}

double size_of(const Protocol& protocol) {
  return protocol.island == 0 ? std::numeric_limits<double>::infinity() : protocol.island;
}

void check_names(const Protocol& protocol,
                 const std::vector<std::string>& names,
                 const std::vector<std::string>& known,
                 const char* what) {
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      throw ConfigError(protocol.where,
                        in_quotes(name) + " is not " + what + " (" + suggestion(name, known) + ")");
    }
  }
}

// Half of the bytes that the busiest device reads and writes of its buffers, over their size.
double copied_share(Op op, std::uint32_t devices) {
  switch (op) {
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kGather:
    case Op::kScatter:
      return (1.0 + 1.0 / devices) / 2.0;
    case Op::kBroadcast:
    case Op::kSendReceive:  // a device either reads or writes
      return 0.5;
    case Op::kAllReduce:
    case Op::kAllToAll:
    case Op::kReduce:  // the root
      break;
  }
  return 1.0;
}

std::vector<const Protocol*> of_smallest_island(Op op,
                                                const Phase& phase,
                                                const Part& part,
                                                const GroupLayout& layout) {
  std::vector<const Protocol*> found;
  for (const Protocol& protocol : layout.platform->protocols) {
    if (!among(protocol.ops, info(op).name) || !stays_in(protocol.island, phase, part, layout)) {
      continue;
    }
    if (!found.empty() && size_of(protocol) < size_of(*found.front())) {
      found.clear();
    }
    if (found.empty() || size_of(protocol) == size_of(*found.front())) {
      found.push_back(&protocol);
    }
  }
  return found;
}

}  // namespace

std::vector<const Protocol*> protocols_for(Op op,
                                           const Phase& phase,
                                           const Part& part,
                                           const GroupLayout& layout,
                                           std::string_view algorithm) {
  std::vector<const Protocol*> found = of_smallest_island(op, phase, part, layout);
  const auto names_it = [&](const Protocol* each) { return among(each->algorithms, algorithm); };
  if (std::ranges::any_of(found, names_it)) {
    std::erase_if(found, std::not_fn(names_it));
  }
  return found;
}

bool is_in_library(Op op,
                   const Phase& phase,
                   const Part& part,
                   const GroupLayout& layout,
                   std::string_view algorithm) {
  const std::vector<const Protocol*> found = of_smallest_island(op, phase, part, layout);
  return found.empty() || std::ranges::any_of(found, [&](const Protocol* each) {
           return among(each->algorithms, algorithm);
         });
}

std::string protocol_names(const CollectiveSchedule& schedule) {
  std::vector<std::string> names;
  for (const Part& part : schedule.parts) {
    for (const Phase& phase : part.phases) {
      if (phase.protocol != nullptr &&
          std::ranges::find(names, phase.protocol->name) == names.end()) {
        names.push_back(phase.protocol->name);
      }
    }
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

void check_protocols(const platform::Platform& platform) {
  std::vector<std::string> known_ops;
  for (const OpInfo& known : ops()) {
    known_ops.emplace_back(known.name);
  }
  std::vector<std::string> known_algorithms;
  for (const Algorithm* known : algorithms()) {
    known_algorithms.emplace_back(known->name);
  }
  for (const Protocol& protocol : platform.protocols) {
    check_names(protocol, protocol.ops, known_ops, "a collective");
    check_names(protocol, protocol.algorithms, known_algorithms, "an algorithm");
  }
}

Seconds start_of(const Protocol& protocol, Op op, Bytes size, std::uint32_t devices) {
  return protocol.start +
         (protocol.copy ? size * copied_share(op, devices) / *protocol.copy : Seconds(0.0));
}

}  // namespace cairn::comm
