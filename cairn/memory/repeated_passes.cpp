#include "cairn/memory/repeated_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/memory/exchange_channel.hpp"
#include "cairn/memory/planned_passes.hpp"
#include "cairn/memory/repeated_memory.hpp"
#include "cairn/plan/pipeline.hpp"

namespace cairn::memory {

namespace {

using plan::NotRepeated;
using plan::PassKind;
using plan::Plan;
using plan::StagePass;

class PassLoop {
 public:
  PassLoop(const Plan& plan, const Schedule& schedule)
      : plan_(plan),
        schedule_(schedule),
        planned_(plan, schedule),
        map_{.new_id = std::vector<Id<Action>>(schedule.actions.size()),
             .bodies_of = std::vector<std::vector<std::uint32_t>>(plan.passes.size())},
        last_(plan.mesh.stages()) {
    result_.launch = schedule.launch;
    result_.stages = schedule.stages;
  }

  Schedule run() {
    planned_.check();
    for (std::uint32_t p = 0; p < plan_.passes.size(); ++p) {
      if (plan_.is_repeated(p)) {
        add_bodies(p);
      }
    }
    map_.repeats.resize(result_.bodies.size());
    map_.transfers.resize(planned_.transfers());
    for (std::uint32_t p = 0; p < plan_.passes.size(); ++p) {
      if (plan_.is_repeated(p)) {
        note_results(p);
      }
    }
    for (const StagePass& pass : plan::pass_order(plan_.pipeline, plan_.micro_batches)) {
      check_cancelled();
      const std::uint32_t planned = planned_.pass_of(pass);
      if (plan_.is_repeated(planned)) {
        add_repetition(planned, pass.micro_batch);
      } else {
        add_pass(planned, pass.micro_batch);
      }
    }
    add_pass(planned_.pass_of({.kind = PassKind::kUpdate}), plan_.micro_batches - 1);
    repeat_live_ranges(plan_, planned_, schedule_.live_ranges, map_, result_);
    const double factor = static_cast<double>(plan_.micro_batches) / plan_.planned;
    for (StageMemory& stage : result_.stages) {
      stage.recomputed = stage.recomputed * factor;
      stage.from_checkpoints = stage.from_checkpoints * factor;
    }
    return std::move(result_);
  }

 private:
  // The bodies of a pass, one for each segment.
  void add_bodies(std::uint32_t pass) {
    std::vector<std::uint32_t>& bodies = map_.bodies_of[pass];
    std::set<Id<Action>> received;
    for (const Id<Action> id : planned_.members(pass)) {
      if (planned_.is_transfer(id)) {
        continue;
      }
      if (planned_.segment(id) == bodies.size()) {
        bodies.push_back(static_cast<std::uint32_t>(result_.bodies.size()));
        result_.bodies.push_back({.pass = pass, .stage = plan_.stage_of(pass)});
        waits_for_.emplace_back();
      }
      PassBody& body = result_.bodies.back();
      Action mine = planned_.action(id);
      mine.after.clear();
      for (const Id<Action> before : planned_.action(id).after) {
        if (planned_.action(before).pass != pass) {
          check_implied(id, before);
        } else if (planned_.is_transfer(before)) {
          if (received.insert(before).second) {
            check_starts(body, id);
            waits_for_.back().push_back(before);
          }
        } else if (planned_.in_one_segment(before, id)) {
          mine.after.emplace_back(map_.in_body.at(before));
        }
      }
      map_.in_body[id] = static_cast<std::uint32_t>(body.actions.size());
      body.actions.push_back(std::move(mine));
    }
    if (bodies.empty()) {
      throw NotRepeated{"a pass has no kernel"};
    }
    if (received.size() != planned_.count_transfers(pass)) {
      throw NotRepeated{"a pass receives data that only later passes need"};
    }
  }

  // Only the first kernel of a segment waits for other stages.
  void check_starts(const PassBody& body, Id<Action> id) const {
    if (!planned_.action(id).computes() ||
        std::ranges::any_of(body.actions, [](const Action& other) { return other.computes(); })) {
      throw NotRepeated{fmt::format("{} waits for another stage alone", planned_.name_of(id))};
    }
  }

  // Kernels and collectives of earlier passes of the stage have ended before a pass begins, and so
  // have the transfers that its forward pass waited for.
  void check_implied(Id<Action> id, Id<Action> before) const {
    StagePass forward = plan_.passes[planned_.action(id).pass];
    forward.kind = PassKind::kForward;
    const bool received =
        planned_.is_transfer(before) && plan_.passes[planned_.action(before).pass] == forward;
    const bool ended =
        !planned_.is_transfer(before) && planned_.action(before).stage == planned_.action(id).stage;
    if (!received && !ended) {
      throw NotRepeated{
          fmt::format("{} waits for data that an earlier pass received", planned_.name_of(id))};
    }
  }

  // An action of one micro-batch waits for one of another: the micro-batch of the latter.
  [[nodiscard]] std::uint32_t micro_batch_of(Id<Action> before,
                                             Id<Action> id,
                                             std::uint32_t micro_batch) const {
    const std::uint32_t there = planned_.form(before);
    const std::uint32_t here = planned_.form(id);
    if (there == here) {
      return micro_batch;
    }
    if (there > here) {
      throw NotRepeated{fmt::format("{} waits for a later micro-batch", planned_.name_of(id))};
    }
    return there + 1 == here ? micro_batch - 1 : 0;
  }

