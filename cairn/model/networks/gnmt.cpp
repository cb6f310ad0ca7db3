#include <fmt/format.h>

#include <algorithm>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Gnmt>& schema_of(const Gnmt*) {
  static const auto kSchema =
      Schema<Gnmt>("gnmt", "translation by LSTM cells with attention (Wu et al. 2016)")
          .optional("layers", &Gnmt::layers, "of cells in the encoder, and in the decoder")
          .at_least(2)
          .optional("hidden", &Gnmt::hidden, "width of the hidden state and of a word")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("vocab", &Gnmt::vocab, "words to choose from, per step; of both languages")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("steps", &Gnmt::steps, "words of a sentence, in both languages")
          .at_least(1);
  return kSchema;
}

namespace {

constexpr std::uint32_t kFirstShortcut = 2;  // from the third layer on

Value backwards(Value x) {
  std::ranges::reverse(x.tensors);
  return x;
}

Value words(Net& net, const std::string& name, const Gnmt& gnmt) {
  const Value x =
      net.input(name + ".word", {.samples = net.batch(), .steps = static_cast<double>(gnmt.steps)});
  return net.embedding(name + ".embedding", x, gnmt.vocab, gnmt.hidden);
}

// The first layer reads the sentence in both directions.
Value encoder(Net& net, const Gnmt& gnmt) {
  const auto cells = [&](const std::string& name, const Value& x) {
    return net.recurrent(name, x, Cell::kLstm, gnmt.hidden);
  };
  Value x = words(net, "encoder", gnmt);
  const Value forward = cells("encoder0", x);
  x = net.concat("encoder0.both",
                 {forward, backwards(cells("encoder0.backwards", backwards(std::move(x))))});
  for (std::uint32_t layer = 1; layer < gnmt.layers; ++layer) {
    const std::string name = fmt::format("encoder{}", layer);
    const Value y = cells(name, x);
    x = layer < kFirstShortcut ? y : net.add(name + ".add", y, x);
  }
  return x;
}

// What the first layer makes asks for a context; all others read that too.
Value decoder(Net& net, const Gnmt& gnmt, const Value& encoded) {
  Value x = words(net, "decoder", gnmt);
  x = net.recurrent("decoder0", x, Cell::kLstm, gnmt.hidden);
  const Value context = net.additive_attention("attention", x, encoded);
  for (std::uint32_t layer = 1; layer < gnmt.layers; ++layer) {
    const std::string name = fmt::format("decoder{}", layer);
    const Value both = net.concat(name + ".context", {x, context});
    const Value y = net.recurrent(name, both, Cell::kLstm, gnmt.hidden);
    x = layer < kFirstShortcut ? y : net.add(name + ".add", y, x);
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
