// The schedule of three micro-batches by pass, and which micro-batch each of its actions stands
// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

// A pass is divided into segments: each but the first begins with a kernel that waits for another
// stage. The first of three micro-batches stands for the first of all, the second for those
// between, the third for the last.
class PlannedPasses {
 public:
  // Both must outlive this. Precondition: plan.repeats().
  PlannedPasses(const plan::Plan& plan, const Schedule& planned);

  // Throws plan::NotRepeated unless micro-batches do the same, and all that a segment of a pass
  // starts ends within it but transfers to other stages and, in the last micro-batch, the reduction
  // of gradients.
  void check() const;

  [[nodiscard]] const Action& action(Id<Action> id) const { return planned_.actions[id.index()]; }

  [[nodiscard]] std::string name_of(Id<Action> id) const;

  // Whether it is a transfer between stages. It belongs to the pass that receives it.
  [[nodiscard]] bool is_transfer(Id<Action> id) const;

  [[nodiscard]] bool is_repeated(Id<Action> id) const { return plan_.is_repeated(action(id).pass); }

  // The planned pass that stands for a pass of all micro-batches.
  [[nodiscard]] std::uint32_t pass_of(plan::StagePass pass) const;

  // Whether both are transfers of one channel, which run one after the other.
  [[nodiscard]] bool in_one_channel(Id<Action> a, Id<Action> b) const;

  // The pass that computes what it sends. Precondition: is_transfer(id). Throws plan::NotRepeated
  // if there is none.
  [[nodiscard]] std::uint32_t sender_of(Id<Action> id) const;

  // Its actions, in order.
  [[nodiscard]] const std::vector<Id<Action>>& members(std::uint32_t pass) const {
    return members_[pass];
  }

  [[nodiscard]] std::size_t count_transfers(std::uint32_t pass) const;

  // The number of its segment in its pass.
  [[nodiscard]] std::uint32_t segment(Id<Action> id) const { return segment_[id.index()]; }

  [[nodiscard]] bool in_one_segment(Id<Action> a, Id<Action> b) const {
    return action(a).pass == action(b).pass && action(a).stage == action(b).stage &&
           segment(a) == segment(b);
  }

  // Whether it is a kernel, or starts after one of its segment.
  [[nodiscard]] bool starts_within(Id<Action> id) const {
    return action(id).computes() || fed_[id.index()];
  }

  // Whether it is a kernel, or ends before one of its segment.
  [[nodiscard]] bool ends_within(Id<Action> id) const {
    return action(id).computes() || followed_[id.index()];
  }

  // The planned micro-batch that it belongs to: 0 the first, 1 any between, 2 the last.
  [[nodiscard]] std::uint32_t form(Id<Action> id) const;

  // The action of another micro-batch that does the same: one that stands for it. Throws
  // plan::NotRepeated if there is none.
  [[nodiscard]] Id<Action> counterpart(Id<Action> id, std::uint32_t micro_batch) const;

  // The number of a transfer between stages, the same for each micro-batch. Precondition:
  // is_transfer(id).
  [[nodiscard]] std::uint32_t transfer(Id<Action> id) const { return transfer_[id.index()]; }

  [[nodiscard]] std::uint32_t transfers() const { return transfers_; }

 private:
  void divide(const std::vector<Id<Action>>& members);
  void number_transfers();

  const plan::Plan& plan_;
  const Schedule& planned_;
  std::map<plan::StagePass, std::uint32_t> pass_of_{};  // index in Plan::passes
  std::vector<std::vector<Id<Action>>> members_;        // by pass
  std::vector<std::uint32_t> position_;                 // by action: in its pass
  std::vector<std::uint32_t> segment_;                  // by action
  std::vector<std::uint32_t> transfer_;                 // by action
  std::uint32_t transfers_ = 0;
  std::vector<bool> fed_;       // by action
  std::vector<bool> followed_;  // by action
};

}  // namespace cairn::memory