  void wait_for(Id<Action> before, Id<Action> id, std::uint32_t micro_batch, Action& mine) const {
    if (planned_.action(before).pass == planned_.action(id).pass && !planned_.is_transfer(before) &&
        !planned_.is_repeated(before)) {
      mine.after.push_back(map_.new_id[before.index()]);
      return;
    }
    const bool same_stage =
        planned_.action(before).stage == planned_.action(id).stage && !planned_.is_transfer(before);
    if (same_stage && !planned_.is_transfer(id)) {
      if (planned_.ends_within(before) && planned_.starts_within(id)) {
        return;  // before the previous pass of the stage ended
      }
    }
    const std::uint32_t from = micro_batch_of(before, id, micro_batch);
    if (planned_.is_transfer(before)) {
      mine.after.push_back(map_.transfers[planned_.transfer(before)].at(from));
      return;
    }
    const Id<Action> there = planned_.counterpart(before, from);
    mine.after.push_back(planned_.is_repeated(there)
                             ? map_.repeat(map_.body_of(planned_, there), from)
                             : map_.new_id[there.index()]);
  }

  // The kernels and passes of a stage run one after the other.
  void take_turn(Action& mine) {
    std::optional<Id<Action>>& last = last_[mine.stage];
    if (last) {
      mine.after.push_back(*last);
    }
    last = Id<Action>(result_.actions.size());
  }

  // Transfers of a channel run one after the other, in the order of the passes that receive them.
  void take_turn_in_channel(Action& mine) {
    const Id<plan::Exchange> id(mine.subject);
    auto& last = last_in_channel_[channel_of(plan_.exchanges[id.index()], id)];
    if (last) {
      mine.after.push_back(*last);
    }
    last = Id<Action>(result_.actions.size());
  }

  Id<Action> push(Action mine) {
    std::ranges::sort(mine.after);
    const auto repeated = std::ranges::unique(mine.after);
    mine.after.erase(repeated.begin(), repeated.end());
    result_.actions.push_back(std::move(mine));
    return Id<Action>(result_.actions.size() - 1);
  }

  Id<Action> add_action(Id<Action> id, std::uint32_t micro_batch) {
    Action mine = planned_.action(id);
    mine.after.clear();
    for (const Id<Action> before : planned_.action(id).after) {
      if (!planned_.in_one_channel(before, id)) {
        wait_for(before, id, micro_batch, mine);
      }
    }
    if (mine.computes()) {
      take_turn(mine);
    } else if (planned_.is_transfer(id)) {
      take_turn_in_channel(mine);
    }
    const Id<Action> added = push(std::move(mine));
    map_.new_id[id.index()] = added;
    if (planned_.is_transfer(id)) {
      map_.transfers[planned_.transfer(id)].push_back(added);
    }
    return added;
  }

  void add_pass(std::uint32_t pass, std::uint32_t micro_batch) {
    for (const Id<Action> id : planned_.members(pass)) {
      add_action(id, micro_batch);
    }
  }

  void add_repetition(std::uint32_t pass, std::uint32_t micro_batch) {
    for (const Id<Action> id : planned_.members(pass)) {
      if (planned_.is_transfer(id)) {
        add_action(id, micro_batch);
      }
    }
    for (const std::uint32_t body : map_.bodies_of[pass]) {
      Action whole{
          .kind = ActionKind::kPass, .subject = body, .pass = pass, .stage = plan_.stage_of(pass)};
      for (const Id<Action> received : waits_for_[body]) {
        whole.after.push_back(map_.new_id[received.index()]);
      }
      take_turn(whole);
      map_.repeats[body].push_back(push(std::move(whole)));
    }
  }

  // Notes what the transfers of a pass wait for.
  void note_results(std::uint32_t pass) {
    for (const Id<Action> id : planned_.members(pass)) {
      for (const Id<Action> before :
           planned_.is_transfer(id) ? planned_.action(id).after : std::vector<Id<Action>>{}) {
        if (!planned_.is_repeated(before) || planned_.is_transfer(before)) {
          continue;
        }
        if (plan_.passes[planned_.action(before).pass].kind != plan_.passes[pass].kind) {
          throw NotRepeated{fmt::format("{} is sent after its pass", planned_.name_of(before))};
        }
        std::vector<std::uint32_t>& results =
            result_.bodies[map_.body_of(planned_, before)].results;
        if (std::ranges::find(results, map_.in_body.at(before)) == results.end()) {
          results.push_back(map_.in_body.at(before));
        }
      }
    }
  }

  const Plan& plan_;
  const Schedule& schedule_;  // of three micro-batches
  PlannedPasses planned_;
  Repetition map_;
  std::vector<std::optional<Id<Action>>> last_;  // by stage: the last kernel or pass
  std::map<ExchangeChannel, std::optional<Id<Action>>> last_in_channel_{};  // of transfers
  std::vector<std::vector<Id<Action>>> waits_for_{};  // by body: planned transfers
  Schedule result_{};
};

}  // namespace

std::optional<NotRepeated> check_repeats(const Policy& policy, const LaunchPolicy& launch) {
  if (!policy.same_on_every_device()) {
    return NotRepeated{"activations are offloaded"};
  }
  if (!launch.one_by_one()) {
    return NotRepeated{"kernels run concurrently"};
  }
  if (launch.issue > Seconds(0.0)) {
    return NotRepeated{"the host takes time to launch kernels"};
  }
  if (launch.sequence.steps > 1) {
    return NotRepeated{"several steps are simulated"};
  }
  if (launch.sequence.exchanges != ExchangeOrder::kSequential) {
    return NotRepeated{"exchanges over the same devices run concurrently"};
  }
  return std::nullopt;
}

plan::OrNotRepeated<Schedule> repeat_passes(const Plan& plan, const Schedule& planned) {
  try {
    return PassLoop(plan, planned).run();
  } catch (const NotRepeated& reason) {
    return reason;
  }
}

}  // namespace cairn::memory
