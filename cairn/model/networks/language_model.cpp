#include <fmt/format.h>

#include <algorithm>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<LanguageModel>& schema_of(const LanguageModel*) {
  static const auto kSchema =
      Schema<LanguageModel>("language_model", "LSTM language model (Ardalani et al. 2023)")
          .optional("hidden", &LanguageModel::hidden, "hidden size, also of the embedding")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("vocabulary", &LanguageModel::vocabulary, "vocabulary size")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("layers", &LanguageModel::layers, "LSTM layers")
          .at_least(1)
          .optional("steps", &LanguageModel::steps, "sequence length in tokens")
          .at_least(1)
          .optional("steps_at_once",
                    &LanguageModel::steps_at_once,
                    "steps per kernel of the output layer (0: all)");
  return kSchema;
}

Graph build(const LanguageModel& network, double batch, const NetOptions& options) {
  Net net("language_model", batch, options);
  Value x = net.input("word", {.samples = batch, .steps = static_cast<double>(network.steps)});
  x = net.embedding("embedding", x, network.vocabulary, network.hidden);
  for (std::uint32_t layer = 0; layer < network.layers; ++layer) {
    x = net.recurrent(fmt::format("lstm{}", layer), x, Cell::kLstm, network.hidden);
  }
  net.share_weights_by_name();
  // With RecurrentKernels::kByLayer, x is one tensor of all steps.
  const double steps = static_cast<double>(network.steps) / static_cast<double>(x.tensors.size());
  const std::size_t most = network.steps_at_once == 0 ? x.tensors.size() : network.steps_at_once;
  for (std::size_t begin = 0; begin < x.tensors.size(); begin += most) {
    const std::size_t end = std::min(begin + most, x.tensors.size());
    Value some{.tensors = {x.tensors.begin() + static_cast<std::ptrdiff_t>(begin),
                           x.tensors.begin() + static_cast<std::ptrdiff_t>(end)},
               .shape = x.shape};
    some.shape.steps = steps * static_cast<double>(end - begin);
    net.softmax("softmax", net.fully_connected("words", some, network.vocabulary));
  }
  return std::move(net).take();
}

const Schema<Gemm>& schema_of(const Gemm*) {
  static const auto kSchema = Schema<Gemm>("gemm", "a single GEMM; the batch is its rows (m)")
                                  .optional("columns", &Gemm::columns, "columns of the result (n)")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .optional("inner", &Gemm::inner, "inner dimension (k)")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest);
  return kSchema;
}

Graph build(const Gemm& network, double batch, const NetOptions& options) {
  Net net("gemm", batch, options);
  const Value x = net.input_from_below("x", {.samples = batch, .channels = network.inner});
  net.fully_connected("gemm", x, network.columns);
  return std::move(net).take();
}

}  // namespace cairn::model
