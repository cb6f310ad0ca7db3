#include "cairn/model/recompute.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace cairn::model {

namespace {

// The number of the group of operators that are recomputed together; 0: not recomputed.
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
      if (block > 0 && !recomputed_.contains(block)) {
        repeat(block);
      }
      result_.operators.push_back(block > 0 ? reading_recomputed(op, block) : op);
    }
    return std::move(result_);
  }

 private:
  using Renamed = std::map<Id<Tensor>, Id<Tensor>>;

  // The block whose gradient an operator computes; 0: none.
  [[nodiscard]] std::uint32_t block_of(const Operator& op) const {
    const bool gradient = op.pass == Pass::kDataGradient || op.pass == Pass::kWeightGradient;
    return gradient && op.forward ? part_of(training_.operators[op.forward->index()], checkpoints_)
                                  : 0;
  }

  void repeat(std::uint32_t block) {
    Renamed& renamed = recomputed_[block];
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

  // In the recomputed storage, if the original was written in place.
  Id<Tensor> copy_of(Id<Tensor> made, const Renamed& renamed) {
    Tensor copy = training_.tensor(made);
    const auto host = renamed.find(copy.storage);
    return host == renamed.end() ? result_.add(std::move(copy))
                                 : result_.add_in_place(std::move(copy), host->second);
  }

  [[nodiscard]] Operator reading_recomputed(Operator op, std::uint32_t block) const {
    rename(op.inputs, recomputed_.at(block));
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
  std::map<std::uint32_t, Renamed> recomputed_{};  // by block: original to recomputed tensor
};

}  // namespace

Graph with_recomputation(const Graph& training, Checkpoints checkpoints) {
  return Recomputation(training, checkpoints).run();
}

bool has_recomputable_blocks(const Graph& graph, Checkpoints checkpoints) {
  return std::ranges::any_of(graph.operators,
                             [&](const Operator& op) { return part_of(op, checkpoints) > 0; });
}

}  // namespace cairn::model
