#include "cairn/model/recompute.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace cairn::model {

namespace {

// Of what is made again together: its number; 0 of others.
std::uint32_t part_of(const Operator& op, Checkpoints checkpoints) {
  switch (checkpoints) {
    case Checkpoints::kBlocks:
      return op.block;
    case Checkpoints::kSelective:
      return op.scores;
    case Checkpoints::kNone:
      break;
  }
  return 0;
}

class Recomputation {
 public:
  Recomputation(const Graph& training, Checkpoints checkpoints)
      : training_(training), checkpoints_(checkpoints), result_(training) {
    result_.operators.clear();
    for (std::size_t i = 0; i < training.operators.size(); ++i) {
      const Operator& op = training.operators[i];
      if (const std::uint32_t part = part_of(op, checkpoints);
          part > 0 && op.pass == Pass::kForward) {
        blocks_[part].push_back(i);
      }
    }
  }

  Graph run() {
    for (const Operator& op : training_.operators) {
      const std::uint32_t block = block_of(op);
      if (block > 0 && !again_.contains(block)) {
        repeat(block);
      }
      result_.operators.push_back(block > 0 ? reading_what_was_made_again(op, block) : op);
    }
    return std::move(result_);
  }

 private:
  using Renamed = std::map<Id<Tensor>, Id<Tensor>>;

  // That an operator has gradients of; 0 for others.
  [[nodiscard]] std::uint32_t block_of(const Operator& op) const {
    const bool gradient = op.pass == Pass::kDataGradient || op.pass == Pass::kWeightGradient;
    return gradient && op.forward ? part_of(training_.operators[op.forward->index()], checkpoints_)
                                  : 0;
  }

  void repeat(std::uint32_t block) {
    Renamed& renamed = again_[block];
    for (const std::size_t i : blocks_[block]) {
      Operator op = training_.operators[i];
      op.again = true;
      op.forward = Id<Operator>(i);
      rename(op.inputs, renamed);
      for (Id<Tensor>& output : op.outputs) {
        output = renamed[output] = copy_of(output, renamed);
      }
      rename(op.saved, renamed);
      result_.operators.push_back(std::move(op));
    }
  }

  // In place of what was replaced in place, if that was made again too.
  Id<Tensor> copy_of(Id<Tensor> made, const Renamed& renamed) {
    Tensor copy = training_.tensor(made);
    const auto host = renamed.find(copy.storage);
    return host == renamed.end() ? result_.add(std::move(copy))
                                 : result_.add_in_place(std::move(copy), host->second);
  }

  [[nodiscard]] Operator reading_what_was_made_again(Operator op, std::uint32_t block) const {
    rename(op.inputs, again_.at(block));
    return op;
  }

  static void rename(std::vector<Id<Tensor>>& tensors, const Renamed& renamed) {
    for (Id<Tensor>& tensor : tensors) {
      const auto found = renamed.find(tensor);
      tensor = found == renamed.end() ? tensor : found->second;
    }
  }

  const Graph& training_;
  Checkpoints checkpoints_;
  Graph result_;
  std::map<std::uint32_t, std::vector<std::size_t>> blocks_{};  // their forward operators
  std::map<std::uint32_t, Renamed> again_{};                    // by block: what was made again
};

}  // namespace

Graph with_recomputation(const Graph& training, Checkpoints checkpoints) {
  return Recomputation(training, checkpoints).run();
}

bool has_what_is_made_again(const Graph& graph, Checkpoints checkpoints) {
  return std::ranges::any_of(graph.operators,
                             [&](const Operator& op) { return part_of(op, checkpoints) > 0; });
}

}  // namespace cairn::model
