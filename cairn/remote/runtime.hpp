// The runtime of one device (Kwon and Rhu, MICRO 2018, Table I): local and remote memory, and
// asynchronous copies between them on streams, timed by the simulation engine.
//
//   program --copy()--> stream 0: [copy][copy][copy]     one copy of a stream at a time;
//                       stream 1: [copy][copy]           streams share links and memories max-min
//
// Simulated time advances only in calls that wait: synchronize(), advance(), free() and
// destroy_stream(). A copy reads and writes its bytes at the instant it completes; copies that
// complete at the same instant take effect in submission order. Failing calls throw Error and
// change nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "cairn/platform/backing_store.hpp"
#include "cairn/remote/copy_paths.hpp"
#include "cairn/remote/memory.hpp"
#include "cairn/sim/engine.hpp"

namespace cairn::remote {

// Capacity of a host socket if the platform states none: that of a DGX-1 with eight devices.
inline constexpr std::uint64_t kUnstatedCapacity = std::uint64_t{512} * 1000 * 1000 * 1000;

struct Options {
  std::uint32_t device = 0;
  PagePlacement placement = PagePlacement::kBandwidthAware;
  // 2 MiB, the large page of GPUs: bulk copies split evenly over memory-nodes, and the table of a
  // terabyte has half a million entries.
  std::uint64_t page_size = std::uint64_t{2} << 20U;
  LocalMemory local{};
  // The device's share of one memory-node; 0: as the platform states.
  std::uint64_t node_capacity = 0;
  AddressBits bits{};
};

using StreamId = std::uint32_t;

inline constexpr StreamId kDefaultStream = 0;

class Runtime {
 public:
  // Throws Error: INVALID_PLATFORM (no such device), NO_REMOTE_MEMORY, INVALID_VALUE,
  // ADDRESS_LIMIT, HOST_MEMORY.
  Runtime(const platform::Platform& platform, const Options& options);

  Address malloc(Kind kind, std::uint64_t size) { return memory_.allocate(kind, size); }

  // Waits for copies in flight that use the memory.
  void free(Kind kind, Address address);

  // Host pointer to the range, valid until the memory is freed; takes no simulated time.
  std::byte* map(Address address, std::uint64_t size) { return memory_.host(address, size); }

  void copy(Address to, Address from, std::uint64_t size, Direction direction, StreamId stream);

  StreamId create_stream();
  void destroy_stream(StreamId stream);  // waits for its copies
  void synchronize(StreamId stream);
  void synchronize();

  // The program computes for `duration`; copies in flight proceed.
  void advance(Seconds duration);

  [[nodiscard]] Seconds elapsed() const { return engine_.now().since(SimTime()); }

  [[nodiscard]] const Memory& memory() const { return memory_; }

 private:
  using CopyId = std::uint64_t;

  struct Copy {
    Address to = 0;
    Address from = 0;
    std::uint64_t size = 0;
    Direction direction = Direction::kLocalToLocal;
    StreamId stream = kDefaultStream;
    std::size_t running = 0;  // parts in flight, one per memory-node involved
  };

  struct Stream {
    Id<sim::Issuer> issuer;
    std::deque<CopyId> copies;  // the first one is running
  };

  Runtime(const platform::Platform& platform,
          const Options& options,
          const std::vector<platform::StorePart>& store);

  Stream& find(StreamId stream);
  void start(CopyId id);
  void finish(CopyId id);
  void use(const Copy& copy, bool begin);
  bool step(SimTime until);
  template <class Done>
  void wait_until(Done done);

  sim::Engine engine_;
  CopyPaths paths_;
  Memory memory_;
  std::map<CopyId, Copy> copies_;  // submitted, not complete
  CopyId next_copy_ = 0;
  std::map<StreamId, Stream> streams_;
  StreamId next_stream_ = 0;              // never reused, so that stale ids are detected
  std::vector<Id<sim::Issuer>> issuers_;  // of destroyed streams, for reuse
};

}  // namespace cairn::remote
