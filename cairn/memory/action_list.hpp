// Actions in program order. What each action reads and writes gives its dependencies and the live
// ranges of memory.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cairn/memory/liveness.hpp"
#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

class ActionList {
 public:
  // `rows`: by storage, the rows fetched of a table in the backing store (tables.hpp). All
  // arguments must outlive this. Storages that are read before they are written are live from the
  // beginning.
  ActionList(const plan::Plan& plan,
             const Liveness& live,
             const std::vector<std::optional<Bytes>>& rows);

  // The action waits for the writers of its inputs, and for the readers and writers of its outputs.
  // What it writes is live from its start.
  Id<Action> add(Action action,
                 const std::vector<Id<model::Tensor>>& reads,
                 const std::vector<Id<model::Tensor>>& writes);

  // The storage is live until its last readers and writers end. No effect if it is not live.
  void free(std::size_t storage);

  // Tensors that one step writes and the next reads are double-buffered: between steps the buffers
  // swap roles, so the next writer waits for the readers of the previous contents.
  void swap_buffers();

  // Weights and weight gradients; not copies of weights in another layout, nor tables in the
  // backing store.
  [[nodiscard]] bool is_always_live(std::size_t storage) const;

  // Whether a live range is open; false for what is always live.
  [[nodiscard]] bool has_open_range(std::size_t storage) const {
    return state_[storage].live_range.has_value();
  }

  // Precondition: an action was added.
  [[nodiscard]] const Action& back() const { return actions_.back(); }

  // Moves actions and live ranges into the schedule.
  void move_to(Schedule& schedule) &&;

 private:
  // The last writers and readers of a storage.
  struct State {
    std::vector<Id<Action>> writers{};
    std::vector<Id<Action>> readers{};
    std::optional<std::size_t> live_range{};  // index in live_ranges_
  };

  void begin_initial_ranges();
  void begin_range(std::size_t storage, Id<Action> from);
  [[nodiscard]] std::size_t storage_of(Id<model::Tensor> tensor) const;

  const plan::Plan& plan_;
  const Liveness& live_;
  const std::vector<std::optional<Bytes>>& rows_;
  std::vector<State> state_;  // by storage
  std::vector<Action> actions_{};
  std::vector<LiveRange> live_ranges_{};
};

}  // namespace cairn::memory
