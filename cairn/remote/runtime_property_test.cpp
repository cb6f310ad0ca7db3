// Random race-free programs against a reference model of the bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "cairn/base/must_have.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/remote/error.hpp"
#include "cairn/remote/runtime.hpp"

namespace cairn::remote {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLocalPages = 12;
constexpr std::uint64_t kNodePages = 10;

// Expected state: the bytes of each allocation, as if copies took effect at once, and the streams
// with copies in flight on it.
struct Modelled {
  Kind kind = Kind::kLocal;
  std::vector<std::uint8_t> bytes{};
  std::set<StreamId> busy{};
};

class RandomProgram {
 public:
  explicit RandomProgram(PagePlacement placement)
      : runtime_(platform::topology::make_mc_dla_ring({.latency = Seconds(500e-9)}),
                 {.placement = placement,
                  .page_size = kPage,
                  .local = {.capacity = kLocalPages * kPage},
                  .node_capacity = kNodePages * kPage}),
        streams_{kDefaultStream, runtime_.create_stream(), runtime_.create_stream()} {}

  void step() {
    switch (below(8)) {
      case 0:
      case 1:
        allocate();
        break;
      case 2:
        release();
        break;
      case 3:
        write();
        break;
      case 4:
        synchronize();
        break;
      case 5:
        runtime_.advance(Seconds(1e-9 * static_cast<double>(below(2000))));
        break;
      default:
        copy();
    }
    check_pages();
  }

  void finish() {
    for (const StreamId stream : streams_) {
      wait_for(stream);
    }
    check_bytes();
    for (const auto& [address, allocation] : model_) {
      runtime_.free(allocation.kind, address);
    }
    RC_ASSERT(runtime_.memory().page_table().mapped() == 0U);
  }

 private:
  using Live = std::map<Address, Modelled>;

  // From the whole range, independent of the size of the test case.
  static std::uint64_t below(std::uint64_t end) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, end));
  }

  Live::iterator any() {
    return std::next(model_.begin(), static_cast<std::ptrdiff_t>(below(model_.size())));
  }

  void allocate() {
    const Kind kind = below(2) == 0 ? Kind::kLocal : Kind::kRemote;
    const std::uint64_t size = below(4 * kPage) + 1;
    const bool room = (size + kPage - 1) / kPage <= runtime_.memory().free_pages(kind);
    try {
      const Address address = runtime_.malloc(kind, size);
      RC_ASSERT(room);
      const bool fresh =
          model_.emplace(address, Modelled{.kind = kind, .bytes = std::vector<std::uint8_t>(size)})
              .second;
      RC_ASSERT(fresh);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == CAIRN_ERROR_OUT_OF_MEMORY && !room);
    }
  }

  void release() {
    if (!model_.empty()) {
      const auto victim = any();
      runtime_.free(victim->second.kind, victim->first);  // waits for its copies
      model_.erase(victim);
    }
  }

  void write() {
    if (model_.empty()) {
      return;
    }
    auto& [address, allocation] = *any();
    wait_for_others(allocation, streams_.size());
    const std::uint64_t offset = below(allocation.bytes.size());
    const auto value = static_cast<std::uint8_t>(below(255) + 1);
    const std::uint64_t size = below(allocation.bytes.size() - offset) + 1;
    std::byte* seen = runtime_.map(address + offset, size);
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto mixed = static_cast<std::uint8_t>(value + i);
      seen[i] = std::byte(mixed);
      allocation.bytes[offset + i] = mixed;
    }
  }

  void copy() {
    if (model_.size() < 2) {
      return;
    }
    const auto to = any();
    const auto from = any();
    if (to == from || (to->second.kind == Kind::kRemote && from->second.kind == Kind::kRemote)) {
      return;
    }
    const StreamId stream = streams_[below(streams_.size())];
    wait_for_others(to->second, stream);
    wait_for_others(from->second, stream);
    const std::uint64_t size =
        below(std::min(to->second.bytes.size(), from->second.bytes.size())) + 1;
    const std::uint64_t to_offset = below(to->second.bytes.size() - size + 1);
    const std::uint64_t from_offset = below(from->second.bytes.size() - size + 1);
    const Direction direction = to->second.kind == Kind::kRemote     ? Direction::kLocalToRemote
                                : from->second.kind == Kind::kRemote ? Direction::kRemoteToLocal
                                                                     : Direction::kLocalToLocal;
    runtime_.copy(to->first + to_offset, from->first + from_offset, size, direction, stream);
    std::copy_n(from->second.bytes.begin() + static_cast<std::ptrdiff_t>(from_offset),
                size,
                to->second.bytes.begin() + static_cast<std::ptrdiff_t>(to_offset));
    to->second.busy.insert(stream);
    from->second.busy.insert(stream);
  }

  // Avoids races: waits for other streams with copies in flight on the allocation.
  void wait_for_others(const Modelled& allocation, std::uint64_t except) {
    const std::set<StreamId> busy = allocation.busy;
    for (const StreamId stream : busy) {
      if (stream != except) {
        wait_for(stream);
      }
    }
  }

  void wait_for(StreamId stream) {
    runtime_.synchronize(stream);
    for (auto& [address, allocation] : model_) {
      allocation.busy.erase(stream);
    }
  }

  void synchronize() {
    wait_for(streams_[below(streams_.size())]);
    check_bytes();
  }

  // Allocations without copies in flight match the model.
  void check_bytes() {
    for (const auto& [address, allocation] : model_) {
      if (allocation.busy.empty()) {
        const std::byte* seen = runtime_.map(address, allocation.bytes.size());
        for (std::size_t i = 0; i < allocation.bytes.size(); ++i) {
          RC_ASSERT(seen[i] == std::byte(allocation.bytes[i]));
        }
      }
    }
  }

  // No two allocations share a frame, each has frames of its kind, and none are lost.
  void check_pages() {
    const Memory& memory = runtime_.memory();
    std::set<std::uint64_t> frames;
    std::uint64_t pages = 0;
    for (const auto& [address, allocation] : model_) {
      const std::uint64_t count = memory.space().pages_for(allocation.bytes.size());
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto found = memory.page_table().frame_of(address / kPage + i);
        const std::uint64_t frame = must_have(found, "a page without a frame");
        RC_ASSERT(frames.insert(frame).second);
        RC_ASSERT((frame < kLocalPages) == (allocation.kind == Kind::kLocal));
      }
      pages += count;
    }
    RC_ASSERT(memory.page_table().mapped() == pages);
    RC_ASSERT(pages + memory.free_pages(Kind::kLocal) + memory.free_pages(Kind::kRemote) ==
              kLocalPages + 2 * kNodePages);
  }

  Runtime runtime_;
  std::vector<StreamId> streams_;
  Live model_;
};

RC_GTEST_PROP(RuntimeProperty, RaceFreeProgramsReadTheBytesTheyWrote, ()) {
  RandomProgram program(*rc::gen::element(PagePlacement::kLocal, PagePlacement::kBandwidthAware));
  const int steps = *rc::gen::inRange(0, 80);
  for (int i = 0; i < steps; ++i) {
    program.step();
  }
  program.finish();
}

}  // namespace
}  // namespace cairn::remote
