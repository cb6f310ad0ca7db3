#include "cairn/plan/background.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::plan {

namespace {

using model::Operator;
using model::Tensor;
using model::TensorKind;

class BackgroundDecoupler {
 public:
  explicit BackgroundDecoupler(Plan plan)
      : plan_(std::move(plan)),
        made_in_background_(plan_.graph.tensors.size()),
        before_(plan_.graph.tensors.size()) {}

  Plan run() {
    for (const Task& task : plan_.tasks) {
      if (const auto* id = std::get_if<Id<Operator>>(&task)) {
        Operator& op = plan_.graph.operators[id->index()];
        pass(op.inputs, op.outputs, op.background);
      } else {
        Exchange& exchange = plan_.exchanges[std::get<Id<Exchange>>(task).index()];
        exchange.background = std::ranges::any_of(exchange.from, [&](Id<Tensor> tensor) {
          return made_in_background_[storage_of(tensor)].value_or(false);
        });
        pass(exchange.from, exchange.to, exchange.background);
      }
    }
    return std::move(plan_);
  }

 private:
  void pass(std::vector<Id<Tensor>>& reads,
            const std::vector<Id<Tensor>>& writes,
            bool in_background) {
    for (Id<Tensor>& tensor : reads) {
      const auto maker = made_in_background_[storage_of(tensor)];
      if (maker && *maker != in_background) {
        tensor = tensor_of_previous_step(tensor);
      }
    }
    for (const Id<Tensor> tensor : writes) {
      if (plan_.graph.tensor(tensor).kind != TensorKind::kWeight) {
        made_in_background_[storage_of(tensor)] = in_background;
      }
    }
  }

  [[nodiscard]] std::size_t storage_of(Id<Tensor> tensor) const {
    return plan_.graph.tensor(tensor).storage.index();
  }

  Id<Tensor> tensor_of_previous_step(Id<Tensor> tensor) {
    if (const auto known = before_[tensor.index()]) {
      return *known;
    }
    Tensor copy = plan_.graph.tensor(tensor);
    copy.name += " of the step before";
    const Id<Tensor> storage = copy.storage;
    Id<Tensor> before;
    if (storage == tensor) {
      before = plan_.graph.add(std::move(copy));
      plan_.cross_step.push_back({.made = tensor, .read = before});
    } else {
      before = plan_.graph.add_in_place(std::move(copy), tensor_of_previous_step(storage));
    }
    before_[tensor.index()] = before;
    return before;
  }

  Plan plan_;
  std::vector<std::optional<bool>> made_in_background_;  // by storage: in this step, so far
  std::vector<std::optional<Id<Tensor>>> before_;        // by tensor
};

}  // namespace

Plan decouple_background(Plan plan) {
  const bool any = std::ranges::any_of(plan.graph.operators, &Operator::background);
  return any ? BackgroundDecoupler(std::move(plan)).run() : plan;
}

}  // namespace cairn::plan
