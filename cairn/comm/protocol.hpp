// Which of a platform's protocols may carry a collective, and what they make of closed forms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cairn/comm/closed_form.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::comm {

// Those of the smallest island that holds every message of the phase, as far as any of them carry
// `op`; empty where the platform has none. No algorithm is free of them: one that none of them
// names takes all of them.
std::vector<const platform::Protocol*> protocols_for(
    Op op, const Phase& phase, const Part& part, const Layout& layout, std::string_view algorithm);

// Whether the platform's protocols, where there are any for the phase, name the algorithm: whether
// its library has it.
bool is_in_library(
    Op op, const Phase& phase, const Part& part, const Layout& layout, std::string_view algorithm);

// Names of the protocols of a schedule's phases, each once: "LL + Simple"; empty: none.
std::string protocol_names(const Schedule& schedule);

// Throws ConfigError at a protocol that names a collective or an algorithm there is none of.
void check_protocols(const platform::Platform& platform);

// What a collective of `size` over n devices takes beside its messages. What is copied is what the
// busiest device reads and writes of its own buffers: an all-reduce all of it both ways, a
// reduce-scatter reads all and writes the n-th part, an all-gather the other way round, so that the
// two take what the all-reduce does, one start and an n-th part of the copy more.
Seconds start_of(const platform::Protocol& protocol, Op op, Bytes size, std::uint32_t devices);

// What a way is to messages of the protocol.
Way with_protocol(const Way& way, const platform::Protocol& protocol);

}  // namespace cairn::comm
