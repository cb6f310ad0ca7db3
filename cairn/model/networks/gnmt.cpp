#include <fmt/format.h>

#include <algorithm>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Gnmt>& schema_of(const Gnmt*) {
  static const auto kSchema =
      Schema<Gnmt>("gnmt", "machine translation by LSTM layers with attention (Wu et al. 2016)")
          .optional("layers", &Gnmt::layers, "LSTM layers of the encoder, and of the decoder")
          .at_least(2)
          .optional("hidden", &Gnmt::hidden, "hidden size, also of the embeddings")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("vocab", &Gnmt::vocab, "vocabulary size, for both languages")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("steps", &Gnmt::steps, "sentence length in tokens, for both languages")
          .at_least(1);
  return kSchema;
}

namespace {

constexpr std::uint32_t kFirstResidual = 2;  // from the third layer on

Value backwards(Value x) {
  std::ranges::reverse(x.tensors);
  return x;
}

Value embedded_tokens(Net& net, const std::string& name, const Gnmt& gnmt) {
  const Value x =
      net.input(name + ".word", {.samples = net.batch(), .steps = static_cast<double>(gnmt.steps)});
  return net.embedding(name + ".embedding", x, gnmt.vocab, gnmt.hidden);
}

// The first layer is bidirectional.
Value encoder(Net& net, const Gnmt& gnmt) {
  const auto cells = [&](const std::string& name, const Value& x) {
    return net.recurrent(name, x, Cell::kLstm, gnmt.hidden);
  };
  Value x = embedded_tokens(net, "encoder", gnmt);
  const Value forward = cells("encoder0", x);
  x = net.concat("encoder0.both",
                 {forward, backwards(cells("encoder0.backwards", backwards(std::move(x))))});
  for (std::uint32_t layer = 1; layer < gnmt.layers; ++layer) {
    const std::string name = fmt::format("encoder{}", layer);
    const Value y = cells(name, x);
    x = layer < kFirstResidual ? y : net.add(name + ".add", y, x);
  }
  return x;
}

// The first layer's output queries the context; all other layers read it too.
Value decoder(Net& net, const Gnmt& gnmt, const Value& encoded) {
  Value x = embedded_tokens(net, "decoder", gnmt);
  x = net.recurrent("decoder0", x, Cell::kLstm, gnmt.hidden);
  const Value context = net.additive_attention("attention", x, encoded);
  for (std::uint32_t layer = 1; layer < gnmt.layers; ++layer) {
    const std::string name = fmt::format("decoder{}", layer);
    const Value both = net.concat(name + ".context", {x, context});
    const Value y = net.recurrent(name, both, Cell::kLstm, gnmt.hidden);
    x = layer < kFirstResidual ? y : net.add(name + ".add", y, x);
  }
  return x;
}

}  // namespace

Graph build(const Gnmt& gnmt, double batch, const NetOptions& options) {
  Net net("gnmt", batch, options);
  const Value x = decoder(net, gnmt, encoder(net, gnmt));
  net.cross_entropy("loss", net.fully_connected("classifier", x, gnmt.vocab));
  return std::move(net).take();
}

}  // namespace cairn::model
