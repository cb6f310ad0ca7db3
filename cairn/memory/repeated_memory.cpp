#include "cairn/memory/repeated_memory.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

using plan::NotRepeated;
using plan::PassKind;

class LiveRangeLoop {
 public:
  LiveRangeLoop(const plan::Plan& plan,
                const PlannedPasses& planned,
                const Repetition& repetition,
                Schedule& schedule)
      : plan_(plan), planned_(planned), repetition_(repetition), schedule_(schedule) {}

  void add(const LiveRange& range) {
    const auto repeated = [&](Id<Action> id) { return planned_.is_repeated(id); };
    const bool ends_repeated = !range.until.empty() && std::ranges::all_of(range.until, repeated);
    if (range.from ? planned_.is_repeated(*range.from) : ends_repeated) {
      if (!range.until.empty() && !ends_repeated) {
        throw NotRepeated{"a tensor of a micro-batch is needed by the last"};
      }
      add_repeated(range);
      return;
    }
    LiveRange mine = range;
    mine.until.clear();
    if (range.from) {
      mine.from = repetition_.new_id[range.from->index()];
    }
    for (const Id<Action> id : range.until) {
      if (!planned_.is_repeated(id)) {
        mine.until.push_back(repetition_.new_id[id.index()]);
      } else if (planned_.is_transfer(id) || ends_repeated ||
                 std::ranges::none_of(range.until, [&](Id<Action> other) {
                   return planned_.form(other) == 2 && planned_.action(other).stage == range.stage;
                 })) {
        throw NotRepeated{"a tensor of the first micro-batch is needed by others"};
      }
    }
    schedule_.live_ranges.push_back(std::move(mine));
  }

 private:
  [[nodiscard]] std::uint32_t body_of(Id<Action> id) const {
    return repetition_.body_of(planned_, id);
  }

  // A live range of one of the repeated micro-batches, and so of all. Between actions of passes it
  // is part of these; where a transfer begins or ends it, each repetition has a range of its own.
  void add_repeated(const LiveRange& range) {
    if (!range.from) {  // an input
      schedule_.live_ranges.insert(
          schedule_.live_ranges.end(),
          plan_.repetitions(),
          {.storage = range.storage, .stage = range.stage, .bytes = range.bytes});
    } else if (planned_.is_transfer(*range.from)) {
      for_each_repetition(*range.from, [&](Id<Action> id, std::uint32_t) {
        schedule_.live_ranges.push_back(
            {.storage = range.storage, .stage = range.stage, .bytes = range.bytes, .from = id});
      });
    } else {
      schedule_.bodies[body_of(*range.from)].memory.push_back(
          {range.storage, ChangeAt::kBegin, {repetition_.in_body.at(*range.from)}, range.bytes});
    }
    end_repeated(range);
  }

  void end_repeated(const LiveRange& range) {
    std::map<PassKind, std::vector<Id<Action>>> ends;  // actions of the stage
    std::vector<Id<Action>> sent;
    for (const Id<Action> id : range.until) {
      const bool here = planned_.action(id).stage == range.stage;
      if (!planned_.is_transfer(id) && here) {
        ends[plan_.passes[planned_.action(id).pass].kind].push_back(id);
      } else if (planned_.is_transfer(id) && here) {
        sent.push_back(id);
      } else if (!planned_.is_transfer(id) || id != range.from) {
        throw NotRepeated{"a tensor is live until another stage has used it"};
      }
    }
    // The backward pass of a micro-batch begins after all transfers of its forward pass.
    const bool backward = ends.contains(PassKind::kBackward);
    std::erase_if(sent, [&](Id<Action> id) {
      return backward && plan_.passes[planned_.action(id).pass].kind == PassKind::kForward;
    });
    if (sent.size() > 1 || (sent.empty() && ends.empty() && !range.until.empty())) {
      throw NotRepeated{"a tensor is sent to several stages, or never used"};
    }
    const auto after_sender = [&](Id<Action> id) {
      return planned_.action(id).pass != planned_.sender_of(sent.front());
    };
    if (!sent.empty() && std::ranges::any_of(ends[PassKind::kForward], after_sender)) {
      throw NotRepeated{"a tensor is needed by a later virtual stage than the one that sends it"};
    }
    if (!sent.empty()) {
      end_with_transfer(range, sent.front());
    } else if (!ends.empty()) {
      end_with(ends.at(backward ? PassKind::kBackward : PassKind::kForward), range);
    }
  }

  // Ends a range with actions of one pass; those of its last segment end last.
  void end_with(const std::vector<Id<Action>>& actions, const LiveRange& range) {
    std::uint32_t last = 0;
    for (const Id<Action> id : actions) {
      last = std::max(last, body_of(id));
    }
    MemoryChange change{
        .storage = range.storage, .at = ChangeAt::kEnd, .bytes = Bytes(0.0) - range.bytes};
    for (const Id<Action> id : actions) {
      if (body_of(id) == last) {
        change.actions.push_back(repetition_.in_body.at(id));
      }
    }
    schedule_.bodies[last].memory.push_back(std::move(change));
  }

  // A transfer starts when the pass that made its data has ended, and so ends after it. The range
  // is counted from the start of that pass's last segment, where the segment counts it the other
  // way.
  void end_with_transfer(const LiveRange& range, Id<Action> transfer) {
    const std::uint32_t maker = repetition_.bodies_of[planned_.sender_of(transfer)].back();
    schedule_.bodies[maker].memory.push_back(
        {range.storage, ChangeAt::kStart, {}, Bytes(0.0) - range.bytes});
    for_each_repetition(transfer, [&](Id<Action> id, std::uint32_t micro_batch) {
      schedule_.live_ranges.push_back({.storage = range.storage,
                                       .stage = range.stage,
                                       .bytes = range.bytes,
                                       .from = repetition_.repeat(maker, micro_batch),
                                       .until = {id}});
    });
  }

  // Calls f(id, micro_batch) for a transfer of each repeated micro-batch.
  template <typename F>
  void for_each_repetition(Id<Action> transfer, F f) const {
    const std::vector<Id<Action>>& all = repetition_.transfers[planned_.transfer(transfer)];
    for (std::uint32_t m = 1; m + 1 < plan_.micro_batches; ++m) {
      f(all.at(m), m);
    }
  }

  const plan::Plan& plan_;
  const PlannedPasses& planned_;
  const Repetition& repetition_;
  Schedule& schedule_;
};

}  // namespace

void repeat_live_ranges(const plan::Plan& plan,
                        const PlannedPasses& planned,
                        const std::vector<LiveRange>& ranges,
                        const Repetition& repetition,
                        Schedule& schedule) {
  LiveRangeLoop loop(plan, planned, repetition, schedule);
  for (const LiveRange& range : ranges) {
    loop.add(range);
  }
}

}  // namespace cairn::memory
