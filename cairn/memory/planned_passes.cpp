#include "cairn/memory/planned_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cairn/memory/exchange_channel.hpp"

namespace cairn::memory {

using plan::NotRepeated;
using plan::PassKind;
using plan::StagePass;

PlannedPasses::PlannedPasses(const plan::Plan& plan, const Schedule& planned)
    : plan_(plan),
      planned_(planned),
      members_(plan.passes.size()),
      segment_(planned.actions.size(), 0),
      transfer_(planned.actions.size(), 0),
      fed_(planned.actions.size(), false),
      followed_(planned.actions.size(), false) {
  for (std::uint32_t p = 0; p < plan.passes.size(); ++p) {
    pass_of_[plan.passes[p]] = p;
  }
  for (std::size_t a = 0; a < planned.actions.size(); ++a) {
    std::vector<Id<Action>>& members = members_[planned.actions[a].pass];
    position_.push_back(static_cast<std::uint32_t>(members.size()));
    members.emplace_back(a);
  }
  for (const std::vector<Id<Action>>& members : members_) {
    divide(members);
  }
  number_transfers();
  for (std::size_t a = 0; a < planned.actions.size(); ++a) {
    for (const Id<Action> before : planned.actions[a].after) {
      fed_[a] = fed_[a] || (in_one_segment(before, Id<Action>(a)) && starts_within(before));
    }
  }
  for (std::size_t a = planned.actions.size(); a-- > 0;) {
    for (const Id<Action> before : planned.actions[a].after) {
      followed_[before.index()] =
          followed_[before.index()] ||
          (ends_within(Id<Action>(a)) && in_one_segment(before, Id<Action>(a)));
    }
  }
}

void PlannedPasses::divide(const std::vector<Id<Action>>& members) {
  std::uint32_t segment = 0;
  bool begun = false;
  std::set<Id<Action>> received;
  for (const Id<Action> id : members) {
    if (is_transfer(id)) {
      continue;
    }
    bool waits = false;
    for (const Id<Action> before : action(id).after) {
      const bool arrives = is_transfer(before) && action(before).pass == action(id).pass;
      waits = (arrives && received.insert(before).second) || waits;
    }
    segment += waits && begun && action(id).computes() ? 1U : 0U;
    begun = begun || action(id).computes();
    segment_[id.index()] = segment;
  }
}

// By virtual stage and direction, in the order of the pass that receives them.
void PlannedPasses::number_transfers() {
  std::map<StagePass, std::vector<std::uint32_t>> numbers;
  for (const auto& [pass, p] : pass_of_) {
    StagePass any = pass;
    any.micro_batch = 0;
    std::vector<std::uint32_t>& known = numbers[any];
    std::size_t before = 0;
    for (const Id<Action> id : members_[p]) {
      if (is_transfer(id)) {
        if (before == known.size()) {
          known.push_back(transfers_++);
        }
        transfer_[id.index()] = known[before++];
      }
    }
  }
}

void PlannedPasses::check() const {
  for (const model::Operator& op : plan_.graph.operators) {
    if (op.pass == model::Pass::kUpdate && op.lookups) {
      throw NotRepeated{"each micro-batch updates its own rows of embedding tables"};
    }
  }
  for (std::size_t a = 0; a < planned_.actions.size(); ++a) {
    const Id<Action> id(a);
    const StagePass& pass = plan_.passes[action(id).pass];
    if (action(id).kind != ActionKind::kExchange || is_transfer(id) ||
        pass.kind == PassKind::kUpdate) {
      continue;
    }
    const bool last = pass.kind == PassKind::kBackward && pass.micro_batch == 2;
    if (action(id).stage != plan_.stage_of(action(id).pass) || !starts_within(id)) {
      throw NotRepeated{fmt::format("the collective of {} starts before its pass", name_of(id))};
    }
    if (!ends_within(id) && !last) {
      throw NotRepeated{fmt::format("the collective of {} outlasts its pass", name_of(id))};
    }
  }
  for (const auto& [pass, p] : pass_of_) {
    if (pass.kind != PassKind::kUpdate &&
        count_transfers(p) != count_transfers(pass_of_.at({pass.virtual_stage, pass.kind, 1}))) {
      throw NotRepeated{"micro-batches send different tensors between stages"};
    }
  }
}

// Of a bucket of gradients: its first.
std::string PlannedPasses::name_of(Id<Action> id) const {
  const Action& which = action(id);
  const std::string& name = which.kind == ActionKind::kExchange
                                ? plan_.exchanges[which.subject].name
                                : plan_.graph.operators[which.subject].name;
  return name.substr(0, name.find(" + "));
}

bool PlannedPasses::is_transfer(Id<Action> id) const {
  return action(id).kind == ActionKind::kExchange &&
         plan_.exchanges[action(id).subject].between_stages();
}

std::uint32_t PlannedPasses::pass_of(StagePass pass) const {
  const std::uint32_t last = plan_.micro_batches - 1;
  if (pass.kind != PassKind::kUpdate) {
    pass.micro_batch = pass.micro_batch == 0 ? 0 : pass.micro_batch == last ? 2 : 1;
  }
  return pass_of_.at(pass);
}

std::size_t PlannedPasses::count_transfers(std::uint32_t pass) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(members_[pass], [&](Id<Action> id) { return is_transfer(id); }));
}

std::uint32_t PlannedPasses::form(Id<Action> id) const {
  const StagePass& pass = plan_.passes[action(id).pass];
  return pass.kind == PassKind::kUpdate ? 2 : pass.micro_batch;
}

bool PlannedPasses::in_one_channel(Id<Action> a, Id<Action> b) const {
  const auto channel = [&](Id<Action> id) {
    const Id<plan::Exchange> exchange(action(id).subject);
    return channel_of(plan_.exchanges[exchange.index()], exchange);
  };
  return is_transfer(a) && is_transfer(b) && channel(a) == channel(b);
}

std::uint32_t PlannedPasses::sender_of(Id<Action> id) const {
  for (const Id<Action> before : action(id).after) {
    if (!is_transfer(before) && action(before).stage == action(id).stage) {
      return action(before).pass;
    }
  }
  throw NotRepeated{fmt::format("{} is sent on without being used", name_of(id))};
}

Id<Action> PlannedPasses::counterpart(Id<Action> id, std::uint32_t micro_batch) const {
  StagePass pass = plan_.passes[action(id).pass];
  if (pass.kind == PassKind::kUpdate) {
    return id;
  }
  pass.micro_batch = micro_batch;
  const std::vector<Id<Action>>& there = members_[pass_of(pass)];
  if (there.size() != members_[action(id).pass].size()) {
    throw NotRepeated{fmt::format("another kind of micro-batch waits for {}", name_of(id))};
  }
  return there[position_[id.index()]];
}

}  // namespace cairn::memory
