#include "cairn/remote/runtime.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/remote/error.hpp"

namespace cairn::remote {

namespace {

using platform::Platform;
using platform::StorePart;

void check(const Options& options) {
  require(options.local.bandwidth > BytesPerSecond(0.0), CAIRN_ERROR_INVALID_VALUE);
  require(options.local.latency >= Seconds(0.0), CAIRN_ERROR_INVALID_VALUE);
  require(std::isfinite(options.local.latency.si()), CAIRN_ERROR_INVALID_VALUE);
}

// All memory-nodes (or the host socket) of the device, for any placement.
std::vector<StorePart> store_of(const Platform& platform, const Options& options) {
  check(options);
  require(options.device < platform.device_count(), CAIRN_ERROR_INVALID_PLATFORM);
  auto store = backing_store(platform, options.device, PagePlacement::kBandwidthAware);
  require(!store.empty(), CAIRN_ERROR_NO_REMOTE_MEMORY);
  return store;
}

AddressSpace space_of(const std::vector<StorePart>& store, const Options& options) {
  std::vector<std::uint64_t> capacities;
  for (const StorePart& part : store) {
    if (options.node_capacity != 0) {
      capacities.push_back(options.node_capacity);
      continue;
    }
    const double stated = part.capacity.si();
    require(!std::isfinite(stated) || stated < 0x1p63, CAIRN_ERROR_ADDRESS_LIMIT);
    capacities.push_back(std::isfinite(stated) ? static_cast<std::uint64_t>(stated)
                                               : kUnstatedCapacity);
  }
  return {options.page_size, options.local.capacity, capacities, options.bits};
}

std::vector<double> shares_of(const std::vector<StorePart>& store) {
  std::vector<double> shares;
  shares.reserve(store.size());
  for (const StorePart& part : store) {
    shares.push_back(part.share);
  }
  return shares;
}

// The index in `store` of the memory-node that LOCAL uses.
std::size_t preferred_of(const Platform& platform,
                         const std::vector<StorePart>& store,
                         std::uint32_t device) {
  const Id<platform::Node> node =
      backing_store(platform, device, PagePlacement::kLocal).front().node;
  return static_cast<std::size_t>(std::ranges::find(store, node, &StorePart::node) - store.begin());
}

}  // namespace

Runtime::Runtime(const Platform& platform, const Options& options)
    : Runtime(platform, options, store_of(platform, options)) {}

Runtime::Runtime(const Platform& platform,
                 const Options& options,
                 const std::vector<StorePart>& store)
    : paths_(platform, store, options.local, engine_),
      memory_(space_of(store, options),
              options.placement,
              shares_of(store),
              preferred_of(platform, store, options.device)) {
  create_stream();
}

void Runtime::free(Kind kind, Address address) {
  const Allocation& allocation = memory_.at(kind, address);
  wait_until([&] { return allocation.uses == 0; });
  memory_.release(address);
}

void Runtime::copy(
    Address to, Address from, std::uint64_t size, Direction direction, StreamId stream) {
  Stream& queue = find(stream);
  const Allocation& target = memory_.holding(to, size);
  const Allocation& source = memory_.holding(from, size);
  const Kind target_kind = direction == Direction::kLocalToRemote ? Kind::kRemote : Kind::kLocal;
  const Kind source_kind = direction == Direction::kRemoteToLocal ? Kind::kRemote : Kind::kLocal;
  require(target.kind == target_kind && source.kind == source_kind, CAIRN_ERROR_WRONG_MEMORY);
  require(to >= from + size || from >= to + size, CAIRN_ERROR_OVERLAP);
  const CopyId id = next_copy_++;
  const Copy& copy = copies_[id] = {
      .to = to, .from = from, .size = size, .direction = direction, .stream = stream};
  use(copy, true);
  queue.copies.push_back(id);
  if (queue.copies.size() == 1) {
    start(id);
  }
}

void Runtime::start(CopyId id) {
  Copy& copy = copies_.at(id);
  std::vector<std::uint64_t> bytes{copy.size};
  if (copy.direction != Direction::kLocalToLocal) {
    const bool leaves = copy.direction == Direction::kLocalToRemote;
    bytes = memory_.bytes_by_node(leaves ? copy.to : copy.from, copy.size);
  }
  for (std::size_t node = 0; node < bytes.size(); ++node) {
    if (bytes[node] == 0) {
      continue;
    }
    const Bytes part(static_cast<double>(bytes[node]));
    engine_.submit({.demand = paths_.demand(copy.direction, node, part, engine_),
                    .issuer = find(copy.stream).issuer,
                    .work = part.si(),
                    .age = id,
                    .tag = id});
    ++copy.running;
  }
}

void Runtime::finish(CopyId id) {
  const Copy copy = copies_.at(id);
  memory_.move(copy.to, copy.from, copy.size);
  use(copy, false);
  copies_.erase(id);
  Stream& stream = find(copy.stream);
  stream.copies.pop_front();
  if (!stream.copies.empty()) {
    start(stream.copies.front());
  }
}

// Reference-counts source and destination of a copy in flight, so that they are not freed.
void Runtime::use(const Copy& copy, bool begin) {
  for (const Address address : {copy.to, copy.from}) {
    std::uint32_t& uses = memory_.holding(address, copy.size).uses;
    uses = begin ? uses + 1 : uses - 1;
  }
}

// Advances to the next completion of a part, at most to `until`; false if there is none.
bool Runtime::step(SimTime until) {
  const auto completions = engine_.advance(until);
  require(engine_.now() != SimTime::never(), CAIRN_ERROR_TIME_LIMIT);
  std::vector<CopyId> finished;
  for (const sim::Completion& completion : completions) {
    if (--copies_.at(completion.tag).running == 0) {
      finished.push_back(completion.tag);
    }
  }
  const bool any = !completions.empty();
  std::ranges::sort(finished);
  for (const CopyId id : finished) {
    finish(id);
  }
  return any;
}

template <class Done>
void Runtime::wait_until(Done done) {
  while (!done()) {
    ensure(step(SimTime::never()), "a copy never completes");
  }
}

StreamId Runtime::create_stream() {
  if (issuers_.empty()) {
    issuers_.push_back(engine_.add(sim::Issuer{.name = "stream"}));
  }
  streams_.emplace(next_stream_, Stream{.issuer = issuers_.back(), .copies = {}});
  issuers_.pop_back();
  return next_stream_++;
}

void Runtime::destroy_stream(StreamId stream) {
  require(stream != kDefaultStream, CAIRN_ERROR_INVALID_STREAM);
  synchronize(stream);
  issuers_.push_back(find(stream).issuer);
  streams_.erase(stream);
}

void Runtime::synchronize(StreamId stream) {
  const Stream& waited_for = find(stream);
  wait_until([&] { return waited_for.copies.empty(); });
}

void Runtime::synchronize() {
  wait_until([&] { return copies_.empty(); });
}

void Runtime::advance(Seconds duration) {
  require(std::isfinite(duration.si()) && duration >= Seconds(0.0), CAIRN_ERROR_INVALID_VALUE);
  const SimTime until = after(engine_.now(), duration);
  require(until != SimTime::never(), CAIRN_ERROR_TIME_LIMIT);
  while (step(until)) {
  }
}

Runtime::Stream& Runtime::find(StreamId stream) {
  const auto found = streams_.find(stream);
  require(found != streams_.end(), CAIRN_ERROR_INVALID_STREAM);
  return found->second;
}

}  // namespace cairn::remote
