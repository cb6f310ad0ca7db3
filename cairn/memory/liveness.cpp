#include "cairn/memory/liveness.hpp"

#include <algorithm>

#include "cairn/base/cancellation.hpp"

namespace cairn::memory {

namespace {

using model::Operator;
using plan::Exchange;
using plan::Plan;
using plan::Task;

void touch(StorageUse& use, std::size_t task, bool backward) {
  if (!use.first) {
    use.first = task;
  }
  use.last = task;
  if (!backward) {
    use.last_forward = task;
  } else if (!use.first_backward) {
    use.first_backward = task;
  }
}

}  // namespace

const Operator* operator_of(const Plan& plan, const Task& task) {
  const auto* id = std::get_if<Id<Operator>>(&task);
  return id == nullptr ? nullptr : &plan.graph.operators[id->index()];
}

std::uint32_t stage_of(const Plan& plan, const Task& task) {
  const auto* op = std::get_if<Id<Operator>>(&task);
  return op != nullptr ? plan.operator_stage[op->index()]
                       : plan.exchanges[std::get<Id<Exchange>>(task).index()].to_stage;
}

bool is_backward(const Plan& plan, const Task& task) {
  const Operator* op = operator_of(plan, task);
  return op != nullptr ? op->in_backward_pass()
                       : plan.exchanges[std::get<Id<Exchange>>(task).index()].backward;
}

const std::vector<Id<model::Tensor>>& reads_of(const Plan& plan, const Task& task) {
  const Operator* op = operator_of(plan, task);
  return op != nullptr ? op->inputs : plan.exchanges[std::get<Id<Exchange>>(task).index()].from;
}

const std::vector<Id<model::Tensor>>& writes_of(const Plan& plan, const Task& task) {
  const Operator* op = operator_of(plan, task);
  return op != nullptr ? op->outputs : plan.exchanges[std::get<Id<Exchange>>(task).index()].to;
}

Liveness liveness(const Plan& plan) {
  Liveness result{.storage = std::vector<StorageUse>(plan.graph.tensors.size())};
  for (std::size_t t = 0; t < plan.graph.tensors.size(); ++t) {
    const model::Tensor& tensor = plan.graph.tensors[t];
    if (tensor.storage.index() == t) {
      result.storage[t].bytes = model::bytes_of(tensor, plan.element());
      result.storage[t].kind = tensor.kind;
    }
  }
  const auto use_of = [&](Id<model::Tensor> tensor) -> StorageUse& {
    return result.storage[plan.graph.tensor(tensor).storage.index()];
  };
  for (std::size_t s = 0; s < plan.tasks.size(); ++s) {
    check_cancelled();
    const bool backward = is_backward(plan, plan.tasks[s]);
    const std::uint32_t stage = stage_of(plan, plan.tasks[s]);
    const auto* exchange = std::get_if<Id<Exchange>>(&plan.tasks[s]);
    const std::uint32_t from =
        exchange == nullptr ? stage : plan.exchanges[exchange->index()].stage;
    for (const Id<model::Tensor> tensor : reads_of(plan, plan.tasks[s])) {
      use_of(tensor).stage = from;
      use_of(tensor).from_outside = use_of(tensor).from_outside || !use_of(tensor).first;
      touch(use_of(tensor), s, backward);
    }
    for (const Id<model::Tensor> tensor : writes_of(plan, plan.tasks[s])) {
      StorageUse& use = use_of(tensor);
      use.stage = stage;
      touch(use, s, backward);
      if (!backward && (use.forward_writers.empty() || use.forward_writers.back() != s)) {
        use.forward_writers.push_back(s);
      }
    }
  }
  for (const plan::CrossStepTensor& each : plan.cross_step) {
    result.storage[each.made.index()].cross_step = true;
    result.storage[each.read.index()].cross_step = true;
  }
  return result;
}

}  // namespace cairn::memory
