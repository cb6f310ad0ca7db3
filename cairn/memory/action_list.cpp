#include "cairn/memory/action_list.hpp"

#include <algorithm>
#include <utility>

namespace cairn::memory {

using model::Tensor;
using model::TensorKind;

ActionList::ActionList(const plan::Plan& plan,
                       const Liveness& live,
                       const std::vector<std::optional<Bytes>>& rows)
    : plan_(plan), live_(live), rows_(rows), state_(live.storage.size()) {
  begin_initial_ranges();
}

Id<Action> ActionList::add(Action action,
                           const std::vector<Id<Tensor>>& reads,
                           const std::vector<Id<Tensor>>& writes) {
  const Id<Action> id(actions_.size());
  for (const Id<Tensor> tensor : reads) {
    const State& state = state_[storage_of(tensor)];
    action.after.insert(action.after.end(), state.writers.begin(), state.writers.end());
  }
  for (const Id<Tensor> tensor : writes) {
    const State& state = state_[storage_of(tensor)];
    action.after.insert(action.after.end(), state.writers.begin(), state.writers.end());
    action.after.insert(action.after.end(), state.readers.begin(), state.readers.end());
  }
  std::ranges::sort(action.after);
  const auto repeated = std::ranges::unique(action.after);
  action.after.erase(repeated.begin(), repeated.end());
  std::erase(action.after, id);
  for (const Id<Tensor> tensor : reads) {
    const std::size_t storage = storage_of(tensor);
    state_[storage].readers.push_back(id);
    if (live_.storage[storage].from_outside) {
      begin_range(storage, id);  // the gradient of the loss, or samples of a later step
    }
  }
  for (const Id<Tensor> tensor : writes) {
    State& state = state_[storage_of(tensor)];
    state.writers = {id};
    state.readers.clear();
    begin_range(storage_of(tensor), id);
  }
  actions_.push_back(std::move(action));
  return id;
}

void ActionList::free(std::size_t storage) {
  State& state = state_[storage];
  if (state.live_range) {
    LiveRange& range = live_ranges_[*state.live_range];
    range.until = state.readers;
    range.until.insert(range.until.end(), state.writers.begin(), state.writers.end());
    state.live_range.reset();
  }
}

void ActionList::swap_buffers() {
  for (const plan::CrossStepTensor& each : plan_.cross_step) {
    std::swap(state_[each.made.index()], state_[each.read.index()]);
  }
}

bool ActionList::is_always_live(std::size_t storage) const {
  const StorageUse& use = live_.storage[storage];
  return !rows_[storage] && (use.kind == TensorKind::kWeightGradient ||
                             (use.kind == TensorKind::kWeight && use.from_outside));
}

void ActionList::move_to(Schedule& schedule) && {
  schedule.actions = std::move(actions_);
  schedule.live_ranges = std::move(live_ranges_);
}

void ActionList::begin_initial_ranges() {
  for (std::size_t s = 0; s < live_.storage.size(); ++s) {
    const StorageUse& use = live_.storage[s];
    if (!use.first || rows_[s]) {
      continue;
    }
    if (!is_always_live(s)) {
      if (!use.from_outside || (use.kind == TensorKind::kGradient && !use.cross_step)) {
        continue;
      }
      state_[s].live_range = live_ranges_.size();
    }
    live_ranges_.push_back({.storage = Id<Tensor>(s), .stage = use.stage, .bytes = use.bytes});
  }
}

void ActionList::begin_range(std::size_t storage, Id<Action> from) {
  if (state_[storage].live_range || is_always_live(storage)) {
    return;
  }
  const StorageUse& use = live_.storage[storage];
  state_[storage].live_range = live_ranges_.size();
  live_ranges_.push_back({.storage = Id<Tensor>(storage),
                          .stage = use.stage,
                          .bytes = rows_[storage].value_or(use.bytes),
                          .from = from});
}

std::size_t ActionList::storage_of(Id<Tensor> tensor) const {
  return plan_.graph.tensor(tensor).storage.index();
}

}  // namespace cairn::memory
