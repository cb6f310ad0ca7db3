// Which of a platform's protocols may carry a collective, and what they make of closed forms.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cairn/comm/closed_form.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::comm {

// Those of the smallest island that holds every group, as far as any of them carry `op`; empty
// where the platform has none. An algorithm that none of them takes is not the library's: it then
// has links to itself.
std::vector<const platform::Protocol*> protocols_for(Op op, std::span<const Layout> groups);
std::vector<const platform::Protocol*> protocols_for(Op op,
                                                     std::span<const Layout> groups,
                                                     std::string_view algorithm);

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
